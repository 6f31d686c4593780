import TestSupport

/// The symbols of a file as `llvm-nm` lists them, including those of `.dynsym`. Its answer is the
/// nearest symbol before an address in the same code section, unless the size of the symbol shows
/// that it ends before.
struct NearestSymbols {
  private let codeRanges: [Range<UInt64>]
  /// In ascending order of start; of symbols with the same start, the larger first.
  private let symbols: [LlvmTools.ListedSymbol]

  init(_ tools: LlvmTools, _ slice: SymbolFile.Slice, codeRanges: [Range<UInt64>]) async throws {
    self.codeRanges = codeRanges
    self.symbols = try await tools.symbols(of: slice)
      .filter { symbol in
        // llvm-nm makes up names for functions of LC_FUNCTION_STARTS without one.
        !symbol.name.hasPrefix("<redacted function ")
          && codeRanges.contains { $0.contains(symbol.start) }
      }
      .sorted { ($0.start, $1.size) < ($1.start, $0.size) }
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
