import Foundation
import TestSupport
import Testing
import Wording

/// The layouts are those of Python's `json.dumps`: `indent=2`, and `separators=(",", ":")`.
struct JsonWriterTests {
  private func write(_ writer: inout JsonWriter) {
    writer.object { writer in
      writer.member("text", "a/b")
      writer.member("nothing", nil as String?)
      writer.member("truth", true)
      writer.member("number", -3)
      writer.member("address", hexadecimal: 0x1_0002_4f19)
      writer.member(strings: "strings", ["x", "y"])
      writer.member(strings: "none", [])
      writer.member(object: "empty") { _ in }
      writer.member(array: "objects", [1, 2]) { writer, number in
        writer.object { $0.member("n", number) }
      }
      writer.member(optionalObject: "absent", nil)
    }
  }

  @Test func indented() {
    var writer = JsonWriter(.indented)
    write(&writer)
    expectEqual(
      writer.text,
      """
      {
        "text": "a/b",
        "nothing": null,
        "truth": true,
        "number": -3,
        "address": "0x100024f19",
        "strings": [
          "x",
          "y"
        ],
        "none": [],
        "empty": {},
        "objects": [
          {
            "n": 1
          },
          {
            "n": 2
          }
        ],
        "absent": null
      }
      """)
  }

  @Test func oneLine() {
    var writer = JsonWriter(.oneLine)
    write(&writer)
    expectEqual(
      writer.text,
      #"{"text":"a/b","nothing":null,"truth":true,"number":-3,"address":"0x100024f19","#
        + #""strings":["x","y"],"none":[],"empty":{},"objects":[{"n":1},{"n":2}],"absent":null}"#)
  }

  /// RFC 8259, section 6: readers agree on integers up to 2⁵³ − 1.
  @Test(
    arguments: [
      ((1 << 53) - 1, "9007199254740991"), (1 << 53, "null"), (.max, "null"), (0, "0"),
    ] as [(UInt64, String)])
  func largeNumbers(number: UInt64, text: String) {
    var writer = JsonWriter(.oneLine)
    writer.value(number)
    expectEqual(writer.text, text)
  }

  @Test(
    arguments: [
      (1 - (1 << 53), "-9007199254740991"), (-(1 << 53), "null"), (.min, "null"),
    ] as [(Int, String)])
  func largeNegativeNumbers(number: Int, text: String) {
    var writer = JsonWriter(.oneLine)
    writer.value(number)
    expectEqual(writer.text, text)
  }

  @Test(arguments: [JsonWriter.Layout.indented, .oneLine])
  func preparedKeysAreSpeltAsOthers(layout: JsonWriter.Layout) {
    var plain = JsonWriter(layout)
    var prepared = JsonWriter(layout)
    plain.object { writer in
      writer.member(array: "a", 0..<3) { writer, number in
        writer.object { writer in
          writer.member("first", number)
          writer.member("second", number)
        }
      }
    }
    prepared.object { writer in
      let keys = JsonWriter.Keys([
        writer.preparedKey("first", levels: 2, isFirst: true),
        writer.preparedKey("second", levels: 2),
      ])
      writer.member(array: "a", 0..<3) { writer, number in
        writer.object { writer in
          writer.key(0, of: keys)
          writer.value(number)
          writer.key(1, of: keys)
          writer.value(number)
        }
      }
    }
    expectEqual(prepared.text, plain.text)
  }

  @Test func pieces() {
    var whole = JsonWriter(.indented)
    var pieces: [[UInt8]] = []
    var cut = JsonWriter(.indented) { piece in
      pieces.append(piece)
      piece.removeAll()
    }
    for _ in 0..<2 {
      let texts = (0..<50_000).map { "text number \($0)" }
      whole.object { $0.member(strings: "texts", texts) }
      whole.finish()
      cut.object { $0.member(strings: "texts", texts) }
      cut.finish()
    }
    expectEmpty(cut.bytes)
    #expect(pieces.count > 4)
    expectTrue(pieces.joined().elementsEqual(whole.bytes))
  }
}
