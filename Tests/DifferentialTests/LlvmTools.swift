import Foundation
import TestSupport

/// Debian's llvm tools, with which the answers of this program are compared.
struct LlvmTools {
  let symbolizer: String
  let dwarfDump: String
  let objectDump: String
  let lipo: String
  let symbolLister: String
  let elfReader: String
  let packager: String
  let stripper: String

  /// Nil if the tools are not on PATH. The environment may select a version
  /// (`SYMBOLICATE_LLVM_SUFFIX=-20`). The answers of llvm 14, the default of Debian 12, differ
  /// in places from those of newer versions, and from what is expected here.
  static let installed: LlvmTools? = {
    let suffixes =
      [ProcessInfo.processInfo.environment["SYMBOLICATE_LLVM_SUFFIX"]].compactMap(\.self)
      + ["-19", "-18", ""]
    for suffix in suffixes {
      if let symbolizer = Program.path(of: "llvm-symbolizer\(suffix)"),
        let dwarfDump = Program.path(of: "llvm-dwarfdump\(suffix)"),
        let objectDump = Program.path(of: "llvm-objdump\(suffix)"),
        let lipo = Program.path(of: "llvm-lipo\(suffix)"),
        let symbolLister = Program.path(of: "llvm-nm\(suffix)"),
        let elfReader = Program.path(of: "llvm-readelf\(suffix)"),
        let packager = Program.path(of: "llvm-dwp\(suffix)"),
        let stripper = Program.path(of: "llvm-strip\(suffix)")
      {
        return LlvmTools(
          symbolizer: symbolizer, dwarfDump: dwarfDump, objectDump: objectDump, lipo: lipo,
          symbolLister: symbolLister, elfReader: elfReader, packager: packager,
          stripper: stripper)
      }
    }
    return nil
  }()

