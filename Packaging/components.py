#!/usr/bin/env python3
"""What the programs contain beside this project: Debian's static libraries, Swift packages and the
Swift runtime, with versions and licences.

    components.py notices               prints the notices that go with the programs
    components.py sbom STAGE NAME       prints the SPDX 2.3 document of the programs in STAGE/bin

Versions come from where the build took the code: dpkg for what the links in .build/static-libraries
lead to, Package.resolved, and the Swift compiler.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("SYMBOLICATE_BUILD", os.path.join(ROOT, ".build"))

# The licence of the code in the library, by Debian's source package. What a package does not put
# into the library, such as its tools, does not count.
LICENCES = {
    "dwarfutils": "LGPL-2.1-only",
    "libdwarf": "LGPL-2.1-only",
    "elfutils": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libarchive": "BSD-2-Clause",
    "zlib": "Zlib",
    "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "xz-utils": "LicenseRef-xz-public-domain",
    "nettle": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "bzip2": "bzip2-1.0.6",
    "lz4": "BSD-2-Clause",
    "glibc": "LGPL-2.1-or-later",
}
GCC_LICENCE = "GPL-3.0-or-later WITH GCC-exception-3.1"
SWIFT_LICENCE = "Apache-2.0 WITH Swift-exception"
XZ_TEXT = "liblzma is in the public domain."


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Component:
    def __init__(self, name, version, licence, purl, notice, home):
        self.name, self.version, self.licence = name, version, licence
        self.purl, self.notice, self.home = purl, notice, home
        self.identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def static_libraries():
    """The static libraries of C and C++, as Debian packages."""
    if shutil.which("dpkg-query") is None:
        sys.exit("components.py: dpkg-query is not installed; packages are made on Debian or Ubuntu, "
                 "where it says which libraries the programs contain")
    folder = os.path.join(BUILD, "static-libraries")
    if not os.path.isdir(folder):
        sys.exit(f"components.py: {folder} is missing; run 'make build' first")
    paths = [os.path.realpath(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
    compiler = shlex.split(os.environ.get("CC", "clang"))
    for name in ("libc.a", "libgcc.a", "libgcc_eh.a"):
        path = output(*compiler, "-print-file-name=" + name)
        if "/" in path:
            paths.append(os.path.realpath(path))
    found = {}
    for path in paths:
        package = owner(path)
        name, version = output("dpkg-query", "-W", "-f", "${source:Package}\t${source:Version}",
                               package).split("\t")
        licence = GCC_LICENCE if name.startswith("gcc-") else LICENCES.get(name)
        if licence is None:
            sys.exit(f"components.py: the licence of {name} ({path}) is not in LICENCES; look it up "
                     f"in /usr/share/doc/{package.split(':')[0]}/copyright")
        notice = f"/usr/share/doc/{package.split(':')[0]}/copyright"
        found[name] = Component(name, version, licence, purl_of_debian(name, version), notice, None)
    return [found[name] for name in sorted(found)]


def owner(path):
    for candidate in (path, re.sub(r"^/usr(?=/lib)", "", path), re.sub(r"^(?=/lib)", "/usr", path)):
        done = subprocess.run(["dpkg", "-S", candidate], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0]
    sys.exit(f"components.py: no Debian package has {path}")


def purl_of_debian(name, version):
    quoted = version.replace("+", "%2B").replace(":", "%3A")
    return f"pkg:deb/debian/{name.replace('+', '%2B')}@{quoted}?arch=source"


def swift_packages():
    """The Swift packages whose modules are in the program; tests use others."""
    with open(os.path.join(ROOT, "Package.resolved"), encoding="utf-8") as file:
        pins = json.load(file)["pins"]
    # The objects that were linked: PATH/MODULE.build/NAME.o
    linked = os.path.join(BUILD, "release/symbolicate.product/Objects.LinkFileList")
    if not os.path.exists(linked):
        sys.exit(f"components.py: {linked} is missing; run 'make build' first")
    with open(linked, encoding="utf-8") as file:
        compiled = set(re.findall(r"/([^/\n]+)\.build/", file.read()))
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        checkout = os.path.join(BUILD, "checkouts", pin["identity"])
        modules = set(os.listdir(os.path.join(checkout, "Sources")))
        if not modules & compiled:
            continue
        state = pin["state"]
        place = pin["location"].removesuffix(".git")
        notices = [os.path.join(checkout, name) for name in os.listdir(checkout)
                   if name.upper().startswith("LICENSE")]
        yield Component(pin["identity"], state.get("version", state["revision"]), SWIFT_LICENCE,
                        "pkg:swift/" + place.split("://")[1] + "@" + state.get("version", ""),
                        notices[0], f"git+{place}@{state['revision']}")


def swift_runtime():
    information = json.loads(output("swiftc", "-print-target-info"))
    version = re.search(r"Swift version ([0-9.]+)", information["compilerVersion"]).group(1)
    # …/usr/lib/swift is the folder of the runtime; the licence is in …/usr/share/swift. Debian has it
    # where it has all.
    resources = information["paths"]["runtimeResourcePath"]
    notice = os.path.join(os.path.dirname(os.path.dirname(resources)), "share/swift/LICENSE.txt")
    if not os.path.exists(notice):
        notice = "/usr/share/doc/swiftlang/copyright"
    return Component("swift-runtime", version, SWIFT_LICENCE, f"pkg:generic/swift-runtime@{version}",
                     notice, "https://github.com/swiftlang/swift")


def components():
    return [*static_libraries(), *swift_packages(), swift_runtime()]


def notices():
    print("symbolicate contains code of the projects below. Its sources, and how it is linked, are\n"
          "public: who changes one of these libraries can build the program with it (make build).")
    for component in components():
        print("\n" + "=" * 78)
        print(f"{component.name} {component.version}\nLicense: {component.licence}\n")
        with open(component.notice, encoding="utf-8", errors="replace") as file:
            print(file.read().strip())


# SPDX

def digest(path, algorithm):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest() if hasattr(
            hashlib, "file_digest") else hashlib.new(algorithm, file.read()).hexdigest()


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def sbom(stage, name):
    version = re.search(r'symbolicateVersion = "(.*)"',
                        open(os.path.join(ROOT, "Sources/symbolicate/Version.swift")).read()).group(1)
    main = "SPDXRef-symbolicate"
    contained = components()
    packages = [{
        "SPDXID": main, "name": "symbolicate", "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
    }]
    for component in contained:
        packages.append({
            "SPDXID": component.identifier, "name": component.name, "versionInfo": component.version,
            "downloadLocation": component.home or "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": component.licence, "licenseDeclared": component.licence,
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": "LIBRARY",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": component.purl}],
        })
    files = []
    for each in ("symbolicate", "symbolicate-fetch"):
        path = os.path.join(stage, "bin", each)
        files.append({
            "SPDXID": "SPDXRef-File-" + each, "fileName": "./bin/" + each, "fileTypes": ["BINARY"],
            "checksums": [{"algorithm": kind.upper(), "checksumValue": digest(path, kind)}
                          for kind in ("sha1", "sha256")],
            "licenseConcluded": "Apache-2.0", "licenseInfoInFiles": ["NOASSERTION"],
            "copyrightText": "NOASSERTION",
        })
    relationships = [relation("SPDXRef-DOCUMENT", "DESCRIBES", main)]
    for file in files:
        relationships += [relation("SPDXRef-DOCUMENT", "DESCRIBES", file["SPDXID"]),
                          relation(file["SPDXID"], "GENERATED_FROM", main)]
    relationships += [relation("SPDXRef-File-symbolicate", "STATIC_LINK", each.identifier)
                      for each in contained]
    relationships.append(
        relation("SPDXRef-File-symbolicate-fetch", "STATIC_LINK", "SPDXRef-swift-runtime"))
    program = files[0]["checksums"][1]["checksumValue"]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        # An identifier, not an address; it follows from the program.
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{uuid.uuid5(uuid.NAMESPACE_URL, program)}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ",
                                     time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))),
            "creators": [f"Tool: symbolicate-components.py-{version}"],
        },
        "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-xz-public-domain",
                                        "name": "XZ Utils, public domain", "extractedText": XZ_TEXT}],
        "packages": packages, "files": files, "relationships": relationships,
    }
    print(json.dumps(document, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["notices"]: notices()
        case ["sbom", folder, title]: sbom(folder, title)
        case _: sys.exit(__doc__)
