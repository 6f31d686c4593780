import SymbolicationModel
import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportModel

/// Which member of a frame is which. Expected values are read off the JSON (RFC 8259); the first of
/// repeated keys counts.
struct IpsFrameMemberTests {
  @Test(
    arguments: [
      // Escapes in a key: it is the same key.
      (#"{"image\u004fffset":1,"imag\u0065Index":0}"#, 1, 0, 4097, []),
      (#"{"imageOffset":1,"imageIndex":0,"\u0073ymbol":7}"#, 1, 0, 4097, ["7"]),
      // Keys that begin or end like the ones that are read, and longer ones.
      (#"{"imageOffse":2,"imageOffsets":3,"imageOffset":1,"imageIndex":0}"#, 1, 0, 4097, []),
      (#"{"":2,"imageOffset imageOffset":3,"imageOffset":1,"imageIndex":0}"#, 1, 0, 4097, []),
      (#"{"symbolLocations":"","ymbol":1,"imageOffset":1,"imageIndex":0}"#, 1, 0, 4097, []),
      // Objects and arrays before them that contain the same keys.
      (
        #"{"a":{"imageOffset":9},"b":[["imageIndex"],{}],"imageOffset":1,"imageIndex":0}"#, 1, 0,
        4097, []
      ),
      // Repeated keys.
      (#"{"imageOffset":1,"imageIndex":0,"imageOffset":2,"imageIndex":3}"#, 1, 0, 4097, []),
      (#"{"imageOffset":null,"imageIndex":0,"imageOffset":2}"#, nil, 0, nil, []),
      // Other spellings of numbers, and large numbers.
      (#"{"imageOffset":1.6e1,"imageIndex":0.0}"#, 16, 0, 4112, []),
      (#"{"imageOffset":1,"imageIndex":4294967294}"#, 1, 4_294_967_294, nil, ["4294967294"]),
      (#"{"imageOffset":1,"imageIndex":4294967295}"#, 1, 4_294_967_295, nil, ["4294967295"]),
      (
        #"{"imageOffset":1,"imageIndex":9223372036854775807}"#, 1, Int.max, nil,
        ["9223372036854775807"]
      ),
      (#"{"imageOffset":1,"imageIndex":9223372036854775808}"#, 1, nil, nil, []),
      (#"{"imageOffset":18446744073709551615,"imageIndex":0}"#, UInt64.max, 0, nil, []),
      (#"{"imageOffset":18446744073709547519,"imageIndex":0}"#, .max - 4096, 0, .max, []),
      // Kinds.
      (#"{"imageOffset":[],"imageIndex":{}}"#, nil, nil, nil, ["[]", "{}"]),
      (
        #"{"symbol":{},"sourceLine":-1,"inline":"no","imageOffset":1,"imageIndex":0}"#, 1, 0, 4097,
        ["{}", "-1", "\"no\""]
      ),
      (
        #"{"symbol":null,"sourceLine":1e2,"inline":"true","imageOffset":1,"imageIndex":0}"#, 1, 0,
        4097, []
      ),
      ("{}", nil, nil, nil, []),
    ] as [(String, UInt64?, Int?, UInt64?, [String])])
  func members(
    frame: String, offset: UInt64?, index: Int?, address: UInt64?, faults: [String]
  ) throws {
    let text = try ParsedText(IpsText.body(frames: frame))
    let report = try text.report
    let found = try require(report.allFrames.first)
    expectEqual(found.imageOffset, offset)
    expectEqual(found.imageIndex, index)
    expectEqual(found.address?.value, address)
    expectEqual(report.faults.map { text[$0.byteRange] }, faults)
    expectEqual(text.text(found.byteRange), frame)
  }

  /// What is known of a name without making a text of it: only the first bytes are looked at.
  @Test(
    arguments: [
      ("", .none), (#","symbol":null"#, .unread), (#","symbol":"""#, .none),
      (#","symbol":"main","symbolLocation":8"#, .plain), (#","symbol":"_start""#, .plain),
      (#","symbol":"_sigtramp","symbolLocation":56"#, .trampoline),
      (#","symbol":"_sigtramp2""#, .plain), (#","symbol":"__restore_rt""#, .trampoline),
      (#","symbol":"_sigtram""#, .plain), (#","symbol":"_""#, .plain),
      // Names that may say nothing, and those with escapes, are read.
      (#","symbol":"<redacted>""#, .unread), (#","symbol":"<A as B>.c()""#, .unread),
      (#","symbol":"0x10""#, .unread), (#","symbol":"_sigtram\u0070""#, .unread),
      (#","symbol":"\u005fsigtramp""#, .unread), (#","symbol":"a\\b""#, .plain),
      (#","symbol":"é""#, .plain),
      // Other keys decide too, and repeated ones.
      (#","symbol":"main","sourceFile":"a.swift""#, .unread),
      (#","symbol":"main","sourceLine":3"#, .unread), (#","symbol":"main","inline":true"#, .unread),
      (#","symbol":"main","symbol":"other""#, .unread), (#","symbol":7,"symbol":"main""#, .unread),
      (#","symbol":"main","symbolLocation":-1"#, .unread),
      (#","\u0073ymbol":"main""#, .unread), (#","symbol":"main","x":1"#, .unread),
    ] as [(String, IpsFrame.NameStatement)])
  func namesWithoutText(members: String, statement: IpsFrame.NameStatement) throws {
    let frame = #"{"imageOffset":1,"imageIndex":0"# + members + "}"
    let report = try ParsedText(IpsText.body(frames: frame)).report
    let found = try require(report.allFrames.first)
    expectEqual(found.object?.nameStatement, statement)
    // Whatever is known without it is what the text says.
    let symbol = found.symbol
    switch statement {
    case .none: expectNil(symbol)
    case .plain, .trampoline:
      expectTrue(symbol != nil && symbol?.file == nil && symbol?.line == nil)
      expectEqual(symbol?.isInlined, false)
      expectEqual(symbol.map { SignalTrampoline.isName($0.name) }, statement == .trampoline)
    case .unread: break
    }
  }
}
