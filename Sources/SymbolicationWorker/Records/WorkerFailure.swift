package import CrashLogParser
package import ReportSymbolication
package import SymbolicationModel
package import SystemPackage

/// Why a record has no result.
package enum WorkerFailure: Error, Hashable, Sendable {
  case notJson(JsonFault)
  /// The line has more bytes than a record may have.
  case tooLarge(limit: UInt64)
  case badRecord(RecordFault)
  /// The file of the report.
  case unreadable(path: String, FileFault)
  /// - path: what to call the report.
  case noReport(path: String, CrashLogParseError)
  /// The report has more of something than is read.
  case limit(ResourceLimit, UInt64)
  /// The record took longer than a record may take, in seconds.
  case timeout(seconds: Int)
  /// This signal came while the record was under way.
  case crash(signal: CInt)

  /// What is wrong with a line that is no JSON.
  package enum JsonFault: Hashable, Sendable {
    case emptyLine
    case syntax(JsonError)
    /// The line is not UTF-8.
    case invalidUtf8
    /// Something follows the value.
    case trailingBytes(offset: Int)
  }

  /// What is wrong with a line that is JSON.
  package enum RecordFault: Hashable, Sendable {
    /// Neither an object nor a string.
    case otherKind(JsonValue.Kind)
    /// None of the keys that say what is asked.
    case asksNothing
    /// More than one of them, or one of them twice.
    case asksTwice(String, String)
    case wrongType(key: String, expected: String, JsonValue.Kind)
    /// A value of a bare frame.
    case frame(index: Int, FrameFault)
  }

  package enum FrameFault: Error, Hashable, Sendable {
    case notAnObject(JsonValue.Kind)
    case wrongType(key: String, expected: String, JsonValue.Kind)
    /// Text that cannot be read.
    case wrongText(key: String, expected: String, String)
    /// Neither an address nor an offset, or both.
    case noAddress
    case twoAddresses
    /// Neither a name nor a UUID.
    case noImage
  }

  package enum FileFault: Hashable, Sendable {
    case errno(Errno)
    /// A directory, a pipe or a device.
    case notAFile
    case tooLarge(limit: UInt64)
    /// It is compressed and cannot be unpacked, or is an archive.
    case content(ReportReadError)
  }

  /// The value of `code`.
  package var code: Code {
    switch self {
    case .notJson: .notJson
    case .tooLarge: .recordTooLarge
    case .badRecord: .badRecord
    case .unreadable: .unreadable
    case .noReport: .noReport
    case .limit: .limit
    case .timeout: .timeout
    case .crash: .internalError
    }
  }

  /// The kinds of failures, as programs read them.
  package enum Code: String, CaseIterable, Sendable {
    case notJson = "not-json"
    case recordTooLarge = "record-too-large"
    case badRecord = "bad-record"
    case unreadable
    case noReport = "no-report"
    case limit
    case timeout
    case internalError = "internal"
  }
}
