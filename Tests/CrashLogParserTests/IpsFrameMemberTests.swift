import CrashLogParser
import SymbolicationModel
import Testing

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
    let found = try #require(report.allFrames.first)
    #expect(found.imageOffset == offset)
    #expect(found.imageIndex == index)
    #expect(found.address?.value == address)
    #expect(report.faults.map { text[$0.byteRange] } == faults)
    #expect(text.text(found.byteRange) == frame)
  }
}
