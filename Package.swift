// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors in CI, not for someone who builds with a newer compiler.
let warningsAsErrors: [SwiftSetting] =
  Context.environment["SYMBOLICATE_WARNINGS_AS_ERRORS"] == nil
  ? [] : [.treatAllWarnings(as: .error)]

/// Whether `make fuzz` builds: with libFuzzer's counters in every target, and its driver.
let isForFuzzing = Context.environment["SYMBOLICATE_FUZZ"] != nil

/// The commit and its date for `--version`, which `make build` states.
let buildStamp: [CSetting] =
  Context.environment["SYMBOLICATE_BUILD_STAMP"].map {
    [.define("SYMBOLICATE_BUILD_STAMP", to: "\"\($0)\"")]
  } ?? []

/// What makes the program static, if `make build` names the folder of static C libraries. Only the
/// linking differs, so both programs are built in one folder, and each module once.
///
/// libarchive uses nettle, bz2 and lz4.
let staticLinking: [LinkerSetting] =
  Context.environment["SYMBOLICATE_STATIC_LIBRARIES"].map { folder in
    [
      .unsafeFlags(["-static-executable", "-L\(folder)"]), .linkedLibrary("nettle"),
      .linkedLibrary("bz2"), .linkedLibrary("lz4"),
    ]
  } ?? []

// Every target is built the same way: Swift 6 language mode, unsafe constructs marked, imports
// internal unless a public signature needs them, and members visible only in files that import
// their module. `Scripts/check_modules.py` compares the imports with the dependencies below.
let swiftSettings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + warningsAsErrors + (isForFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

/// How `make build` makes calls into other modules as cheap as those into their own. Swift 6.3
/// inlines nothing that is `package` into another module, with `@inlinable` or without, unless its
/// module is compiled with the second flag and without the first. The small functions that run for
/// every byte, field and frame are in a few modules. The large ones would take several times as
/// long to compile.
let isInlining = Context.environment["SYMBOLICATE_INLINING"] != nil
let sharing: [SwiftSetting] = isInlining ? [.unsafeFlags(["-cross-module-optimization"])] : []
let inlining: [SwiftSetting] = isInlining ? [.unsafeFlags(["-enable-cmo-everything"])] : []

/// Files, file descriptors and errno as typed values, instead of C calls of our own.
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = sharing
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings + settings)
}

/// - Parameter exclude: files and folders of the test target that are not Swift.
func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: swiftSettings)
}

/// The modules that `CrashLogParser` exports.
let reportModules = [
  "JsonReading", "ReportModel", "ReportFormats", "KernelReports", "SampledReports",
  "SwiftBacktraces", "RuntimeReports", "LogStatements", "SdkReports",
]

