import CrashLogParser
import Platform
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolTools
import SystemPackage

/// Checks what reaches terminals and readers of JSON: the input is a report in every output of
/// every command, and also the names and paths in a symbol file.
func exerciseOutputs(_ bytes: [UInt8]) throws(Violation) {
  try exerciseOutputForms(bytes)
  let diagnosis = ReportDiagnosis(
    bytes, shownPath: "input", places: SymbolPlaces(debugDirectories: []))
  try checkTerminal(Array(diagnosis.text.utf8), "doctor")
  try checkJson(Array(diagnosis.json.utf8), "doctor")
  let listing = UuidListing(paths: ["-"]) { _ in .success(bytes) }
  try checkTerminal(Array(UuidRenderer.text(listing).utf8), "uuid")
  try checkJson(Array(UuidRenderer.json(listing).utf8), "uuid")
  try exerciseNamesInOutputs(bytes)
}

/// The longest name or path that is made of an input.
private let nameLimit = 400

/// A report with two frames, one an inlined call, whose function, file and image names are pieces
/// of the input.
private func exerciseNamesInOutputs(_ bytes: [UInt8]) throws(Violation) {
  // A line end would end the record.
  let text = bytes.prefix(4 * nameLimit).filter { $0 != 0x0a && $0 != 0x0d }
  let part = text.count / 4
  let names = (0..<4).map { Array(text[($0 * part)..<(($0 + 1) * part)]) }
  var symbols = Array("MODULE mac arm64 0123456789ABCDEF0123456789ABCDEF0 ".utf8)
  symbols += names[0] + Array("\nFILE 0 ".utf8) + names[1]
  symbols += Array("\nINLINE_ORIGIN 0 ".utf8) + names[2]
  symbols += Array("\nFUNC 1000 100 0 ".utf8) + names[3]
  symbols += Array("\nINLINE 0 7 0 0 1000 80\n1000 100 9 0\n".utf8)
  let report = """
    Process:               app [1]
    Path:                  /app
    Code Type:             ARM-64

    Thread 0 Crashed:
    0   app                           \t0x0000000100001010 0x100000000 + 4112
    1   app                           \t0x0000000100001091 0x100000000 + 4241

    Binary Images:
    0x100000000 - 0x10000ffff app arm64  <0123456789abcdef0123456789abcdef> /app

    """
  guard let path = temporaryFile(symbols) else { return }
  defer { unsafe unlink(path) }
  for form in OutputForm.allCases {
    var options = SymbolicationOptions()
    options.explains = true
    var job = ReportJob(symbolPaths: [path], options: options, form: form)
    let result = job.symbolicate(Array(report.utf8), shownPath: "input")
    try check(result, form)
  }
}

/// A file with these bytes; nil if the system does not let one be made.
func temporaryFile(_ bytes: [UInt8]) -> String? {
  var name = Array("/tmp/symbolicate-fuzz-XXXXXX.sym".utf8CString)
  let descriptor = unsafe mkstemps(&name, 4)
  guard descriptor >= 0 else { return nil }
  let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let file = FileDescriptor(rawValue: descriptor)
  let isWritten = (try? file.closeAfter { try file.writeAll(bytes) }) != nil
  if !isWritten { unsafe unlink(path) }
  return isWritten ? path : nil
}
