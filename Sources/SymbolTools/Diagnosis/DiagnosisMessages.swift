import CrashLogParser
import ReportSymbolication
import SymbolStore
package import SymbolicationModel
import Wording

extension ReportDiagnosis {
  /// What the report is, and how far it is resolved; or what the input is instead of a report.
  var headline: String {
    if let refusal { return refusal.message(path: path) }
    let whose = process.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    return "\(path)\(whose): \(resolvedCount) of \(frameCount) frames have names"
  }

  var imagelessSentence: String? {
    guard framesWithoutImage > 0 else { return nil }
    let count = framesWithoutImage == 1 ? "1 frame is" : "\(framesWithoutImage) frames are"
    return "\(count) in no image that the report lists: generated code or a bad jump."
  }

  func sentences(about diagnosis: ImageDiagnosis) -> [String] {
    diagnosis.sentences(system: system, places)
      + [serverSentence(about: diagnosis)].compactMap(\.self)
  }

  /// Whether servers were asked for an image that has no file, and that they did not help.
  private func serverSentence(about diagnosis: ImageDiagnosis) -> String? {
    if case .found = diagnosis.cause { return nil }
    guard diagnosis.image.identity != nil else { return nil }
    guard !places.servers.isEmpty || places.usesDebuginfod else {
      guard diagnosis.cause == .noCandidate else { return nil }
      return "No symbol server was asked; --symbol-server names one."
    }
    if places.isOffline {
      return
        "No symbol server was asked, because of --offline. What servers delivered earlier does not have it."
    }
    return hasServerProblem
      ? "The symbol servers did not deliver it. A message on standard error says what went wrong."
      : "The symbol servers do not have it."
  }

  /// The command to run next.
  var nextStep: String {
    if let refusal { return refusal.nextStep(path: path) }
    let incomplete = images.first { $0.isIncomplete }
    if let step = incomplete?.nextStep { return step }
    let symbols = ShellText.options(places)
    let report = path == "standard input" ? "-" : ShellText.path(path)
    return "symbolicate \(report)\(symbols)\(incomplete == nil ? "" : " --explain")"
  }
}

extension ReportDiagnosis {
  /// Where a run that misses symbols sends its user.
  package static func pointer(report: String, places: SymbolPlaces) -> String {
    "to see why: \(ShellText.doctorCommand(report: report, places: places))"
  }
}

extension CrashLogParseError {
  /// The command that shows more about a file that is not a report, or makes one of it.
  fileprivate func nextStep(path: String) -> String {
    let file = path == "standard input" ? "-" : ShellText.path(path)
    switch self {
    case .noReportFound(.objectFile), .noReportFound(.archive): return "symbolicate uuid \(file)"
    case .noReportFound(.utf16Text):
      return "iconv -f UTF-16 -t UTF-8 \(file) | symbolicate doctor -"
    case .noReportFound, .emptyInput, .inputTooLarge: return "file \(file)"
    }
  }
}
