import SymbolicationModel
import TestSupport
import Testing

struct HexadecimalTests {
  @Test func aNumberIsWrittenAs0xAndLowerCaseDigits() {
    expectEqual(UInt64(0).hexadecimal, "0x0")
    expectEqual(UInt64(0x1_0002_4f19).hexadecimal, "0x100024f19")
    expectEqual(UInt64.max.hexadecimal, "0xffffffffffffffff")
  }

  @Test func digitsArePaddedWithZerosAndNeverCut() {
    expectEqual(UInt32(0xab).hexadecimalDigits(count: 4), "00ab")
    expectEqual(UInt32(0xabcde).hexadecimalDigits(count: 4), "abcde")
    expectEqual(UInt8(0x0f).hexadecimalDigits(count: 2, uppercase: true), "0F")
    expectEqual(UInt8(0).hexadecimalDigits(count: 0), "0")
  }

  @Test func bytesAreWrittenWithTwoDigitsEach() {
    expectEqual([UInt8]().hexadecimalDigits, "")
    expectEqual([0x00, 0x0a, 0xff as UInt8].hexadecimalDigits, "000aff")
  }

  @Test func digitsOfEitherCaseHaveAValue() {
    expectEqual(hexadecimalDigitValue(UInt8(ascii: "7")), 7)
    expectEqual(hexadecimalDigitValue(UInt8(ascii: "c")), 12)
    expectEqual(hexadecimalDigitValue(UInt8(ascii: "C")), 12)
    expectNil(hexadecimalDigitValue(UInt8(ascii: "g")))
    expectNil(hexadecimalDigitValue(UInt8(ascii: "/")))
  }

  @Test func aUuidIsReadInEitherCaseAndNothingElseIs() {
    let plain = "a4B1de49-70b3-301D-a644-58d6bc22f513"
    let number = UInt128(plain.filter { $0 != "-" }, radix: 16)
    expectEqual(UInt128(uuid: Array(plain.utf8).span), number)
    for place in plain.utf8.indices.map({ plain.utf8.distance(from: plain.startIndex, to: $0) }) {
      for byte in UInt8.min...UInt8.max {
        var text = Array(plain.utf8)
        let isDash = text[place] == UInt8(ascii: "-")
        text[place] = byte
        let character = Character(Unicode.Scalar(byte))
        let isRight = isDash ? character == "-" : character.isASCII && character.isHexDigit
        let digits = text.filter { $0 != UInt8(ascii: "-") }
        let expected = isRight ? UInt128(String(decoding: digits, as: UTF8.self), radix: 16) : nil
        expectEqual(UInt128(uuid: text.span), expected, "\(place): \(byte)")
      }
    }
    for text in ["", String(plain.dropLast()), plain + "0", plain.filter { $0 != "-" }] {
      expectNil(UInt128(uuid: Array(text.utf8).span))
    }
  }
}
