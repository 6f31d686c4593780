public import CrashLogParser
internal import ReportSymbolication
public import SymbolicationModel
import Wording

extension SymbolFileProblem {
  /// One sentence: which file, what was found, what was expected, what to try.
  public var sentence: String { message.withoutControlCharacters }
}

extension CrashLogParseError {
  /// One sentence: what was found where a crash report was expected, and what to do about it.
  ///
  /// - Parameter path: what to call the input.
  public func sentence(path: String) -> String { message(path: path).withoutControlCharacters }
}
