package import CrashLogParser
import Platform
package import ReportSymbolication
package import SymbolicationModel
package import SystemPackage
import Wording

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

extension WorkerFailure {
  /// One sentence for the person who looks after the queue: what is wrong with the record, and what
  /// was expected.
  package var message: String {
    switch self {
    case .notJson(let fault): fault.message
    case .tooLarge(let limit):
      "the record has more than \(ByteSize.text(limit)); give the report as {\"path\": …}, or raise --max-record"
    case .badRecord(let fault): fault.message
    case .unreadable(let path, .content(.archive(let count, let first))):
      "\(path) \(ReportReadError.archive(reportCount: count, first: first).reason)"
    case .unreadable(let path, let fault): "cannot read the report \(path): \(fault.message)"
    case .noReport(let path, let error):
      error.message(path: path == "standard input" ? "the report" : path)
    case .limit(let limit, let value):
      "the record has more than \(limit.shown(value)); \(limit.remedy(from: value))"
    case .timeout(let seconds):
      "the record took longer than \(seconds) \(seconds == 1 ? "second" : "seconds"); --timeout allows more"
    case .crash(SIGBUS):
      "a symbol file was shortened while it was being read, or its disk failed"
    case .crash(let signal):
      "internal error: signal \(signal) while this record was under way; please report it with the record and its symbol files"
    }
  }
}

extension WorkerFailure.JsonFault {
  fileprivate var message: String {
    switch self {
    case .emptyLine: "the line is empty; expected one JSON value on each line"
    case .syntax(let error): "the line is not JSON: \(error.reason) at byte \(error.offset)"
    case .invalidUtf8: "the line is not UTF-8, which JSON must be"
    case .trailingBytes(let offset):
      "the line has more than one JSON value: something follows at byte \(offset)"
    }
  }
}

extension JsonError {
  fileprivate var reason: String {
    switch kind {
    case .unexpectedEnd: "it ends inside a value"
    case .unexpectedByte(let byte): "unexpected byte 0x\(byte.hexadecimalDigits(count: 2))"
    case .lineEndInString: "a line end in a string"
    case .invalidEscape: "a backslash without a valid escape"
    case .halfSurrogate: "half of a surrogate pair, which is not a character,"
    case .invalidNumber: "a number that is not spelt as JSON requires"
    case .invalidWord: "a word other than true, false and null"
    case .tooLarge: "too many values"
    }
  }
}

extension WorkerFailure.RecordFault {
  fileprivate var message: String {
    switch self {
    case .otherKind(let kind):
      "the record is \(kind.shown); expected an object with \"report\", \"path\" or \"frames\", or a report as a string"
    case .asksNothing: "the record has none of the keys \"report\", \"path\" and \"frames\""
    case .asksTwice(let first, let second):
      first == second
        ? "the record has the key \"\(first)\" twice"
        : "the record has both \"\(first)\" and \"\(second)\"; expected one of them"
    case .wrongType(let key, let expected, let kind):
      "\"\(key)\" is \(kind.shown); expected \(expected)"
    case .frame(let index, let fault): "frame \(index): \(fault.message)"
    }
  }
}

extension WorkerFailure.FrameFault {
  fileprivate var message: String {
    switch self {
    case .notAnObject(let kind): "it is \(kind.shown); expected an object"
    case .wrongType(let key, let expected, let kind):
      "\"\(key)\" is \(kind.shown); expected \(expected)"
    case .wrongText(let key, let expected, let text):
      "\"\(key)\" is '\(text.shortened)'; expected \(expected)"
    case .noAddress: "it has neither \"address\" nor \"offset\""
    case .twoAddresses: "it has both \"address\" and \"offset\"; expected one of them"
    case .noImage: "it has neither \"image\" nor \"uuid\""
    }
  }
}

extension WorkerFailure.FileFault {
  fileprivate var message: String {
    switch self {
    case .errno(let errno): "\(errno)"
    case .notAFile: "it is not a file; a worker reads no directories, pipes and devices"
    case .content(let error): error.reason
    case .tooLarge(let limit):
      "it is larger than \(ResourceLimit.reportSize.shown(limit)); \(ResourceLimit.reportSize.remedy(from: limit))"
    }
  }
}

extension JsonValue.Kind {
  fileprivate var shown: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .true, .false: "a boolean"
    case .null: "null"
    }
  }
}

extension String {
  /// The start of a value that may be as long as the record.
  fileprivate var shortened: String { utf8.count > 80 ? String(prefix(80)) + "…" : self }
}
