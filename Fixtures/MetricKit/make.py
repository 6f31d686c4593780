#!/usr/bin/env python3
"""Writes the payloads in this folder: MetricKit's dialects, with addresses of Fixtures/LetterShuffle.

The bytes are the same each time. README.md says what each file is and where its layout comes from.
"""
import json
import os

APP = ("A4B1DE49-70B3-301D-A644-58D6BC22F513", "Letter Shuffle", 0x1_0022_8000)
DISPATCH = ("6B0A2FBD-4F3B-3C3B-9F3A-0D6C1A2B3C4D", "libdispatch.dylib", 0x1_C646_C000)
UIKIT = ("5E794CAA-4162-3FF6-861E-45F29F6B8AC0", "UIKitCore", 0x1_F281_0000)
DYLD = ("CD2E758D-E1A2-3B92-AAE7-75D38F66EC54", "dyld", 0x1_BE60_2000)

# The stack of Fixtures/LetterShuffle/letter-shuffle.crash, innermost first.
STACK = [
    (APP, 160156), (APP, 128224), (DISPATCH, 395220), (APP, 120728), (APP, 120380), (APP, 119796),
    (APP, 120096), (UIKIT, 3224100), (DYLD, 257800),
]
# A tree of samples: (image, offset of the instruction after the call, samples, called functions).
# A leaf has the offset of an instruction.
TREE = (DYLD, 257800, 20, [
    (UIKIT, 3224100, 20, [
        (APP, 120096, 20, [
            (APP, 119796, 19, [
                (APP, 120380, 12, [
                    (APP, 160156, 7, []),
                    (APP, 36868, 4, []),
                ]),
                (APP, 40964, 7, []),
            ]),
        ]),
    ]),
])
META = {
    "appBuildVersion": "6", "appVersion": "1.3", "regionFormat": "GB",
    "bundleIdentifier": "com.taubler.lettershuffle", "osVersion": "iPhone OS 17.4 (21E219)",
    "deviceType": "iPhone14,7", "platformArchitecture": "arm64e", "pid": 1683,
    "isTestFlightApp": False, "lowPowerModeEnabled": False,
}
HERE = os.path.dirname(os.path.abspath(__file__))


def pretty(value):
    """As Apple's writer does: spaces around colons, and slashes escaped."""
    return json.dumps(value, indent=2, separators=(",", " : ")).replace("/", "\\/") + "\n"


def compact(value):
    return json.dumps(value, separators=(",", ":")).replace("/", "\\/")


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(text)


def stack(frame):
    """The frames of STACK, each in the `subFrames` of the one it called."""
    inner = None
    for image, offset in reversed(STACK):
        inner = frame(image, offset, inner)
    return inner


def frame(image, offset, inner):
    """iOS 15 and later; the name and the address come after the frames, as on devices."""
    identity, name, base = image
    value = {"binaryUUID": identity, "offsetIntoBinaryTextSegment": offset, "sampleCount": 1}
    if inner:
        value["subFrames"] = [inner]
    value["binaryName"] = name
    value["address"] = base + offset
    return value


def old_frame(image, offset, inner):
    """iOS 14: the offset is the start of the image."""
    value = frame(image, offset, inner)
    value["offsetIntoBinaryTextSegment"] = image[2]
    return value


def tree(node):
    """Sampled: the offset of a caller counts to the byte before the return address."""
    image, offset, samples, called = node
    value = {
        "binaryUUID": image[0], "offsetIntoBinaryTextSegment": offset - (1 if called else 0),
        "sampleCount": samples,
    }
    if called:
        value["subFrames"] = [tree(inner) for inner in called]
    value["binaryName"] = image[1]
    value["address"] = image[2] + offset
    return value


def diagnostic(root, meta, per_thread=True, attributed=True):
    call_stack = {"threadAttributed": True} if attributed else {}
    call_stack["callStackRootFrames"] = [root]
    call_stacks = [call_stack]
    if per_thread:
        call_stacks.append({"threadAttributed": False, "callStackRootFrames": []})
    return {
        "version": "1.0.0",
        "callStackTree": {"callStacks": call_stacks, "callStackPerThread": per_thread},
        "diagnosticMetaData": {**META, **meta},
    }


