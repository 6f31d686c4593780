import Foundation
import TestSupport

/// A file without debug information, for comparing names: one of the system, or a copy of another
/// file with parts removed.
struct StrippedFile: CustomStringConvertible {
  let original: SymbolFile
  let way: Way

  enum Way: String, CaseIterable {
    /// Unchanged, except for another build-id.
    case none = ""
    /// With `llvm-strip --strip-debug`: symbol tables remain.
    case debug = "without debug information"
    /// With `llvm-strip --strip-all`: only what the loader needs remains.
    case all = "stripped"
    /// For Mach-O, with symbol tables that count no symbols: exports and function starts remain.
    case symbols = "without symbol tables"
  }

  var description: String {
    way == .none ? original.description : "\(original), \(way.rawValue)"
  }

  /// Whether everything that the file refers to is there. If the symbols are removed, the indirect
  /// symbols have none to refer to; the debug files to which links lead are elsewhere, or not
  /// installed.
  var isWhole: Bool {
    (way == .debug || way == .all) && original.debugFiles.isEmpty
  }

  /// Makes the file in `folder`; nil if it cannot be stripped in that way.
  func make(in folder: TemporaryDirectory, _ tools: LlvmTools) async throws -> SymbolFile? {
    let path = folder.path("image")
    switch way {
    case .none:
      // llvm-symbolizer would find an installed debug file by build-id.
      var bytes = try Fixtures.bytes(of: original.path)
      let digits = Array((try await tools.buildId(of: original.path) ?? "").utf8)
      let identifier = stride(from: 0, to: digits.count / 2 * 2, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
      }
      if !identifier.isEmpty, let range = bytes.firstRange(of: identifier) {
        bytes.replaceSubrange(range, with: repeatElement(0xee, count: range.count))
      }
      try folder.write(bytes, to: "image")
    case .debug, .all:
      let option = way == .debug ? "--strip-debug" : "--strip-all"
      let result = try await Program.run(tools.stripper, [option, original.path, "-o", path])
      guard result.status == 0 else { return nil }
    case .symbols:
      var bytes = try Fixtures.bytes(of: original.path)
      guard !bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else { return nil }
      hideSymbolTables(in: &bytes)
      try folder.write(bytes, to: "image")
    }
    return SymbolFile(path: path, description: description)
  }

  /// Copies of the images among `files`: those that have symbols of their own, and are neither
  /// dSYMs nor object files.
  static func copies(of files: [SymbolFile]) -> [StrippedFile] {
    files.filter { file in
      // llvm-strip does not remove `.zdebug_` sections.
      !["dSYM", ".object", ".debug", ".o", "zdebug"].contains { file.description.contains($0) }
    }.flatMap { file in
      Way.allCases.filter { $0 != .none }.map { StrippedFile(original: file, way: $0) }
    }
  }

  /// Files of the operating system that distributions strip, if they exist.
  static var ofSystem: [StrippedFile] {
    [
      "/bin/bash", "/usr/bin/python3", "/usr/bin/perl", "/lib64/ld-linux-x86-64.so.2",
      "/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
      "/usr/lib/aarch64-linux-gnu/libc.so.6",
    ].flatMap { path in
      SymbolFileDiscovery.symbolFile(
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path, name: path)
    }.map { StrippedFile(original: $0, way: .none) }
  }
}
