import SymbolicationModel
import Testing

struct HexadecimalTests {
  @Test func aNumberIsWrittenAs0xAndLowerCaseDigits() {
    #expect(UInt64(0).hexadecimal == "0x0")
    #expect(UInt64(0x1_0002_4f19).hexadecimal == "0x100024f19")
    #expect(UInt64.max.hexadecimal == "0xffffffffffffffff")
  }

  @Test func digitsArePaddedWithZerosAndNeverCut() {
    #expect(UInt32(0xab).hexadecimalDigits(count: 4) == "00ab")
    #expect(UInt32(0xabcde).hexadecimalDigits(count: 4) == "abcde")
    #expect(UInt8(0x0f).hexadecimalDigits(count: 2, uppercase: true) == "0F")
    #expect(UInt8(0).hexadecimalDigits(count: 0) == "0")
  }

  @Test func bytesAreWrittenWithTwoDigitsEach() {
    #expect([UInt8]().hexadecimalDigits == "")
    #expect([0x00, 0x0a, 0xff as UInt8].hexadecimalDigits == "000aff")
  }

  @Test func digitsOfEitherCaseHaveAValue() {
    #expect(hexadecimalDigitValue(UInt8(ascii: "7")) == 7)
    #expect(hexadecimalDigitValue(UInt8(ascii: "c")) == 12)
    #expect(hexadecimalDigitValue(UInt8(ascii: "C")) == 12)
    #expect(hexadecimalDigitValue(UInt8(ascii: "g")) == nil)
    #expect(hexadecimalDigitValue(UInt8(ascii: "/")) == nil)
  }
}