CRASH = {
    "exceptionType": 6, "exceptionCode": 1, "signal": 5,
    "terminationReason": "Namespace SIGNAL, Code 0x5",
}
payload = {
    "timeStampBegin": "2024-03-05 10:59:30", "timeStampEnd": "2024-03-05 10:59:30",
    "crashDiagnostics": [diagnostic(stack(frame), CRASH)],
    "hangDiagnostics": [{**diagnostic(tree(TREE), {"hangDuration": "9 sec"}),
                         "hangType": "Main Runloop Hang"}],
    "cpuExceptionDiagnostics": [
        diagnostic(tree(TREE), {"totalCPUTime": "20 secs.", "totalSampledTime": "31 secs."},
                   per_thread=False, attributed=False)],
    "diskWriteExceptionDiagnostics": [
        diagnostic(tree(TREE), {"writesCaused": "2,000 byte"}, per_thread=False,
                   attributed=False)],
    "appLaunchDiagnostics": [diagnostic(tree(TREE), {"launchDuration": "20000 ms"})],
}
write("payload.json", pretty(payload))

old_meta = {
    "exceptionType": 1, "exceptionCode": 1, "signal": 11, "osVersion": "iPhone OS 14.0.1 (18A393)",
    "platformArchitecture": "arm64", "terminationReason": "Namespace SIGNAL, Code 0xb",
    "virtualMemoryRegionInfo":
        "0x10 is not in any region.  Bytes before following region: 4303978480\n"
        "      REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL\n"
        "      UNUSED SPACE AT START\n--->  \n"
        "      __TEXT                   100898000-1008e4000 [  304K] r-x/r-x SM=COW  ...Shuffle",
}
old = diagnostic(stack(old_frame), old_meta)
for key in ("pid", "isTestFlightApp", "lowPowerModeEnabled", "bundleIdentifier"):
    del old["diagnosticMetaData"][key]
write("payload-ios14.json", pretty({
    "timeStampEnd": "2020-10-11 03:59:00 +0000", "timeStampBegin": "2020-10-10 04:00:00 +0000",
    "crashDiagnostics": [old],
}))

# One payload on a line, and an array of two.
line = compact({**payload, "hangDiagnostics": []})
write("payloads.ndjson", line + "\n" + line + "\n")
write("payloads-array.json", compact([payload, {"crashDiagnostics": [diagnostic(stack(frame), {})]}]))

write("tree.json", pretty(diagnostic(stack(frame), {})["callStackTree"]))


# iOS 27: no public sample. Written as Swift's encoder writes the documented types.
def codable_frame(image, offset, inner):
    return {
        "binaryUUID": image[0], "offsetIntoBinaryTextSegment": offset,
        "address": image[2] + offset, "sampleCount": 1, "subFrames": [inner] if inner else [],
    }


def codable(result, info, extra, event):
    binaries = [(image[0], {"name": image[1], "uuid": image[0]})
                for image in (APP, DISPATCH, UIKIT, DYLD)]
    return {
        "environment": {
            "applicationVersion": "1.3", "applicationBuildVersion": "6",
            "bundleIdentifier": "com.taubler.lettershuffle", "deviceType": "iPhone18,1",
            "isTestFlightApp": False, "lowPowerModeEnabled": False,
            "osVersion": {"name": "iPhone OS", "version": "27.0", "build": "24A300"},
            "platformArchitecture": "arm64e", "pid": 1683, "regionFormat": "GB",
            "signpostData": [], "states": [],
        },
        "result": {event: {"_0": {
            "callStackTree": {
                "binaryInfo": dict(binaries) if info == "object"
                else [part for pair in binaries for part in pair],
                "callStackPerThread": True,
                "callStackThreads": [{"rootFrames": [result], "threadAttributed": True}],
                "unknownKey": {"kept": [1, 2]},
            },
            **extra,
        }}},
        "timeRange": {"start": 794000000.5, "duration": 0},
    }


