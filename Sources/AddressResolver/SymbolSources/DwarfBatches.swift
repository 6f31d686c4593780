import Demangling
import DwarfReader
import SymbolicationModel
import Synchronization

/// Makes batches of the answers of units. Several threads may use it.
final class DwarfBatches: Sendable {
  /// One thread at a time asks the symbol table, once for each function.
  private let symbols: Mutex<LentSymbols>
  private let demanglers: DemanglerPool

  init(symbols: SymbolTableSource, style: DemanglingStyle) {
    self.symbols = Mutex(LentSymbols(source: symbols))
    self.demanglers = DemanglerPool(style: style)
  }

  /// The answers of a unit with the names that are shown. Left out are answers with a hidden name,
  /// and those of functions without any name in DWARF.
  func batch(from answers: DwarfUnitAnswers) -> ResolvedBatch {
    var composer = Composer(answers)
    demanglers.use { composer.addAll(asking: self, &$0) }
    return composer.batch
  }

  fileprivate func mangledName(
    ofFunctionAt address: UInt64
  ) -> SymbolTableSource.UnhiddenName {
    symbols.withLock { $0.source.unhiddenMangledName(ofFunctionAt: LinkAddress(address)) }
  }

  /// The symbol table on loan to several threads.
  ///
  /// Soundness: they use it under a lock, and its owner waits until all are done.
  private struct LentSymbols: @unchecked Sendable {
    let source: SymbolTableSource
  }
}

/// Makes the batch of one unit. The name of each function is composed once.
private struct Composer {
  private let answers: DwarfUnitAnswers
  private(set) var batch = ResolvedBatch()
  /// By the number of the names: the function that is shown for an inlined call.
  private var calls: [Shown]
  /// By the number of the names: the last function with them that was not inlined, and its start.
  private var functions: [(start: UInt64, shown: Shown)]
  /// By the number of the path: whether it is known not to be hidden.
  private var hasPlainPath: [Bool]

  private enum Shown {
    case unknown
    /// The index in `batch.functions`.
    case function(Int32)
    /// The names are hidden, or there is none.
    case none
  }

  init(_ answers: DwarfUnitAnswers) {
    self.answers = answers
    calls = Array(repeating: .unknown, count: answers.names.count)
    functions = Array(repeating: (0, .unknown), count: answers.names.count)
    hasPlainPath = answers.paths.map { !HiddenNames.isHidden(inPath: $0) }
    batch.paths = answers.paths
    batch.answers.reserveCapacity(answers.answers.count)
    batch.frames.reserveCapacity(answers.frames.count)
  }

  mutating func addAll(
    asking batches: DwarfBatches, _ demangler: inout SymbolDemangler
  ) {
    for answer in answers.answers {
      let first = batch.frames.count
      if addFrames(of: answer, asking: batches, &demangler) {
        batch.answers.append(
          ResolvedBatch.Answer(
            question: answer.question, frames: first..<batch.frames.count, origin: .dwarf))
      } else {
        batch.frames.removeSubrange(first...)
      }
    }
  }

  /// Returns false if a frame needs more than the symbol table.
  private mutating func addFrames(
    of answer: DwarfUnitAnswers.Answer, asking batches: DwarfBatches,
    _ demangler: inout SymbolDemangler
  ) -> Bool {
    let last = answer.frames.upperBound - 1
    for index in answer.frames {
      let frame = answers.frames[index]
      if frame.path >= 0, !hasPlainPath[Int(frame.path)] { return false }
      let shown =
        index == last
        ? shownFunction(of: frame, asking: batches, &demangler) : shownCall(of: frame, &demangler)
      guard case .function(let function) = shown else { return false }
      batch.frames.append(
        ResolvedBatch.Frame(
          function: function, path: frame.path, line: frame.line, column: frame.column,
          rangeStart: LinkAddress(frame.range.lowerBound)))
    }
    return true
  }

  private mutating func shownCall(
    of frame: DwarfUnitAnswers.Frame, _ demangler: inout SymbolDemangler
  ) -> Shown {
    let index = Int(frame.name)
    if case .unknown = calls[index] {
      let names = answers.names[index]
      calls[index] =
        HiddenNames.areHidden(names) ? .none : add(names.linkageName ?? names.name, &demangler)
    }
    return calls[index]
  }

  private mutating func shownFunction(
    of frame: DwarfUnitAnswers.Frame, asking batches: DwarfBatches,
    _ demangler: inout SymbolDemangler
  ) -> Shown {
    let index = Int(frame.name)
    let start = frame.range.lowerBound
    if case .function = functions[index].shown, functions[index].start == start {
      return functions[index].shown
    }
    let names = answers.names[index]
    guard !HiddenNames.areHidden(names) else { return .none }
    var rawName = names.linkageName ?? names.name
    if names.mayHaveMangledSymbol(inLanguage: answers.language) {
      switch batches.mangledName(ofFunctionAt: start) {
      case .name(let mangled): rawName = mangled
      case .none: break
      case .hidden: return .none
      }
    }
    guard let rawName else { return .none }
    functions[index] = (start, add(rawName, &demangler))
    return functions[index].shown
  }

  private mutating func add(_ rawName: String?, _ demangler: inout SymbolDemangler) -> Shown {
    let name = rawName.map { demangler.shownName(of: $0, isMachOSymbol: false) }
    batch.functions.append(
      ResolvedBatch.Function(
        name: name ?? DwarfFrame.placeholder, rawName: rawName ?? ""))
    return .function(Int32(truncatingIfNeeded: batch.functions.count - 1))
  }
}

/// Demanglers for several threads. Each remembers the names that it has demangled, which the parts
/// of an image have in common.
final class DemanglerPool: Sendable {
  private let style: DemanglingStyle
  /// Those that no thread uses at the moment.
  private let free = Mutex<[SymbolDemangler]>([])

  init(style: DemanglingStyle) { self.style = style }

  /// Calls `body` with a demangler that no other thread uses.
  func use<Result>(_ body: (inout SymbolDemangler) -> Result) -> Result {
    var demangler = free.withLock { $0.popLast() } ?? SymbolDemangler(style: style)
    let result = body(&demangler)
    free.withLock { free in
      // Swapped and not copied: the next thread must be its only owner.
      free.append(SymbolDemangler(style: style))
      swap(&free[free.count - 1], &demangler)
    }
    return result
  }
}
