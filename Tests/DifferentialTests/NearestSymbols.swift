import TestSupport

/// The symbols of a file as `llvm-nm` lists them, including those of `.dynsym`. Its answer is the
/// nearest symbol before an address in the same code section, unless the size of the symbol shows
/// that it ends before.
struct NearestSymbols {
  private let codeRanges: [Range<UInt64>]
  /// In ascending order of start; of symbols with the same start, the larger first.
  private let symbols: [Symbol]

  private struct Symbol {
    let start: UInt64
    /// 0 if none is stated.
    let size: UInt64
    let name: String
  }

  init(_ tools: LlvmTools, _ slice: SymbolFile.Slice, codeRanges: [Range<UInt64>]) async throws {
    self.codeRanges = codeRanges
    var symbols: [Symbol] = []
    for options in [[], ["--dynamic"]] {
      let result = try await Program.run(
        tools.symbolLister,
        ["--defined-only", "--no-demangle", "--print-size"] + options + [slice.file.path]
          + (slice.architecture.map { ["--arch=\($0)"] } ?? []))
      for line in result.outputText.split(separator: "\n") {
        symbols += Self.symbol(line, isDynamic: !options.isEmpty, codeRanges)
      }
    }
    self.symbols = symbols.sorted { ($0.start, $1.size) < ($1.start, $0.size) }
  }

  /// Address, size in ELF, kind, and a name that may contain spaces.
  private static func symbol(
    _ line: Substring, isDynamic: Bool, _ codeRanges: [Range<UInt64>]
  ) -> [Symbol] {
    var words = line.split(separator: " ", maxSplits: 3)
    guard words.count >= 3, let start = UInt64(words[0], radix: 16) else { return [] }
    var size: UInt64 = 0
    if words[1].count >= 8 {
      size = UInt64(words[1], radix: 16) ?? 0
    } else {
      words = line.split(separator: " ", maxSplits: 2)
    }
    guard let last = words.last, codeRanges.contains(where: { $0.contains(start) }) else {
      return []
    }
    var name = String(last)
    // llvm-nm makes up names for functions of LC_FUNCTION_STARTS without one.
    guard !name.hasPrefix("<redacted function ") else { return [] }
    // The version of the symbol follows.
    if isDynamic, let at = name.firstIndex(of: "@") { name = String(name[..<at]) }
    return [Symbol(start: start, size: size, name: name)]
  }

  /// Of several names at one address, that of `own` if it is among them.
  func answer(at address: UInt64, like own: Answer) -> Answer {
    guard let section = codeRanges.first(where: { $0.contains(address) }) else { return Answer() }
    // The number of symbols that begin at or before the address.
    var (low, high) = (0, symbols.count)
    while low < high {
      let middle = (low + high) / 2
      if symbols[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    let last = low > 0 ? symbols[low - 1].start : 0
    for symbol in symbols[..<low].reversed().prefix(1000) where section.contains(symbol.start) {
      // Without a size, it ends where the next one begins.
      guard symbol.size > 0 ? address < symbol.start + symbol.size : symbol.start == last else {
        continue
      }
      let names = symbols[..<low].reversed().prefix(2000).filter {
        $0.start == symbol.start
      }.map(\.name)
      let name = own.onlyFrame.flatMap { names.contains($0.function) ? $0.function : nil }
      return Answer(
        frames: [
          Answer.Frame(
            function: name ?? symbol.name, file: "", line: 0, column: nil, start: symbol.start)
        ])
    }
    return Answer()
  }
}
