import Foundation

/// A file that the voices are asked about.
struct SymbolFile: CustomStringConvertible {
  let path: String
  /// How tables name it.
  let description: String

  /// One object file of it.
  struct Slice: CustomStringConvertible {
    let file: SymbolFile
    /// Nil in a file that holds only one.
    let architecture: String?

    var description: String { file.description + (architecture.map { " (\($0))" } ?? "") }
  }
}

extension SymbolFile {
  /// The files of split DWARF (`.dwo`, `.dwp`) in the same folder.
  var splitFiles: [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".dwo") || $0.hasSuffix(".dwp") }
      .map { folder.appendingPathComponent($0).path }
  }
}

extension SymbolFile.Slice {
  /// What llvm is asked instead: the fixture with `.zdebug_` sections, which llvm 19 does not read, is
  /// made from one that it reads.
  var forLlvm: Self {
    guard file.path.hasSuffix("/zdebug-dwarf3.elf") else { return self }
    let twin = file.path.replacing("/zdebug-dwarf3.elf", with: "/gcc-dwarf3.elf")
    return Self(
      file: SymbolFile(path: twin, description: file.description), architecture: architecture)
  }
}
