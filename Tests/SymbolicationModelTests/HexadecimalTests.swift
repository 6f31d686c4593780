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
}