let package = Package(
  name: "symbolicate",
  products: [
    .executable(name: "symbolicate", targets: ["symbolicate"]),
    // Downloads for `symbolicate`, which starts it.
    .executable(name: "symbolicate-fetch", targets: ["symbolicate-fetch"]),
    // The front door: a report's bytes in, frames and rendered bytes out.
    .library(
      name: "Symbolication",
      targets: ["Symbolication", "CrashLogParser", "SymbolicationModel"] + reportModules),
    // The two libraries underneath, each with the values in its interface.
    .library(
      name: "CrashLogParser", targets: ["CrashLogParser", "SymbolicationModel"] + reportModules),
    .library(name: "AddressResolver", targets: ["AddressResolver", "SymbolicationModel"]),
  ],
  dependencies: [
    // Arguments, help, completions and man page of `symbolicate` (`atos` has Apple's own grammar).
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // File descriptors, paths and errno as typed values.
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // The tests run the built program and the tools it is compared with.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // The system
    .systemLibrary(name: "CPlatform"),
    library("Platform", ["CPlatform"]),

    // Values
    library("SymbolicationModel", ["Platform"], settings: inlining),

    // The file system
    library("FileSystem", ["Platform", systemPackage]),

    // Bytes
    library("BinaryInput", ["Platform", "FileSystem", systemPackage], settings: inlining),
    library("PropertyLists", ["SymbolicationModel", "BinaryInput"]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
    // MiniDebugInfo of ELF files is an xz file.
    .systemLibrary(name: "CLzma", providers: [.apt(["liblzma-dev"])]),
    .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"])]),
    library(
      "Decompression", ["Platform", "SymbolicationModel", "CZlib", "CZstd", "CLzma", "CBzip2"]),

    // Archives of symbol files. libarchive reads every kind of zip and tar that Apple's tools and
    // CI systems write, is in every distribution, and reads members in place from memory.
    .systemLibrary(name: "CLibArchive", providers: [.apt(["libarchive-dev"])]),
    library(
      "Archives",
      [
        "Platform", "SymbolicationModel", "FileSystem", "BinaryInput", "Decompression",
        "CLibArchive", systemPackage,
      ]),

    // Symbol files
    library("CoreSymbolication", ["SymbolicationModel", "BinaryInput"]),
    .systemLibrary(name: "CLibElf", providers: [.apt(["libelf-dev"])]),
    .systemLibrary(name: "CLibDwarf", providers: [.apt(["libdwarf-dev"])]),
    library(
      "ObjectFiles",
      [
        "SymbolicationModel", "FileSystem", "BinaryInput", "Decompression", "CoreSymbolication",
        "LearntNames", "CLibElf", systemPackage,
      ]),
    // The names of system functions that reports had.
    library("LearntNames", ["SymbolicationModel", "BinaryInput", "SymbolIndex"]),
    library("DwarfReader", ["SymbolicationModel", "BinaryInput"]),
    library("LibDwarfReader", ["SymbolicationModel", "BinaryInput", "DwarfReader", "CLibDwarf"]),
    library(
      "SymbolIndex",
      ["Platform", "SymbolicationModel", "FileSystem", "BinaryInput", systemPackage]),
    library("BreakpadSymbols", ["SymbolicationModel", "BinaryInput"]),
    .systemLibrary(name: "CDemangle"),
    library("Demangling", ["Platform", "SymbolicationModel", "CDemangle"]),
    // The conversation between `symbolicate` and `symbolicate-fetch`.
    library("FetchProtocol"),
    library(
      "SymbolStore",
      [
        "Platform", "SymbolicationModel", "FileSystem", "BinaryInput", "Decompression", "Archives",
        "ObjectFiles", "PropertyLists", "SymbolIndex", "LearntNames", "FetchProtocol",
        systemPackage,
      ]),
    library(
      "AddressResolver",
      [
        "SymbolicationModel", "ObjectFiles", "DwarfReader", "LibDwarfReader", "SymbolIndex",
        "BreakpadSymbols", "CoreSymbolication", "LearntNames", "Demangling", "SymbolStore",
      ]),

    // Reports
    library("JsonReading", ["SymbolicationModel"], settings: inlining),
    library("ReportModel", ["SymbolicationModel", "JsonReading"], settings: inlining),
    // Formats: those of Apple's crash reports, with what all formats share, and above them the
    // others.
    library("ReportFormats", ["SymbolicationModel", "JsonReading", "ReportModel"]),
    library(
      "KernelReports", ["SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats"]),
    library(
      "SampledReports", ["SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats"]),
    library(
      "SwiftBacktraces", ["SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats"]),
    library(
      "RuntimeReports", ["SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats"]),
    library(
      "LogStatements", ["SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats"]),
    library("SdkReports", ["SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats"]),
    // What an input may have around its reports: quotes, pages, prefixes of lines.
    library(
      "ReportWrappings",
      [
        "SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats", "SampledReports",
        "SwiftBacktraces", "RuntimeReports", "LogStatements", "SdkReports",
      ]),
    // The front door of the parser.
    library(
      "CrashLogParser",
      [
        "SymbolicationModel", "JsonReading", "ReportModel", "ReportFormats", "KernelReports",
        "SampledReports", "SwiftBacktraces", "RuntimeReports", "LogStatements", "SdkReports",
        "ReportWrappings",
      ]),
    // What the program says: styled lines, JSON, and sentences about the problems of the layers
    // below. It knows no report.
    library(
      "Wording",
      [
        "Platform", "SymbolicationModel", "FileSystem", "FetchProtocol", "SymbolStore",
        systemPackage,
      ], settings: inlining),
    // What the name of a function says: whose it is, and what is left of it in a signature.
    library("FunctionNames", ["SymbolicationModel", "Demangling", "Wording"]),
    // A report joined with its symbol files.
    library(
      "ReportSymbolication",
      [
        "Platform", "SymbolicationModel", "FileSystem", "Decompression", "Demangling",
        "SymbolStore", "AddressResolver", "CrashLogParser", "Wording", "FunctionNames",
        systemPackage,
      ]),
    // Whose code each frame is, and which frame is the place of the crash.
    library(
      "CodeOwnership",
      [
        "SymbolicationModel", "SymbolStore", "CrashLogParser", "Wording", "FunctionNames",
        "ReportSymbolication",
      ]),
    // Why it crashed, and the signature of the crash.
    library(
      "CrashReading",
      [
        "SymbolicationModel", "Demangling", "CrashLogParser", "Wording", "FunctionNames",
        "ReportSymbolication", "CodeOwnership",
      ]),
    // Answers put back into the bytes of each format, and Apple's text made from others.
    library(
      "ReportCompletion",
      [
        "SymbolicationModel", "FileSystem", "Demangling", "CrashLogParser", "Wording",
        "ReportSymbolication",
      ]),
    // JSON, the summary, the page and painted text.
    library(
      "ReportRendering",
      [
        "SymbolicationModel", "FileSystem", "SymbolStore", "AddressResolver", "CrashLogParser",
        "Wording", "FunctionNames", "ReportSymbolication", "CodeOwnership", "CrashReading",
        "ReportCompletion", systemPackage,
      ]),
    // Inputs through all steps, and what may be written where.
    library(
      "ReportRuns",
      [
        "SymbolicationModel", "FileSystem", "SymbolStore", "CrashLogParser", "Wording",
        "ReportSymbolication", "ReportRendering", systemPackage,
      ]),
    // Many reports counted by their signatures.
    library(
      "ReportGrouping",
      [
        "SymbolicationModel", "CrashLogParser", "Wording", "ReportSymbolication",
        "CodeOwnership", "CrashReading", "ReportRendering", "ReportRuns",
      ]),
    // Records of JSON on pipes.
    library(
      "SymbolicationWorker",
      [
        "Platform", "SymbolicationModel", "FileSystem", "SymbolStore", "AddressResolver",
        "CrashLogParser", "Wording", "ReportSymbolication", "CrashReading", "ReportCompletion",
        "ReportRendering", "ReportRuns", systemPackage,
      ]),
    // Commands about symbol files: `atos`, `uuid`, `index`, `doctor`, `check`, `dsym-for-uuid`.
    library(
      "SymbolTools",
      [
        "SymbolicationModel", "FileSystem", "PropertyLists", "LearntNames", "SymbolStore",
        "AddressResolver", "CrashLogParser", "Wording", "ReportSymbolication", systemPackage,
      ]),

    // The front door of the library
    library(
      "Symbolication",
      ["SymbolicationModel", "CrashLogParser", "Wording", "ReportSymbolication", "ReportRuns"]),

    // The tool
    // In C, so that a new commit compiles little anew.
    .target(name: "CBuildStamp", cSettings: buildStamp),
    .executableTarget(
      name: "symbolicate",
      dependencies: [
        "Platform", "SymbolicationModel", "FileSystem", "Wording", "ReportSymbolication",
        "CrashReading", "ReportRendering", "ReportRuns", "ReportGrouping", "SymbolicationWorker",
        "SymbolTools", "CBuildStamp", systemPackage,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings, linkerSettings: staticLinking),

    // HTTP and HTTPS: every distribution has libcurl. Only its header is needed to build.
    .systemLibrary(name: "CLibCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .executableTarget(
      name: "symbolicate-fetch",
      dependencies: ["Platform", "FetchProtocol", "FileSystem", "CLibCurl", systemPackage],
      swiftSettings: swiftSettings),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "Platform", systemPackage, .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Tests/TestSupport", swiftSettings: swiftSettings),
    tests("TestSupportTests"),
    tests("SymbolicationModelTests", ["Platform", "SymbolicationModel"]),
    tests("FileSystemTests", ["Platform", "FileSystem", systemPackage]),
    tests("BinaryInputTests", ["Platform", "BinaryInput", systemPackage]),
    tests("PropertyListsTests", ["PropertyLists", "BinaryInput", systemPackage]),
    tests("ArchivesTests", ["Archives", "FileSystem", "BinaryInput", "SymbolicationModel"]),
    tests("DecompressionTests", ["Decompression", "BinaryInput", "SymbolicationModel"]),
    tests("ObjectFilesTests", ["ObjectFiles", "BinaryInput", "SymbolicationModel"]),
    tests("DwarfReaderTests", ["DwarfReader", "BinaryInput", "SymbolicationModel"]),
    tests(
      "LibDwarfReaderTests", ["LibDwarfReader", "DwarfReader", "BinaryInput", "SymbolicationModel"]),
    // What every DWARF reader must answer.
    tests(
      "DwarfReadingTests", ["DwarfReader", "LibDwarfReader", "BinaryInput", "SymbolicationModel"]),
    tests("SymbolIndexTests", ["SymbolIndex", "BinaryInput", "SymbolicationModel"]),
    tests("BreakpadSymbolsTests", ["BreakpadSymbols", "BinaryInput", "SymbolicationModel"]),
    tests("DemanglingTests", ["Platform", "Demangling", "SymbolicationModel"]),
    tests("FetchProtocolTests", ["FetchProtocol"]),
    tests(
      "SymbolStoreTests",
      [
        "Platform", "SymbolStore", "Archives", "ObjectFiles", "FileSystem", "BinaryInput",
        "FetchProtocol", "SymbolicationModel", "symbolicate-fetch",
      ]),
    tests(
      "AddressResolverTests",
      [
        "Platform", "AddressResolver", "SymbolStore", "ObjectFiles", "SymbolIndex", "FileSystem",
        "SymbolicationModel",
      ]),
    tests("JsonReadingTests", ["JsonReading"]),
    tests(
      "CrashLogParserTests",
      [
        "CrashLogParser", "JsonReading", "ReportModel", "ReportFormats", "RuntimeReports",
        "SdkReports", "ReportWrappings", "SymbolicationModel",
      ]),
    tests(
      "WordingTests",
      ["Wording", "SymbolStore", "FetchProtocol", "SymbolicationModel"]),
    // Reports that tests put together, and what became of them.
    .target(
      name: "ReportTestSupport",
      dependencies: [
        "ReportRuns", "ReportRendering", "ReportSymbolication", "CrashLogParser",
        "SymbolicationModel", "TestSupport",
      ],
      path: "Tests/ReportTestSupport", swiftSettings: swiftSettings),
    tests(
      "ReportSymbolicationTests",
      [
        "ReportSymbolication", "ReportRuns", "ReportRendering", "SymbolTools",
        "ReportTestSupport", "CrashLogParser", "SymbolStore", "AddressResolver", "FileSystem",
        "Decompression", "Wording", "Platform",
        "SymbolicationModel", systemPackage,
      ]),
    tests(
      "CrashReadingTests",
      [
        "CrashReading", "CodeOwnership", "FunctionNames", "ReportSymbolication", "ReportRuns",
        "ReportRendering",
        "ReportTestSupport", "CrashLogParser", "SymbolicationModel",
      ]),
    tests(
      "ReportCompletionTests",
      [
        "ReportCompletion", "ReportSymbolication", "ReportRuns", "ReportRendering",
        "ReportTestSupport", "CrashLogParser", "SymbolicationModel", "Wording",
      ]),
    tests(
      "ReportRenderingTests",
      [
        "ReportRendering", "ReportSymbolication", "ReportRuns", "ReportTestSupport",
        "SymbolTools", "CrashLogParser", "Wording", "SymbolicationModel",
      ]),
    tests(
      "ReportRunsTests",
      [
        "ReportRuns", "ReportGrouping", "SymbolicationWorker", "ReportRendering", "CrashReading",
        "ReportSymbolication", "CrashLogParser", "Wording", "Platform", "SymbolicationModel",
        systemPackage,
      ]),
    tests(
      "SymbolToolsTests",
      [
        "SymbolTools", "ReportTestSupport", "ReportSymbolication", "AddressResolver",
        "LearntNames", "BinaryInput", "Wording", "SymbolicationModel",
      ]),
    // The library's front door, and the examples of docs/library.md.
    tests(
      "SymbolicationTests",
      ["Symbolication", "CrashLogParser", "AddressResolver", "SymbolicationModel"]),
    // What fuzzing does with an input; its kept failures are tests like any other.
    .target(
      name: "FuzzExercises",
      dependencies: [
        "CrashLogParser", "Archives", "ObjectFiles", "DwarfReader", "LibDwarfReader", "SymbolIndex",
        "BreakpadSymbols", "CoreSymbolication", "LearntNames", "Demangling", "PropertyLists",
        "BinaryInput", "SymbolicationModel", "FetchProtocol", "SymbolStore", "Wording",
        "ReportSymbolication", "ReportRendering", "ReportRuns", "ReportGrouping",
        "SymbolicationWorker", "SymbolTools", "FileSystem", "Platform", systemPackage,
      ],
      path: "Tests/Fuzz/Exercises", swiftSettings: swiftSettings),
    tests("KeptFailureTests", ["FuzzExercises"]),
    tests(
      "EndToEndTests",
      [
        "Platform", "symbolicate", "symbolicate-fetch",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ], exclude: ["Expected"]),
    tests("DifferentialTests", ["AddressResolver", "SymbolicationModel", "symbolicate"]),
  ]
)

if isForFuzzing {
  package.targets.append(
    .executableTarget(
      name: "symbolicate-fuzz", dependencies: ["FuzzExercises", "Platform", systemPackage],
      path: "Tests/Fuzz/Driver",
      // The program has a `main` of its own, which calls libFuzzer.
      swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}

if Context.environment["SYMBOLICATE_BENCHMARKS"] != nil {
  // Without its trait for jemalloc, which would have to be installed.
  package.dependencies.append(
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
  package.targets.append(
    .executableTarget(
      name: "SymbolicateBenchmarks",
      dependencies: [
        "CrashLogParser", "ObjectFiles", "DwarfReader", "SymbolIndex", "AddressResolver",
        "BinaryInput", "SymbolicationModel", "Platform", systemPackage,
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Tests/Benchmarks/SymbolicateBenchmarks", swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]))
}
