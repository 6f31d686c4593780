import TestSupport
import Testing

/// The small form of `make growth`: twice the input gives at most twice the output, in bytes. Where
/// the work was once the square of the input, so was the output.
struct GrowthTests {
  private static let steepest = 2.2

  private func bytes(
    _ input: String, _ arguments: [String], symbols: (TemporaryDirectory) throws -> Void = { _ in }
  ) async throws -> Double {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("symbols")
    try symbols(directory)
    let path = try directory.write(Array(input.utf8), to: "report.ips")
    let result = try await Program.symbolicate(
      [path, "-d", directory.path("symbols"), "--no-search-index"] + arguments)
    expectEqual(result.status, 0)
    return Double(result.standardOutput.count + result.standardError.utf8.count)
  }

  private func report(threads: Int = 1, images: Int = 1, name: (Int) -> String) -> String {
    let frames = (0..<images).map { #"{"imageOffset":16,"imageIndex":\#($0)}"# }
    let list = (0..<images).map { index in
      let base = 0x1_0000_0000 + index * 65536
      let identity = String(0x1000_0000 + index, radix: 16)
      return
        #"{"source":"P","arch":"arm64","base":\#(base),"size":65536,"uuid":"\#(identity)-0000-4000-8000-000000000000","path":"\#(name(index))","name":"\#(name(index).split(separator: "/").last ?? "")"}"#
    }
    let thread = #"{"id":1,"frames":[\#(frames.joined(separator: ","))]}"#
    let all = Array(repeating: thread, count: threads).joined(separator: ",\n")
    return #"{"bug_type":"309","incident_id":"I"}"# + "\n"
      + #"{"procName":"App","cpuType":"ARM-64","threads":[\#(all)],"usedImages":[\#(list.joined(separator: ","))]}"#
      + "\n"
  }

  @Test(arguments: [[], ["--format", "json"], ["--format", "crash"], ["--summary"]])
  func threads(options: [String]) async throws {
    let once = try await bytes(report(threads: 200) { _ in "/var/App" }, options)
    let twice = try await bytes(report(threads: 400) { _ in "/var/App" }, options)
    #expect(twice <= Self.steepest * once)
  }

  @Test(arguments: [[], ["--format", "json"]])
  func unlistedSystemLibraries(options: [String]) async throws {
    let once = try await bytes(report(images: 200) { "/usr/lib/lib\($0)" }, options)
    let twice = try await bytes(report(images: 400) { "/usr/lib/lib\($0)" }, options)
    #expect(twice <= Self.steepest * once)
  }

  /// As many images of one name as files of that name, all of other builds.
  @Test func filesAndImagesOfOneName() async throws {
    func files(_ count: Int) -> (TemporaryDirectory) throws -> Void {
      { directory in
        let bytes = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
        let command: [UInt8] = [0x1b, 0, 0, 0, 24, 0, 0, 0]
        let place = try require(
          (0..<4096).first { Array(bytes[$0..<($0 + 8)]) == command })
        let head = Array(bytes.prefix(place + 8))
        for index in 0..<count {
          var copy = head + Array(repeating: UInt8(1), count: 14)
          copy += [UInt8(index >> 8), UInt8(index & 255)] + bytes[(place + 24)...]
          try directory.makeDirectory("symbols/\(index)")
          try directory.write(copy, to: "symbols/\(index)/Kit")
        }
      }
    }
    func measured(_ count: Int) async throws -> Double {
      try await bytes(
        report(images: count) { _ in "/var/Kit" }, ["--format", "json"], symbols: files(count))
    }
    #expect(try await measured(300) <= Self.steepest * (try await measured(150)))
  }
}
