import Foundation
import ReportRuns
import ReportSymbolication
import TestSupport
import Testing

/// A JSON report of an app "Letters". Tests change or remove its members.
struct TranslationBody {
  private var members: [(key: String, json: String)]
  var platform = 1

  /// On macOS 14, with all members that the three layouts share.
  static let letters = TranslationBody(members: [
    ("uptime", "4100"), ("wakeTime", "907"), ("userID", "501"), ("modelCode", #""Mac16,11""#),
    ("captureTime", #""2026-01-02 03:04:05.6789 +0100""#),
    ("procLaunch", #""2026-01-02 03:04:01.2345 +0100""#),
    ("incident", #""0A1B2C3D-0000-4000-8000-001122334455""#), ("pid", "812"),
    ("cpuType", #""ARM-64""#), ("procName", #""Letters""#),
    ("procPath", #""\/private\/var\/Letters.app\/Letters""#),
    (
      "bundleInfo",
      """
      {"CFBundleShortVersionString":"1.4","CFBundleVersion":"27","CFBundleIdentifier":\
      "org.example.letters"}
      """
    ),
    ("procRole", #""Foreground""#), ("parentProc", #""launchd""#), ("parentPid", "1"),
    ("coalitionName", #""org.example.letters""#), ("coalitionID", "970"),
    ("crashReporterKey", #""c0ffee""#), ("sip", #""enabled""#),
    ("osVersion", #"{"train":"macOS 14.6","build":"23G80","releaseType":"User"}"#),
    (
      "exception",
      """
      {"codes":"0x0000000000000001, 0x0000000000000000","type":"EXC_BAD_ACCESS",\
      "signal":"SIGSEGV","subtype":"KERN_INVALID_ADDRESS at 0x0000000000000000"}
      """
    ),
    (
      "termination",
      """
      {"flags":0,"code":11,"namespace":"SIGNAL","indicator":"Segmentation fault: 11",\
      "byProc":"exc handler","byPid":812}
      """
    ),
    (
      "asi",
      """
      {"libswiftCore.dylib":["Deck.swift:12: Fatal error: no cards"],\
      "libsystem_c.dylib":["abort() called"]}
      """
    ),
    ("faultingThread", "0"), ("threads", threads(state: arm64State)),
    (
      "usedImages",
      """
      [{"source":"P","arch":"arm64","base":4368957440,"size":32768,\
      "uuid":"3d9e0ded-2c66-30ee-ac6c-7c426246332e","path":"/private/var/Letters.app/Letters",\
      "name":"Letters","CFBundleIdentifier":"org.example.letters",\
      "CFBundleShortVersionString":"1.4"},\
      {"source":"P","arch":"arm64e","base":7207428096,"size":4096,\
      "uuid":"a49d560c-1323-3bfb-a7e8-762be0c1b2ef","path":"/usr/lib/swift/libswiftCore.dylib",\
      "name":"libswiftCore.dylib"},\
      {"source":"A","base":0,"size":0,"uuid":"00000000-0000-0000-0000-000000000000"}]
      """
    ),
    (
      "legacyInfo", #"{"threadTriggered":{"name":"main","queue":"com.apple.main-thread"}}"#
    ),
    (
      "extMods",
      """
      {"caller":{"thread_create":0,"thread_set_state":1,"task_for_pid":2},\
      "system":{"thread_create":1,"thread_set_state":2,"task_for_pid":3},\
      "targeted":{"thread_create":2,"thread_set_state":3,"task_for_pid":4}}
      """
    ),
    (
      "vmSummary",
      #""REGION TYPE       SIZE\n===========     =======\n__TEXT             32K \n""#
    ),
  ])

  /// Three threads. The first one crashed and has this `threadState` and more members.
  static func threads(state: String?, more: String = "") -> String {
    let state = state.map { #""threadState":\#($0),"# } ?? ""
    return """
      [{"triggered":true,"id":77,"queue":"com.apple.main-thread",\(state)\(more)"frames":[\
      {"imageOffset":2932,"symbol":"_assertionFailure(_:_:)","symbolLocation":308,"imageIndex":1},\
      {"imageOffset":1212,"sourceLine":12,"sourceFile":"Deck.swift","symbol":"Deck.draw()",\
      "imageIndex":0,"symbolLocation":20,"inline":true},\
      {"imageOffset":1212,"sourceLine":0,"sourceFile":"<compiler-generated>",\
      "symbol":"Deck.deal()","imageIndex":0,"symbolLocation":44},\
      {"imageOffset":1488,"sourceFile":"Deck.swift","symbol":"trap\\nreason","imageIndex":0,\
      "symbolLocation":0},\
      {"imageOffset":25788,"imageIndex":0},{"imageOffset":4332852180,"imageIndex":2}]},\
      {"id":78,"name":"reader","queue":"org.example.cards","frames":[\
      {"imageOffset":8,"symbol":"start","symbolLocation":8,"imageIndex":0}]},\
      {"id":79,"name":"idle","frames":[]}]
      """
  }

  static let arm64State = """
    {"flavor":"ARM_THREAD_STATE64","x":[\
    \((0..<29).map { "{\"value\":\($0)}" }.joined(separator: ","))],\
    "fp":{"value":6134087472},"lr":{"value":4335615520},"sp":{"value":6134087408},\
    "pc":{"value":4335065408},"cpsr":{"value":1610616832},"far":{"value":0},\
    "esr":{"value":4060086273,"description":"(Breakpoint) brk 1"}}
    """

  func setting(_ key: String, _ json: String) -> TranslationBody {
    var body = removing(key)
    body.members.append((key, json))
    return body
  }

  func removing(_ keys: String...) -> TranslationBody {
    var body = self
    body.members.removeAll { keys.contains($0.key) }
    return body
  }

  var keys: [String] { members.map(\.key) }

  // MARK: Layouts

  /// On a device with iOS 16.
  var onDevice: TranslationBody {
    setting(
      "osVersion",
      #"{"train":"iPhone OS 16.0","build":"20A362","releaseType":"User","isEmbedded":true}"#
    ).setting("modelCode", #""iPhone14,2""#).setting("basebandVersion", #""1.61.00""#)
      .removing("sip")
  }

  /// On macOS 26.
  var onMac26: TranslationBody {
    setting("osVersion", #"{"train":"macOS 26.1","build":"25B78","releaseType":"User"}"#)
  }

  // MARK: Translation

  /// The file.
  var json: String {
    """
    {"app_name":"Letters","bug_type":"309","platform":\(platform)}
    {
    \(members.map { "  \"\($0.key)\" : \($0.json)" }.joined(separator: ",\n"))
    }

    """
  }

  func translation() throws -> String {
    String(decoding: try require(unsymbolicatedText(of: [UInt8](json.utf8))), as: UTF8.self)
  }
}

/// Apple's text of a report, without symbol files. Nil if the input holds no report.
func unsymbolicatedText(of input: [UInt8]) -> [UInt8]? {
  var job = ReportJob(symbolPaths: [], form: .crash)
  let result = job.symbolicate(input, shownPath: "report")
  return result.hasReport ? result.output : nil
}

/// Expects consecutive lines somewhere in a text.
func expectLines(
  _ lines: String, in text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectContains("\n\(text)", "\n\(lines)\n", sourceLocation: sourceLocation)
}