  /// A tool failed, so nothing can be compared.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ path: String, _ what: String) { description = "\(path): \(what)" }
  }

  /// The object files in `file`, in file order.
  func slices(of file: SymbolFile) async throws -> [SymbolFile.Slice] {
    // FAT_MAGIC and FAT_MAGIC_64 (`mach-o/fat.h`), big-endian; only such files have several.
    let magic = try Fixtures.bytes(of: file.path).prefix(4)
    guard magic.starts(with: [0xca, 0xfe, 0xba]) else {
      return [SymbolFile.Slice(file: file, architecture: nil)]
    }
    let result = try await Program.run(lipo, ["-archs", file.path])
    let names = result.status == 0 ? result.outputText.split { $0.isWhitespace } : []
    guard names.count > 1 else { return [SymbolFile.Slice(file: file, architecture: nil)] }
    return names.map { SymbolFile.Slice(file: file, architecture: String($0)) }
  }

  /// What the names and kinds of a file's sections say.
  struct Sections {
    /// The addresses of the code sections, in the order of the sections.
    let codeRanges: [Range<UInt64>]
    /// Whether the file names a supplementary file, to which dwz moved DWARF.
    let namesSupplementaryFile: Bool
    let hasLineTables: Bool
  }

  func sections(of slice: SymbolFile.Slice) async throws -> Sections {
    let result = try await Program.run(
      objectDump, ["--section-headers", slice.file.path] + slice.archOption)
    guard result.status == 0 else { throw Failure(slice.description, result.standardError) }
    // Index, name, size and address without 0x, kinds.
    let sections = result.outputText.split(separator: "\n").map { $0.split(separator: " ") }
    let codeRanges = sections.compactMap { words -> Range<UInt64>? in
      guard words.count > 4, words[4].hasPrefix("TEXT"), let size = UInt64(words[2], radix: 16),
        let start = UInt64(words[3], radix: 16), size > 0
      else { return nil }
      return start..<(start &+ size)
    }
    let names = Set(sections.compactMap { $0.count > 1 ? $0[1] : nil })
    return Sections(
      codeRanges: codeRanges,
      namesSupplementaryFile: !names.isDisjoint(with: [".gnu_debugaltlink", ".debug_sup"]),
      hasLineTables: !names.isDisjoint(with: [".debug_line", ".zdebug_line", "__debug_line"]))
  }

  /// The names of the symbols, by address; those of `.dynsym` without their versions.
  func symbolNames(of slice: SymbolFile.Slice) async throws -> [UInt64: Set<String>] {
    var names: [UInt64: Set<String>] = [:]
    for symbol in try await symbols(of: slice) {
      names[symbol.start, default: []].insert(symbol.name)
    }
    return names
  }

  /// A defined symbol, as `llvm-nm` lists it.
  struct ListedSymbol {
    let start: UInt64
    /// 0 if none is stated.
    let size: UInt64
    let name: String
  }

  /// The symbols of all tables; those of `.dynsym` without their versions.
  func symbols(of slice: SymbolFile.Slice) async throws -> [ListedSymbol] {
    var symbols: [ListedSymbol] = []
    for table in try slice.file.isElf ? [[], ["--dynamic"]] : [[]] {
      let result = try await Program.run(
        symbolLister,
        ["--defined-only", "--no-demangle", "--print-size"] + table + [slice.file.path]
          + slice.archOption)
      for line in result.outputText.split(separator: "\n") {
        // Address, size in ELF, kind, and a name that may contain spaces (`-[Board draw:]`).
        var words = line.split(separator: " ", maxSplits: 3)
        guard words.count >= 3, let start = UInt64(words[0], radix: 16) else { continue }
        let size = words[1].count >= 8 ? UInt64(words[1], radix: 16) : nil
        if size == nil { words = line.split(separator: " ", maxSplits: 2) }
        guard var name = words.last else { continue }
        if !table.isEmpty { name = name.prefix { $0 != "@" } }
        symbols.append(ListedSymbol(start: start, size: size ?? 0, name: String(name)))
      }
    }
    return symbols
  }

  /// The names of the symbols that the symbol stubs of a Mach-O file, or the entries of the
  /// procedure linkage table of an ELF file, jump to.
  func stubNames(of slice: SymbolFile.Slice) async throws -> [UInt64: String] {
    try slice.file.isElf
      ? await linkageTableNames(of: slice) : await machOStubNames(of: slice)
  }

  /// As disassemblers label them: GNU's, if it is installed and knows the processor, because
  /// llvm-objdump 19 knows neither `.plt.sec` nor indirect functions.
  private func linkageTableNames(of slice: SymbolFile.Slice) async throws -> [UInt64: String] {
    let options =
      ["--disassemble", "--no-show-raw-insn"]
      + [".plt", ".plt.sec", ".plt.got", ".iplt"].map { "--section=\($0)" }
    for tool in [Program.path(of: "objdump"), objectDump].compactMap(\.self) {
      let result = try await Program.run(tool, options + [slice.file.path])
      guard result.status == 0 else { continue }
      var names: [UInt64: String] = [:]
      for line in result.outputText.split(separator: "\n") where line.hasSuffix("@plt>:") {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let address = UInt64(words[0], radix: 16) else { continue }
        names[address] = String(words[1].dropFirst().dropLast(6))
      }
      return names
    }
    return [:]
  }

  /// The starts of functions according to `LC_FUNCTION_STARTS`, ascending.
  func functionStarts(of slice: SymbolFile.Slice) async throws -> [UInt64] {
    if try slice.file.isElf { return [] }
    let result = try await Program.run(
      objectDump, ["--macho", "--function-starts=addrs", slice.file.path] + slice.archOption)
    return result.outputText.split(separator: "\n").compactMap { line in
      line.count == 16 || line.count == 8 ? UInt64(line, radix: 16) : nil
    }
  }

  /// The names that a Mach-O file exports at addresses of its own.
  func exportedNames(of slice: SymbolFile.Slice) async throws -> [UInt64: Set<String>] {
    if try slice.file.isElf { return [:] }
    let result = try await Program.run(
      objectDump, ["--macho", "--exports-trie", slice.file.path] + slice.archOption)
    var names: [UInt64: Set<String>] = [:]
    for line in result.outputText.split(separator: "\n") where line.hasPrefix("0x") {
      let words = line.split(separator: " ")
      if words.count > 1, let address = UInt64(words[0].dropFirst(2), radix: 16) {
        names[address, default: []].insert(String(words[1]))
      }
    }
    return names
  }

  /// The names of the symbols in `.gnu_debugdata`.
  func miniDebugNames(of slice: SymbolFile.Slice) async throws -> [UInt64: Set<String>] {
    guard try slice.file.isElf else { return [:] }
    let folder = try TemporaryDirectory()
    guard let xz = Program.path(of: "xz"), let copier = Program.path(of: "objcopy") else {
      return [:]
    }
    let compressed = folder.path("symbols.xz")
    let result = try await Program.run(
      copier, ["--dump-section", ".gnu_debugdata=\(compressed)", slice.file.path, "/dev/null"])
    guard result.status == 0 else { return [:] }
    let inflated = try await Program.run(xz, ["--decompress", compressed])
    guard inflated.status == 0 else { return [:] }
    let file = SymbolFile(path: folder.path("symbols"), description: "\(slice) .gnu_debugdata")
    return try await symbolNames(of: SymbolFile.Slice(file: file, architecture: nil))
  }

  private func machOStubNames(of slice: SymbolFile.Slice) async throws -> [UInt64: String] {
    let result = try await Program.run(
      objectDump, ["--macho", "--indirect-symbols", slice.file.path] + slice.archOption)
    var names: [UInt64: String] = [:]
    var isOfStubs = false
    for line in result.outputText.split(separator: "\n") {
      if line.hasPrefix("Indirect symbols for") { isOfStubs = line.contains("stubs)") }
      // Address, number of the symbol, name.
      let words = line.split(separator: " ", maxSplits: 2)
      if isOfStubs, words.count == 3, let address = UInt64(words[0].dropFirst(2), radix: 16) {
        names[address] = String(words[2])
      }
    }
    return names
  }

  /// The `NT_GNU_BUILD_ID` of an ELF file in hexadecimal digits; nil if it has none.
  func buildId(of path: String) async throws -> String? {
    let result = try await Program.run(elfReader, ["--notes", path])
    for line in result.outputText.split(separator: "\n") {
      if let label = line.firstRange(of: "Build ID: ") { return String(line[label.upperBound...]) }
    }
    return nil
  }

  /// The addresses at which rows of the line tables begin and end, ascending, without duplicates;
  /// none if the file has no line tables.
  func rowAddresses(of slice: SymbolFile.Slice) async throws -> [UInt64] {
    let dump = try await Program.run(
      dwarfDump, ["--debug-line", slice.file.path] + slice.archOption)
    guard dump.status == 0 else { throw Failure(slice.description, dump.standardError) }
    var addresses: Set<UInt64> = []
    for line in dump.standardOutput.split(separator: UInt8(ascii: "\n")) {
      // A row begins with its address; nothing else in the dump begins like that.
      guard line.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")]) else { continue }
      let digits = line.dropFirst(2).prefix { $0 != UInt8(ascii: " ") }
      if let address = UInt64(String(decoding: digits, as: UTF8.self), radix: 16) {
        addresses.insert(address)
      }
    }
    return addresses.sorted()
  }
}

extension SymbolFile.Slice {
  /// The name that llvm-dwarfdump and llvm-objdump use.
  fileprivate var archOption: [String] { architecture.map { ["--arch=\($0)"] } ?? [] }
}
