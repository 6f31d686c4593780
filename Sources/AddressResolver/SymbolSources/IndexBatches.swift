import Demangling
import SymbolIndex
import SymbolicationModel
import Synchronization

/// Answers many addresses from an index.
enum IndexBatches {
  /// The number of addresses that one thread answers at a time.
  private static let pieceSize = 1 << 12

  /// The answers for those of `questions` that the index answers, but for answers with hidden
  /// names.
  ///
  /// Throws if a record cannot be read.
  ///
  /// - Parameter questions: ascending by address.
  static func batches(
    for questions: [NumberedAddress], from index: IndexRecords, demangling: DemanglingStyle,
    jobs: Int
  ) throws(GsymError) -> [ResolvedBatch] {
    let pieces = stride(from: 0, to: questions.count, by: pieceSize).map {
      $0..<min($0 + pieceSize, questions.count)
    }
    let demanglers = DemanglerPool(style: demangling)
    let results = Mutex<[Result<ResolvedBatch, GsymError>?]>(
      Array(repeating: nil, count: pieces.count))
    ParallelWork.perform(count: pieces.count, jobs: jobs) { piece in
      let result = demanglers.use { demangler in
        var composer = IndexBatchComposer(index)
        return Result { () throws(GsymError) in
          try composer.addAll(questions[pieces[piece]], &demangler)
          return composer.batch
        }
      }
      results.withLock { $0[piece] = result }
    }
    var batches: [ResolvedBatch] = []
    for case let result? in results.withLock({ $0 }) { batches.append(try result.get()) }
    return batches
  }
}

/// Makes a batch of answers of an index. Each name and path is composed once.
private struct IndexBatchComposer {
  private let index: IndexRecords
  private(set) var batch = ResolvedBatch()
  private var answer = GsymAnswer()
  /// By the offset of the name; −1 for a name that is not used in batches.
  private var functions: [UInt64: Int32] = [:]
  /// By the number of the file; −1 for a path that is not used in batches.
  private var paths: [UInt64: Int32] = [:]

  init(_ index: IndexRecords) { self.index = index }

  mutating func addAll(
    _ questions: ArraySlice<NumberedAddress>, _ demangler: inout SymbolDemangler
  ) throws(GsymError) {
    for question in questions {
      guard try index.answers(question.address, into: &answer) else { continue }
      let first = batch.frames.count
      var isComplete = !answer.frames.isEmpty
      for frame in answer.frames where isComplete { isComplete = try add(frame, &demangler) }
      guard isComplete else {
        batch.frames.removeSubrange(first...)
        continue
      }
      // Symbols have neither lines nor inlined calls.
      let isSymbol = batch.frames.count == first + 1 && batch.frames[first].path < 0
      batch.answers.append(
        ResolvedBatch.Answer(
          question: question, frames: first..<batch.frames.count,
          origin: isSymbol ? .symbolTable : .dwarf))
    }
  }

  /// Returns false for a frame with a hidden name, and for one whose name or path cannot be read.
  private mutating func add(
    _ frame: GsymFrame, _ demangler: inout SymbolDemangler
  ) throws(GsymError) -> Bool {
    let function = try function(named: frame.name, &demangler)
    var path: Int32 = -1
    if let location = frame.location {
      path = try self.path(of: location.file)
      guard path >= 0 else { return false }
    }
    guard function >= 0 else { return false }
    batch.frames.append(
      ResolvedBatch.Frame(
        function: function, path: path, line: frame.location?.line ?? 0, column: 0,
        rangeStart: frame.range.lowerBound))
    return true
  }

  private mutating func function(
    named offset: UInt64, _ demangler: inout SymbolDemangler
  ) throws(GsymError) -> Int32 {
    if let known = functions[offset] { return known }
    var number: Int32 = -1
    if let name = try index.file.name(at: offset), !name.isEmpty, !HiddenNames.isHidden(name) {
      number = Int32(truncatingIfNeeded: batch.functions.count)
      batch.functions.append(
        ResolvedBatch.Function(
          name: demangler.shownName(of: name, isMachOSymbol: false), rawName: name))
    }
    functions[offset] = number
    return number
  }

  private mutating func path(of file: UInt32) throws(GsymError) -> Int32 {
    if let known = paths[UInt64(file)] { return known }
    var number: Int32 = -1
    if let path = try index.file.path(ofFile: file), !HiddenNames.isHidden(inPath: path) {
      number = Int32(truncatingIfNeeded: batch.paths.count)
      batch.paths.append(path)
    }
    paths[UInt64(file)] = number
    return number
  }
}
