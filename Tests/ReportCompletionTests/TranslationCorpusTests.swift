import CrashLogParser
import Foundation
import TestSupport
import Testing

private func bytes(of name: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Corpus.path ?? "")/reports/\(name)")))
}

private func ownTranslation(of name: String) throws -> [UInt8] {
  try require(unsymbolicatedText(of: bytes(of: name)))
}

private func trimmed(_ text: some Collection<UInt8>) -> String {
  String(decoding: text, as: UTF8.self).trimmingCharacters(in: ["\n"])
}

/// The lines that differ, for failure messages.
private func difference(_ found: String, _ expected: String) -> String {
  let found = found.split(separator: "\n", omittingEmptySubsequences: false)
  let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let changes = found.difference(from: expected).prefix(12).map { change in
    switch change {
    case .remove(let offset, let line, _): "expected \(offset + 1): \(line)"
    case .insert(let offset, let line, _): "found \(offset + 1): \(line)"
    }
  }
  return changes.joined(separator: "\n")
}

/// Real reports, which are not part of the project. Apple's tools made the texts beside them.
@Suite(
  .enabled(if: Corpus.path != nil, "SYMBOLICATE_CORPUS does not name the folder of real reports"))
struct TranslationCorpusTests {
  /// A text and the JSON that it was made from, in separate files.
  @Test(arguments: [
    (
      "crash-text/macsymbolicator-ios-crash-bd079f.crash",
      "ips-309/macsymbolicator-ios-crash-11148a.ips"
    ),
    (
      "crash-text/macsymbolicator-multi-target-crash-f24644.crash",
      "ips-309/macsymbolicator-multi-target-crash-bb2ae6.ips"
    ),
    (
      "crash-text/macsymbolicator-single-target-crash-34df7f.crash",
      "ips-309/macsymbolicator-single-target-crash-735866.ips"
    ),
    (
      "crash-text/macsymbolicator-ios-crash-without-json-header-794bb5.crash",
      "ips-309/macsymbolicator-ios-crash-in-ips-format-972627.ips"
    ),
    (
      "crash-text-jsonheader/macsymbolicator-ios-crash-with-json-header-a149aa.crash",
      "ips-309/macsymbolicator-ios-crash-in-ips-format-972627.ips"
    ),
  ])
  func equalsTheTextFileBesideIt(textName: String, ipsName: String) throws {
    var text = try bytes(of: textName)[...]
    if text.first == UInt8(ascii: "{") { text = text.drop { $0 != UInt8(ascii: "\n") } }
    let (found, expected) = (trimmed(try ownTranslation(of: ipsName)), trimmed(text))
    if found != expected { Issue.record("\(difference(found, expected))") }
  }

  /// A text, followed by the JSON that it was made from.
  @Test(arguments: [
    "crash-text/ips2crashlog-target.txt", "crash-text/jbcrane13-CrabyFace-crashlog.txt",
    "crash-text/uptech-Monterey-CrashReport.txt", "crash-text/zwire-macos26-full-report.txt",
    "other/zwire-macos26-report-with-user-note-before.md",
  ])
  func equalsTheTextAboveIt(name: String) throws {
    let file = String(decoding: try bytes(of: name), as: UTF8.self)
    let heading = "Translated Report (Full Report Below)\n-------------------------------------\n"
    let start = try require(file.range(of: heading)).upperBound
    let end = try require(file.range(of: "-----------\nFull Report\n")).lowerBound
    // Apple's text keeps the line end in the name of a function.
    let apples = file[start..<end].replacing(
      "index out of bounds\n +", with: "index out of bounds\u{FFFD} +")
    let (found, expected) = (trimmed(try ownTranslation(of: name)), trimmed(apples.utf8))
    if found != expected { Issue.record("\(difference(found, expected))") }
  }

  /// The translation of every report has the same threads, frames and images when it is read again.
  @Test func everyReportIsReadFromItsTranslation() throws {
    let folder = "\(Corpus.path ?? "")/reports/ips-309"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count >= 11)
    for name in names {
      let report = try require(CrashLogParser.parse(bytes(of: "ips-309/\(name)")).first)
      let parsed = try CrashLogParser.parse(ownTranslation(of: "ips-309/\(name)"))
      expectEqual(parsed.count, 1, "\(name)")
      let text = try require(parsed.first)
      expectEmpty(text.faults, "\(name): \(text.faults)")
      expectEqual(
        text.threads.map { $0.frames.map(\.address) },
        report.threads.map { $0.frames.map(\.address) }, "\(name)")
      expectEqual(text.images.map(\.loadAddress), report.images.map(\.loadAddress), "\(name)")
      expectEqual(text.images.map(\.identity), report.images.map(\.identity), "\(name)")
    }
  }
}
