import CrashLogParser
import Foundation
import SymbolicationModel
import TestSupport
import Testing

/// Reports with missing or unexpected values.
struct TranslationRobustnessTests {
  /// Keys without a value, which a translation must not contain. Section headings look the same.
  private static let headings = [
    "Application Specific Information:", "Binary Images:", "External Modification Summary:",
    "VM Region Summary:", "Kernel Triage:",
  ]

  private func emptyFields(in translation: String) -> [Substring] {
    translation.split(separator: "\n").filter { line in
      line.first?.isLetter == true && line.hasSuffix(":") && !line.contains("Thread")
        && !Self.headings.contains(String(line))
    }
  }

  @Test(arguments: [
    TranslationBody.letters, TranslationBody.letters.onDevice, TranslationBody.letters.onMac26,
  ])
  func missingValuesAreLeftOut(body: TranslationBody) throws {
    for key in body.keys where key != "threads" {
      let translation = try body.removing(key).translation()
      expectEmpty(emptyFields(in: translation), "\(key)")
      for wrong in ["null", "[]", "{}", "-1.5", "true", #""\u001b[2J""#] {
        let translation = try body.setting(key, wrong).translation()
        expectEmpty(emptyFields(in: translation), "\(key): \(wrong)")
        expectFalse(translation.contains("\u{1b}"), "\(key): \(wrong)")
      }
    }
  }

  @Test func almostEverythingMissing() throws {
    let body = TranslationBody.letters
    var bare = body
    for key in body.keys where key != "threads" && key != "usedImages" { bare = bare.removing(key) }
    let translation = try bare.setting("threads", "[]").setting("usedImages", "[]").translation()
    expectEmpty(emptyFields(in: translation))
    expectPrefix(translation, "Version:               ???\n")
    expectContains(translation, "\nBinary Images:\n")
  }

  /// TestFlight's copies have their own members and lack others.
  @Test func copyFromATester() throws {
    let body = TranslationBody.letters.onDevice.removing("crashReporterKey", "extMods", "vmSummary")
      .setting(
        "storeInfo",
        """
        {"deviceIdentifierForVendor":"7343E727","distributorID":"com.apple.TestFlight",\
        "applicationVariant":"1:iPhone14,2:16","entitledBeta":true}
        """
      ).setting(
        "bundleInfo", #"{"CFBundleVersion":"27","DTAppStoreToolsBuild":"17E187"}"#)
    let translation = try body.translation()
    expectTrue(
      translation.hasPrefix(
        """
        Incident Identifier: 0A1B2C3D-0000-4000-8000-001122334455
        Beta Identifier:     7343E727
        Distributor ID:      com.apple.TestFlight
        Hardware Model:      iPhone14,2
        Process:             Letters [812]
        Path:                /private/var/Letters.app/Letters
        Identifier:          Letters
        Version:             ??? (27)
        AppStoreTools:       17E187
        AppVariant:          1:iPhone14,2:16
        Beta:                YES
        Code Type:           ARM-64 (Native)

        """))
  }

  @Test func framesWhoseImageIsNotListed() throws {
    let threads = """
      [{"triggered":true,"frames":[{"imageOffset":5,"imageIndex":9},{"imageIndex":0},\
      {"imageOffset":18446744073709551615,"imageIndex":0},\
      {"imageOffset":5,"imageIndex":9,"symbol":"deal"}]}]
      """
    let translation = try TranslationBody.letters.setting("threads", threads).translation()
    let name = "???                           \t               0x0"
    expectLines("0   \(name) ???", in: translation)
    expectLines("3   \(name) deal", in: translation)
    let text = try require(CrashLogParser.parse([UInt8](translation.utf8)).first)
    expectEqual(text.threads.first?.frames.count, 4)
  }

  /// Line ends that would forge lines, and terminal control sequences.
  @Test func controlCharacters() throws {
    let threads = """
      [{"name":"a\\nThread 7 Crashed:","frames":[{"imageOffset":0,"imageIndex":0,\
      "symbol":"s\\u001b[31m\\u0085\\tt","symbolLocation":1}]}]
      """
    let translation = try TranslationBody.letters.setting("threads", threads).translation()
    expectLines("Thread 0:: a\u{fffd}Thread 7 Crashed:", in: translation)
    expectContains(translation, " s\u{fffd}[31m\u{fffd}\tt + 1\n")
  }

  /// A name longer than its column, an inlined call, and a function without a line.
  @Test func framesOfEveryShape() throws {
    let threads = """
      [{"name":"reader","queue":"org.example.cards","frames":[\
      {"imageOffset":8,"symbol":"draw()","symbolLocation":4,"sourceFile":"Deck.swift",\
      "sourceLine":7,"inline":true,"imageIndex":0},\
      {"imageOffset":8,"symbol":"deal()","symbolLocation":8,"sourceFile":"Deck.swift",\
      "imageIndex":0},{"imageOffset":7,"imageIndex":1}]}]
      """
    let images = """
      [{"base":4368957440,"size":32768,"name":"Letters"},\
      {"base":4294967296,"size":8,"name":"A Framework With a Name Longer Than Its Column"}]
      """
    let translation = try TranslationBody.letters.onMac26.setting("threads", threads)
      .setting("usedImages", images).translation()
    expectLines(
      """
      Thread 0:: reader Dispatch queue: org.example.cards
      0   Letters                       \t       0x104690008 draw() + 4 (Deck.swift:7) [inlined]
      1   Letters                       \t       0x104690008 deal() + 8
      2   A Framework With a Name Longer Than Its Column\t       0x100000007 0x100000000 + 7

      """, in: translation)
  }

  /// A cut report is translated up to the cut.
  @Test func damagedReport() throws {
    let bytes = [UInt8](TranslationBody.letters.json.utf8)
    for count in stride(from: 100, to: bytes.count, by: 97) {
      guard let text = unsymbolicatedText(of: Array(bytes[..<count])) else { continue }
      expectEqual(text.last, UInt8(ascii: "\n"))
    }
  }
}
