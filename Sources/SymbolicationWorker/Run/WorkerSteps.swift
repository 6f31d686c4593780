import CrashLogParser
import ReportSymbolication
import SymbolStore
import SymbolicationModel

/// What happens to a record before and after its frames are looked up. It follows from the record
/// and from the options alone, so several records may be at it at the same time.
package struct WorkerSteps: Sendable {
  let options: WorkerOptions

  /// A record whose frames are to be looked up.
  package struct Prepared: Sendable {
    let id: [UInt8]
    let content: Content
    /// ``WorkerRecord/spelling``.
    var spelling: ArraySlice<UInt8>?

    enum Content: Sendable {
      case input(PreparedInput, shownPath: String)
      case frames([WorkerFrame])
      case failure(WorkerFailure)
    }
  }

  /// A record whose frames were looked up.
  package struct Resolved: Sendable {
    let id: [UInt8]
    let content: Content
    /// ``WorkerRecord/spelling``.
    var spelling: ArraySlice<UInt8>?

    enum Content: Sendable {
      case input(ResolvedInput, shownPath: String)
      case frames([WorkerFrameAnswer])
      case failure(WorkerFailure)
    }
  }

  package func prepared(_ record: WorkerRecord) -> Prepared {
    do throws(WorkerFailure) {
      return Prepared(
        id: record.id, content: try content(of: record), spelling: record.spelling)
    } catch {
      return Prepared(id: record.id, content: .failure(error))
    }
  }

  private func content(of record: WorkerRecord) throws(WorkerFailure) -> Prepared.Content {
    let limits = options.symbolication.limits
    switch record.content {
    case .failure(let failure): throw failure
    case .report(let bytes): return try input(bytes, shownPath: Self.shownReport)
    case .path(let path):
      return try input(
        try WorkerFile.readReport(path: path, limits: limits), shownPath: path)
    case .frames(let frames):
      guard frames.count <= limits.frames else { throw .limit(.frames, limits.frames) }
      return .frames(frames)
    }
  }

  /// What a report without a path is called, as on the command line.
  private static let shownReport = "standard input"

  private func input(
    _ bytes: [UInt8], shownPath: String
  ) throws(WorkerFailure) -> Prepared.Content {
    let prepared: PreparedInput
    do {
      prepared = try PreparedInput(bytes, options.symbolication)
    } catch {
      throw .noReport(path: shownPath, error)
    }
    // A report that is cut without a word would look complete.
    let limits = options.symbolication.limits
    for report in prepared.reports {
      if let limit = report.report.source.exceededLimits.first {
        throw .limit(limit, limits[limit])
      }
    }
    return .input(prepared, shownPath: shownPath)
  }

  package func answer(to record: consuming Resolved) -> WorkerAnswer {
    let (id, spelling) = (record.id, record.spelling)
    switch record.content {
    case .failure(let failure): return WorkerAnswer(id: id, failure: failure)
    case .frames(let answers): return WorkerAnswer(id: id, frames: answers)
    case .input(let input, let shownPath):
      let input = SymbolicatedInput(input, givenFiles: [], options.symbolication)
      return WorkerAnswer(
        id: id, input, shownPath: shownPath, spelling: spelling, options.output)
    }
  }
}
