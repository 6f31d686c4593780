import Foundation
import TestSupport
import Testing

/// The golden files of a test target: what a command printed when someone last read it and found it
/// right.
enum ExpectedOutput {
  /// Whether to write what comes out instead of comparing it: `UPDATE_EXPECTED=1 swift test`.
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_EXPECTED"] != nil

  /// Compares `output` with the file `name` in the folder `Expected` of EndToEndTests.
  ///
  /// With `UPDATE_EXPECTED=1` the file is written, and the test fails if that changes it: nobody
  /// has read the new content yet.
  static func expect(
    _ output: [UInt8], equals name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(output, at: path(name), sourceLocation: sourceLocation)
  }

  /// The same with any file.
  static func expect(
    _ output: [UInt8], at path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    guard output != expected else { return }
    if isUpdating {
      try Data(output).write(to: URL(fileURLWithPath: path))
      Issue.record(
        "wrote \(path); read the diff, then run the tests without UPDATE_EXPECTED",
        sourceLocation: sourceLocation)
    } else {
      Issue.record(
        """
        the output is not \(path). If the change is meant, run the tests with UPDATE_EXPECTED=1 and \
        read the diff. The output was:
        \(String(decoding: output, as: UTF8.self))
        """, sourceLocation: sourceLocation)
    }
  }

  /// The content of the file `name`.
  static func bytes(of name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: path(name))
  }

  private static func path(_ name: String) -> String {
    "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/\(name)"
  }
}
