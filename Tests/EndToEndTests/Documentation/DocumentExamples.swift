import Foundation
import TestSupport

/// A directory with the files that the documents' examples name, to run these examples in.
///
/// `crash.crash` is the example report and `crash.ips` the same crash as JSON; `App.dSYM` is their
/// symbol file; `reports` holds two reports, and `dSYMs` and `dSYMs.zip` the symbol file;
/// `App.xcarchive` is a complete release.
struct DocumentExamples {
  private let directory: TemporaryDirectory
  private let cache: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    cache = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: "crash.crash")
    try directory.write(Self.ips.utf8, to: "crash.ips")
    try directory.copy(Fixtures.storyBundle, to: "App.dSYM")
    try directory.makeDirectory("reports")
    try directory.copy(Fixtures.storyReport, to: "reports/first.crash")
    try directory.copy(Fixtures.storyWebCopy, to: "reports/second.crash")
    try directory.makeDirectory("dSYMs")
    try directory.copy(Fixtures.storyBundle, to: "dSYMs/App.dSYM")
    let release = try ReleaseArchive()
    try directory.copy(release.path, to: "App.xcarchive")
    try directory.makeDirectory(".bin")
    for name in ["symbolicate", "atos"] {
      try directory.link(".bin/\(name)", to: Program.builtProgramPath)
    }
  }

  /// Runs commands in the directory, with the built program as `symbolicate` and `atos`. Standard
  /// error goes where standard output goes. The first command that fails ends it.
  func run(_ commands: String) async throws -> ProgramResult {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try await Program.run(
      "/usr/bin/env",
      [
        "PATH=\(directory.path(".bin")):\(path)", "XDG_CACHE_HOME=\(cache.path)",
        "HOME=\(cache.path)", "bash", "-euo", "pipefail", "-c",
        "exec 2>&1\nzip -qr dSYMs.zip dSYMs\n\(commands)",
      ],
      workingDirectory: directory.path)
  }

  /// Three frames of the example report, as iOS 15 would have written them.
  static let ips = """
    {"app_name":"Letter Shuffle","bug_type":"309","os_version":"iPhone OS 15.0 (19A346)"}
    {
      "procName" : "Letter Shuffle",
      "pid" : 57833,
      "cpuType" : "ARM-64",
      "exception" : {"codes":"0x1, 0x10024f19c","type":"EXC_BREAKPOINT","signal":"SIGTRAP"},
      "faultingThread" : 0,
      "threads" : [{"triggered":true,"frames":[{"imageOffset":160156,"imageIndex":0},\
    {"imageOffset":128224,"imageIndex":0},{"imageOffset":119796,"imageIndex":0}]}],
      "usedImages" : [
        {"source":"P","arch":"arm64","base":4297228288,"size":278528,\
    "uuid":"a4b1de49-70b3-301d-a644-58d6bc22f513","name":"Letter Shuffle",\
    "path":"/var/containers/Letter Shuffle.app/Letter Shuffle"}
      ]
    }

    """
}