def codable_tree(node):
    image, offset, samples, called = node
    return {
        "binaryUUID": image[0], "offsetIntoBinaryTextSegment": offset - (1 if called else 0),
        "address": image[2] + offset, "sampleCount": samples,
        "subFrames": [codable_tree(inner) for inner in called],
    }


write("codable.json", compact([
    codable(stack(codable_frame), "array",
            {"exceptionType": 6, "exceptionCode": 1, "signal": 5,
             "terminationReason": {"namespace": "SIGNAL", "code": 5}}, "crash"),
    codable(codable_tree(TREE), "object",
            {"hangDuration": {"value": 9.5, "unit": {
                "symbol": "s", "converter": {"coefficient": 1, "constant": 0}}}}, "hang"),
    codable(codable_tree(TREE), "array", {}, "memoryException"),
]))


# App Store Connect: numbers are strings, the tree is an array of trees.
def store_tree(node):
    image, offset, samples, called = node
    value = {
        "sampleCount": samples, "isBlameFrame": image is APP and not called,
        "binaryName": image[1], "binaryUUID": image[0], "address": str(image[2] + offset),
        "offsetIntoBinaryTextSegment": str(offset - (1 if called else 0)),
        "rawFrame": f"{samples} ??? ({image[1]} + {offset})",
    }
    if image is UIKIT:
        value["symbolName"] = "-[UIViewController loadViewIfRequired]"
        value["offsetIntoSymbol"] = "936"
    value["subFrames"] = [store_tree(inner) for inner in called]
    return value


write("store-logs.json", pretty({
    "version": "1.0",
    "productData": [{
        "signatureId": "a1", "diagnosticInsights": [],
        "diagnosticLogs": [{
            "callStackTree": [
                {"callStackPerThread": False,
                 "callStacks": [{"callStackRootFrames": [store_tree(TREE)]}]},
            ],
            "diagnosticMetaData": {
                "bundleId": "com.taubler.lettershuffle", "event": "hang",
                "appVersion": "1.3", "buildVersion": "6", "osVersion": "iOS 17.4 (21E219)",
                "deviceType": "iPhone14,7", "platformArchitecture": "arm64",
                "eventDetail": "", "writesCaused": "",
            },
        }],
    }],
}))


# OpenTelemetry: a tree as JSON in a string, and the flat list of opentelemetry-swift 2.3 and later.
def attributes(values):
    kinds = {str: "stringValue", int: "intValue", float: "doubleValue"}
    return [{"key": key, "value": {kinds[type(value)]: str(value) if type(value) is int else value}}
            for key, value in values.items()]


flat = {"callStackPerThread": True, "callStacks": [{"threadAttributed": True, "callStackFrames": [
    {"binaryName": image[1], "binaryUUID": image[0], "offsetAddress": offset}
    for image, offset in STACK]}]}
write("telemetry.json", json.dumps({"resourceLogs": [{
    "resource": {"attributes": attributes({"service.name": "Letter Shuffle"})},
    "scopeLogs": [{"scope": {"name": "MetricKit"}, "logRecords": [
        {"timeUnixNano": "1", "attributes": attributes({
            "name": "metrickit.diagnostic.crash",
            "metrickit.diagnostic.crash.exception.mach_exception.type": 6,
            "metrickit.diagnostic.crash.exception.code": 1,
            "metrickit.diagnostic.crash.exception.signal": 5,
            "metrickit.diagnostic.crash.exception.termination_reason":
                "Namespace SIGNAL, Code 0x5",
            "metrickit.diagnostic.crash.exception.stacktrace_json":
                json.dumps(diagnostic(stack(frame), {})["callStackTree"], indent=2),
        })},
        {"timeUnixNano": "2", "attributes": attributes({
            "name": "metrickit.diagnostic.hang",
            "metrickit.diagnostic.hang.hang_duration": 56.5,
            "exception.stacktrace": compact(flat),
        })},
    ]}],
}]}, separators=(",", ":")) + "\n")
