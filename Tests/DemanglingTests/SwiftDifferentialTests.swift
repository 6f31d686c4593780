import Demangling
import Foundation
import SymbolicationModel
import TestSupport
import Testing

/// Compares with swift-demangle on the Swift names of the toolchain's libraries: a sample, or all
/// with `SYMBOLICATE_REFEREE=whole`. `swift-demangle` and `llvm-nm` must be installed.
///
/// Both use Swift's demangler, so this checks what is in front of it: no name is refused.
struct SwiftDifferentialTests {
  private static let demangler = Program.path(of: "swift-demangle")
  private static let symbolLister = ["19", "20", "21", "22"].lazy
    .compactMap { Program.path(of: "llvm-nm-\($0)") }.first

  @Test(
    .enabled(
      if: demangler != nil && symbolLister != nil, "swift-demangle or llvm-nm-19 is not installed"),
    arguments: [DemanglingStyle.full, .simplified])
  func showsTheNamesOfLibrariesAsSwift(style: DemanglingStyle) async throws {
    let tool = try require(Self.demangler)
    let names = try await Self.names(beside: tool)
    try require(names.count > 1_000)
    let directory = try TemporaryDirectory()
    let file = try directory.write((names.joined(separator: "\n") + "\n").utf8, to: "names")
    let options = style == .full ? ["--compact"] : ["--compact", "--simplified"]
    let expected = try await Program.run(tool, options, inputPath: file)
      .outputText.split(separator: "\n", omittingEmptySubsequences: false)
    try require(expected.count > names.count)
    var demangler = SymbolDemangler(style: style)
    var differences: [String] = []
    for (name, shownName) in zip(names, expected)
    where demangler.shownName(of: name, isMachOSymbol: false) != shownName
      // These types are written without anything between them, so their ends are not known.
      && !(style == .full && shownName.contains("Argument Types : ["))
    {
      differences.append(name)
    }
    expectEmpty(differences, "\(differences.count) of \(names.count)")
  }

  private static func names(beside demangler: String) async throws -> [String] {
    let lister = try require(symbolLister)
    let tool = URL(fileURLWithPath: demangler).resolvingSymlinksInPath()
    let folder = tool.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/linux").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var names: Set<String> = []
    for file in files where file.hasSuffix(".so") {
      let list = try await Program.run(
        lister, ["--dynamic", "--just-symbol-name", "\(folder)/\(file)"])
      for line in list.outputText.split(separator: "\n") where line.hasPrefix("$s") {
        names.insert(String(line.prefix { $0 != "@" }))
      }
    }
    let sorted = names.sorted()
    guard ProcessInfo.processInfo.environment["SYMBOLICATE_REFEREE"] != "whole" else {
      return sorted
    }
    return stride(from: 0, to: sorted.count, by: 1 + sorted.count / 10_000).map { sorted[$0] }
  }
}
