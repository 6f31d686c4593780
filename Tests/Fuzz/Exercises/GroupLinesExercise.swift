import CrashLogParser
import ReportGrouping
import ReportSymbolication
import SymbolicationModel

/// Gives each line of the input to `group`, as that of a report and as a partial result. What is
/// written is well-formed, and merging it again gives the same.
func exerciseGroupLines(_ bytes: [UInt8]) throws(Violation) {
  for version in SignatureVersion.allCases { try exerciseGroupLines(bytes, version) }
}

private func exerciseGroupLines(
  _ bytes: [UInt8], _ version: SignatureVersion
) throws(Violation) {
  var reports = GroupedReports(by: .signature, version)
  var partial = GroupedReports(by: .signature, version)
  for line in bytes.split(separator: UInt8(ascii: "\n")) {
    _ = reports.add(written: Array(line), path: "lines")
    _ = partial.table.merge(partial: Array(line))
  }
  try check(reports)
  try check(partial)
}

private func check(_ grouped: GroupedReports) throws(Violation) {
  let lines = grouped.table.written(as: .ndjson)
  var merged = GroupedReports(by: .signature, grouped.table.signatureVersion).table
  for line in lines.split(separator: UInt8(ascii: "\n")) {
    try require(merged.merge(partial: Array(line)) == nil, "what was written is read")
  }
  for form in GroupForm.allCases {
    let output = grouped.table.written(as: form)
    try require(output == merged.written(as: form), "\(form) is the same after merging")
    if form == .html {
      try checkPage(output)
    } else {
      try require(String(validating: output, as: UTF8.self) != nil, "\(form) is UTF-8")
    }
  }
  guard let document = try? JsonDocument(grouped.table.written(as: .json)) else {
    throw Violation(statement: "groups are JSON", file: #fileID, line: #line)
  }
  try require(document.damage == nil, "groups are whole JSON")
}
