import Foundation
import TestSupport

/// A file that the voices are asked about.
struct SymbolFile: CustomStringConvertible {
  let path: String
  /// Its name in tables.
  let description: String

  /// One object file in it.
  struct Slice: CustomStringConvertible {
    let file: SymbolFile
    /// Nil if the file contains only one.
    let architecture: String?

    var description: String { file.description + (architecture.map { " (\($0))" } ?? "") }
  }
}

extension SymbolFile {
  /// Decides which questions make sense: a start of a tool of llvm takes 50 ms.
  var isElf: Bool {
    get throws { try Fixtures.bytes(of: path).starts(with: [0x7f, 0x45, 0x4c, 0x46]) }
  }

  /// The files of split DWARF (`.dwo`, `.dwp`) in the same folder.
  var splitFiles: [String] { filesBeside(endingIn: ".dwo", ".dwp") }

  /// The files in the same folder to which a `.gnu_debuglink` may lead.
  var debugFiles: [String] { filesBeside(endingIn: ".debug").filter { $0 != path } }

  private func filesBeside(endingIn endings: String...) -> [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { name in endings.contains { name.hasSuffix($0) } }
      .map { folder.appendingPathComponent($0).path }
  }
}

extension SymbolFile.Slice {
  /// The file that llvm is asked about instead. The fixture with `.zdebug_` sections, which llvm 19
  /// does not read, is made from one that it reads. For a program with a debug map, which llvm does
  /// not follow, it is the dSYM that dsymutil made.
  var forLlvm: Self {
    let twin =
      file.path
      .replacing("/zdebug-dwarf3.elf", with: "/gcc-dwarf3.elf")
      .replacing(#/DebugMap/([a-z0-9_-]+)/ledger$/#) {
        "DebugMap/\($0.1).dSYM/Contents/Resources/DWARF/ledger"
      }
      .replacing(
        "/DebugMap/swift/Inlines", with: "/Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines")
    guard twin != file.path else { return self }
    return Self(
      file: SymbolFile(path: twin, description: file.description), architecture: architecture)
  }
}
