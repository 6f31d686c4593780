import Demangling
import Foundation
import SymbolicationModel
import TestSupport
import Testing

/// Compares with llvm-cxxfilt on the C++ names of this machine's libraries: a sample, or all with
/// `SYMBOLICATE_REFEREE=whole`. `llvm-cxxfilt-19` or later and `llvm-nm` must be installed.
struct ItaniumDifferentialTests {
  private struct Tools {
    let demangler: String
    let symbolLister: String

    static let installed: Tools? = {
      for version in ["19", "20", "21", "22"] {
        if let demangler = Program.path(of: "llvm-cxxfilt-\(version)"),
          let lister = Program.path(of: "llvm-nm-\(version)")
        {
          return Tools(demangler: demangler, symbolLister: lister)
        }
      }
      return nil
    }()
  }

  @Test(.enabled(if: Tools.installed != nil, "llvm-cxxfilt-19 or llvm-nm-19 is not installed"))
  func showsTheNamesOfLibrariesAsLlvm() async throws {
    let tools = try require(Tools.installed)
    let names = try await Self.names(tools.symbolLister)
    let directory = try TemporaryDirectory()
    let file = try directory.write((names.joined(separator: "\n") + "\n").utf8, to: "names")
    let expected = try await Program.run(tools.demangler, [], inputPath: file)
      .outputText.split(separator: "\n", omittingEmptySubsequences: false)
    try require(expected.count > names.count)
    var demangler = SymbolDemangler(style: .atos)
    var differences: [String] = []
    for (name, shownName) in zip(names, expected)
    where demangler.shownName(of: name, isMachOSymbol: false) != shownName {
      differences.append(name)
    }
    expectEmpty(differences, "\(differences.count) of \(names.count)")
  }

  /// The C++ names in libraries, each once, but not transaction clones, which LLVM does not read.
  private static func names(_ symbolLister: String) async throws -> [String] {
    var names: Set<String> = []
    for path in libraries() {
      let list = try await Program.run(
        symbolLister, ["--dynamic", "--just-symbol-name", path])
      for line in list.outputText.split(separator: "\n") {
        let name = line.prefix { $0 != "@" }
        if name.hasPrefix("_Z"), !name.hasPrefix("_ZGT") { names.insert(String(name)) }
      }
    }
    let sorted = names.sorted()
    guard ProcessInfo.processInfo.environment["SYMBOLICATE_REFEREE"] != "whole" else {
      return sorted
    }
    return stride(from: 0, to: sorted.count, by: 1 + sorted.count / 10_000).map { sorted[$0] }
  }

  private static func libraries() -> [String] {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
    return folders.flatMap { folder in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return files.filter { file in
        file.contains(".so")
          && ["libstdc++", "libc++", "libLLVM", "libboost_", "libicu", "libQt"].contains {
            file.hasPrefix($0)
          }
      }.map { "\(folder)/\($0)" }
    }
  }
}
