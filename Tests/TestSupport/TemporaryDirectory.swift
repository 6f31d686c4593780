import Foundation

/// A folder of its own for a test, removed when the test lets go of it.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("symbolicate-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// - Returns: the file's path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Writes a shell script that can be started.
  ///
  /// - Returns: its path.
  public func makeScript(_ name: String, _ text: String) async throws -> String {
    try await makeProgram(name, from: write(Array("#!/bin/sh\n\(text)\n".utf8), to: name + ".text"))
  }

  /// Copies a file to one that can be started.
  ///
  /// A child process writes it. A file that this process has open for writing is also open in each
  /// process that another test forks at that moment, until it starts its own program. Linux does
  /// not start a program that any process has open for writing ("Text file busy").
  ///
  /// - Returns: its path.
  public func makeProgram(_ name: String, from source: String) async throws -> String {
    let copying = try await Program.run(
      "/usr/bin/install", ["-m", "755", source, path(name)])
    guard copying.status == 0 else { throw ProgramFailure(message: copying.standardError) }
    return path(name)
  }

  /// A program cannot be made.
  public struct ProgramFailure: Error {
    public let message: String
  }

  /// Makes the folder, and those it lies in.
  @discardableResult
  public func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  public func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  public func copy(_ source: String, to name: String) throws {
    try FileManager.default.copyItem(atPath: source, toPath: path(name))
  }

  public func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  /// The names of the files in the folder, sorted.
  public func fileNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// The files below a folder, by their paths in it, with their content. Links that lead nowhere
  /// are left out.
  public func files(below folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in FileManager.default.subpaths(atPath: path(folder)) ?? [] {
      // Reading a folder fails.
      files[name] = try? bytes(of: "\(folder)/\(name)")
    }
    return files
  }

  public func bytes(of name: String) throws -> [UInt8] { try Fixtures.bytes(of: path(name)) }
}
