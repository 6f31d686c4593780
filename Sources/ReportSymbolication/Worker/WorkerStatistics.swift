import SymbolicationModel

/// What a worker did so far.
package struct WorkerStatistics: Sendable {
  package private(set) var recordCount = 0
  private var failures: [WorkerFailure.Code: Int] = [:]
  private var counts = FrameCounts()
  /// How many records wanted the symbols of an image and did not get them.
  private var missing: [ImageIdentity: Int] = [:]
  /// Records whose missing images are not in `missing`, because it is full.
  private var uncounted = 0

  /// A worker may run for weeks, so not every UUID can be kept.
  static let missingLimit = 100_000

  package init() {}

  package mutating func add(_ answer: WorkerAnswer) {
    recordCount += 1
    if let failure = answer.failure { failures[failure, default: 0] += 1 }
    counts += answer.counts
    for identity in answer.missing {
      if missing[identity] == nil, missing.count >= Self.missingLimit {
        uncounted += 1
      } else {
        missing[identity, default: 0] += 1
      }
    }
  }

  /// One line of JSON, with its line end.
  package func line(_ cache: WorkerSession.CacheCounts) -> [UInt8] {
    var writer = JsonWriter(.oneLine)
    writer.object { writer in
      writer.member("schema", "symbolicate-worker-statistics")
      writer.member("version", 1)
      writer.member("records", recordCount)
      writer.member("ok", recordCount - failures.values.reduce(0, +))
      writer.member(object: "failures") { writer in
        for code in WorkerFailure.Code.allCases {
          writer.member(code.rawValue, failures[code] ?? 0)
        }
      }
      writer.member("frames", counts.frames)
      writer.member("named", counts.named)
      writer.member("completed", counts.completed)
      writer.member("resolved", counts.resolved)
      writer.member("unresolved", counts.unresolved)
      writer.member("cacheHits", cache.hits)
      writer.member("cacheMisses", cache.misses)
      writer.member(array: "missing", sortedMissing) { writer, entry in
        writer.object { writer in
          writer.member("uuid", entry.uuid)
          writer.member("records", entry.count)
        }
      }
      writer.member("missingNotListed", uncounted)
    }
    writer.finish()
    return writer.bytes
  }

  /// The most wanted first.
  private var sortedMissing: [(uuid: String, count: Int)] {
    missing.map { (uuid: $0.key.description, count: $0.value) }
      .sorted { ($1.count, $0.uuid) < ($0.count, $1.uuid) }
  }
}
