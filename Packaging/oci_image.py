#!/usr/bin/env python3
"""Writes an OCI image as an archive of its layout: one layer with the static program, man pages left
out. No daemon and no tool for images is needed: the layout is a few JSON documents and a tar.

    oci_image.py STAGE VERSION ARCHITECTURE REVISION FILE     REVISION: the commit, or empty

symbolicate-fetch is not in it: it needs a C library and libcurl, which the image does not have.
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import time

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
MEDIA = "application/vnd.oci.image."


def member(name, mode, kind=tarfile.REGTYPE):
    information = tarfile.TarInfo(name)
    information.mode, information.type, information.mtime = mode, kind, EPOCH
    return information


def add_file(archive, name, content, mode=0o644):
    information = member(name, mode)
    information.size = len(content)
    archive.addfile(information, io.BytesIO(content))


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def layer(stage):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        documents = "usr/share/doc/symbolicate"
        for folder in ("usr", "usr/bin", "usr/share", "usr/share/doc", documents):
            archive.addfile(member(folder, 0o755, tarfile.DIRTYPE))
        archive.addfile(member("tmp", 0o1777, tarfile.DIRTYPE))
        archive.addfile(member("work", 0o755, tarfile.DIRTYPE))
        add_file(archive, "usr/bin/symbolicate", read(stage, "bin/symbolicate"), 0o755)
        link = member("usr/bin/atos", 0o777, tarfile.SYMTYPE)
        link.linkname = "symbolicate"
        archive.addfile(link)
        for name in ("LICENSE", "THIRD-PARTY-LICENSES.txt"):
            add_file(archive, f"{documents}/{name}", read(stage, "share/doc/symbolicate", name))
    return buffer.getvalue()


def main():
    stage, version, architecture, revision, path = sys.argv[1:]
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))
    annotations = {
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.title": "symbolicate",
        "org.opencontainers.image.description":
            "Functions, files and lines for Apple and Swift crash reports",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    if revision:
        annotations["org.opencontainers.image.revision"] = revision

    blobs = {}

    def blob(content, media, **more):
        digest = hashlib.sha256(content).hexdigest()
        blobs["blobs/sha256/" + digest] = content
        return {"mediaType": MEDIA + media, "digest": "sha256:" + digest, "size": len(content), **more}

    def document(value):
        return json.dumps(value, indent=2, sort_keys=True).encode()

    tree = layer(stage)
    layers = [blob(gzip.compress(tree, 9, mtime=0), "layer.v1.tar+gzip")]
    config = blob(document({
        "architecture": architecture, "os": "linux", "created": created,
        "config": {
            "Entrypoint": ["/usr/bin/symbolicate"],
            "Env": ["PATH=/usr/bin"],
            "WorkingDir": "/work",
            "Labels": annotations,
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(tree).hexdigest()]},
        "history": [{"created": created, "created_by": "Packaging/oci_image.py"}],
    }), "config.v1+json")
    manifest = blob(document({
        "schemaVersion": 2, "mediaType": MEDIA + "manifest.v1+json",
        "config": config, "layers": layers, "annotations": annotations,
    }), "manifest.v1+json", platform={"architecture": architecture, "os": "linux"},
        annotations={"org.opencontainers.image.ref.name": version,
                     # What podman and Docker call the image that they load.
                     "io.containerd.image.name": f"localhost/symbolicate:{version}"})
    index = document({
        "schemaVersion": 2, "mediaType": MEDIA + "index.v1+json", "manifests": [manifest]})

    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        add_file(archive, "oci-layout", document({"imageLayoutVersion": "1.0.0"}))
        add_file(archive, "index.json", index)
        for folder in ("blobs", "blobs/sha256"):
            archive.addfile(member(folder, 0o755, tarfile.DIRTYPE))
        for name in sorted(blobs):
            add_file(archive, name, blobs[name])


if __name__ == "__main__":
    main()
