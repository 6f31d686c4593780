package import FileSystem
package import ReportRuns
import ReportSymbolication
import SymbolicationModel
import Wording

/// What a worker did. The numbers are in the kept memory: they count on when the program starts
/// anew. What belongs to answers that are not written yet is held back, because they would be given
/// again.
struct WorkerStatistics {
  private let memory: KeptMemory
  private var heldNumbers = [Int](repeating: 0, count: Self.numberCount)
  private var heldIdentities: [ImageIdentity] = []

  /// The places of the numbers.
  private enum Number: Int, CaseIterable {
    case records, named, completed, resolved, unresolved, cacheHits, cacheMisses, restarts
    /// Wishes for images that the table has no room for.
    case missingNotListed
  }

  private static let codes = WorkerFailure.Code.allCases
  private static let numberCount = Number.allCases.count + codes.count

  init(_ memory: KeptMemory) { self.memory = memory }

  // MARK: Counting

  mutating func add(_ answer: WorkerAnswer) {
    hold(.records)
    if let index = Self.codes.firstIndex(where: { $0 == answer.failure }) {
      heldNumbers[Number.allCases.count + index] += 1
    }
    hold(.named, answer.counts.named)
    hold(.completed, answer.counts.completed)
    hold(.resolved, answer.counts.resolved)
    hold(.unresolved, answer.counts.unresolved)
    heldIdentities += answer.missing
  }

  mutating func add(_ cache: WorkerSession.CacheCounts) {
    hold(.cacheHits, cache.hits)
    hold(.cacheMisses, cache.misses)
  }

  mutating func addRestart() { hold(.restarts) }

  private mutating func hold(_ number: Number, _ count: Int = 1) {
    heldNumbers[number.rawValue] += count
  }

  /// Counts what was held back.
  mutating func commit() {
    for identity in heldIdentities where !memory.count(identity.bytes) {
      hold(.missingNotListed)
    }
    heldIdentities.removeAll(keepingCapacity: true)
    for index in heldNumbers.indices where heldNumbers[index] > 0 {
      memory[WorkerLines.firstOtherNumber + index] &+= heldNumbers[index]
      heldNumbers[index] = 0
    }
  }

  // MARK: Writing

  private subscript(number: Number) -> Int {
    memory[WorkerLines.firstOtherNumber + number.rawValue]
  }

  private func count(_ code: WorkerFailure.Code) -> Int {
    guard let index = Self.codes.firstIndex(of: code) else { return 0 }
    return memory[WorkerLines.firstOtherNumber + Number.allCases.count + index]
  }

  private static let schema = "symbolicate-worker-statistics"

  /// How each line begins.
  static let start = "{\"schema\":\"\(schema)\""

  /// One line of JSON, with its line end: all answers that are written.
  var line: [UInt8] {
    var writer = JsonWriter(.oneLine)
    writer.object { writer in
      writer.member("schema", Self.schema)
      writer.member("version", 1)
      writer.member("records", self[.records])
      writer.member("ok", self[.records] - Self.codes.reduce(0) { $0 + count($1) })
      writer.member(object: "failures") { writer in
        for code in Self.codes {
          writer.key(text: code.rawValue)
          writer.value(count(code))
        }
      }
      writer.member("frames", self[.named] + self[.resolved] + self[.unresolved])
      writer.member("named", self[.named])
      writer.member("completed", self[.completed])
      writer.member("resolved", self[.resolved])
      writer.member("unresolved", self[.unresolved])
      writer.member("cacheHits", self[.cacheHits])
      writer.member("cacheMisses", self[.cacheMisses])
      writer.member("restarts", self[.restarts])
      writer.member(array: "missing", missing) { writer, entry in
        writer.object { writer in
          writer.member("uuid", entry.uuid)
          writer.member("records", entry.count)
        }
      }
      writer.member("missingNotListed", self[.missingNotListed])
    }
    writer.finish()
    return writer.bytes
  }

  /// The most wanted first.
  private var missing: [(uuid: String, count: Int)] {
    memory.counts.map { entry in
      (uuid: ImageIdentity(bytes: entry.key)?.description ?? "", count: entry.count)
    }.sorted { ($1.count, $0.uuid) < ($0.count, $1.uuid) }
  }
}

/// The file of `worker --stats`.
///
/// Records name reports by path while the worker runs, so what the inputs are is never known as a
/// whole. The file may be missing, or hold statistics of an earlier time. Anything else is left
/// alone.
package struct StatisticsFile {
  private let path: String
  private let outputGuard: OutputGuard

  /// - Parameter symbolPaths: files, bundles and directories that are read.
  package init(path: String, symbolPaths: [String]) {
    self.path = path
    outputGuard = OutputGuard(reports: ["-"], symbolPaths: symbolPaths)
  }

  /// Throws if the statistics would replace something else. To be called before any record is read.
  package func check() throws(OutputRefusal) {
    try outputGuard.check(path, replacesOnly: WorkerStatistics.start)
  }

  package enum Failure: Error {
    case refused(OutputRefusal)
    case unwritten(FileWriteError)
  }

  package func write(_ line: [UInt8]) throws(Failure) {
    // Something else may have been put there.
    do throws(OutputRefusal) {
      try check()
    } catch {
      throw .refused(error)
    }
    do throws(FileWriteError) {
      // Who looks at statistics may be gone.
      try WholeFile.replace(path: path, with: line, waitsForReader: false)
    } catch {
      throw .unwritten(error)
    }
  }
}
