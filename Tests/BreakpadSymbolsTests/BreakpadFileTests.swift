import BinaryInput
import BreakpadSymbols
import SymbolicationModel
import TestSupport
import Testing

/// Files written by hand. What they mean is stated in Breakpad's docs/symbol_files.md.
struct BreakpadFileTests {
  /// A function with two levels of inlined calls, and symbols around it.
  static let sample = """
    MODULE mac arm64 0123456789ABCDEF0123456789ABCDEF0 App
    INFO CODE_ID 0123456789ABCDEF0123456789ABCDEF
    INFO GENERATOR mozilla/dump_syms 2.3.4
    FILE 0 /src/main file.cc
    FILE 7 /src/base.h
    INLINE_ORIGIN 0 base::Run(int, char const*)
    INLINE_ORIGIN 3 base::Check()
    PUBLIC 800 0 _start
    FUNC m 1000 40 0 main(int, char**)
    INLINE 0 12 0 0 1010 10 1030 8
    INLINE 1 40 7 3 1018 4 1030 4
    1000 10 10 0
    1010 8 41 7
    1018 4 60 7
    101c 4 42 7
    1020 10 13 0
    1030 4 61 7
    1034 4 43 7
    FUNC 1100 10 8 other
    PUBLIC m 2000 0 last symbol
    STACK CFI INIT 1000 40 .cfa: sp 0 + .ra: x30
    STACK CFI 1004 .cfa: sp 16 +

    """

  /// U+10FEFF stands for the byte 0xff, which is not UTF-8. In a name it becomes U+FFFD.
  @Test func pathsKeepBytesThatAreNotUtf8() {
    let text = "FILE 0 /q*/a.c\nFUNC 10 10 0 f*\n10 10 7 0\n"
    let bytes = text.utf8.map { $0 == UInt8(ascii: "*") ? 0xff : $0 }
    let file = BreakpadFile(ByteRegion(copying: bytes))
    expectEqual(file.answer(0x10), ["f\u{fffd} +0 /q\u{10feff}/a.c:7"])
  }

  /// 500 calls of one function, whose name has 100,000 bytes: 50 MB, if each frame had a copy.
  @Test func framesShareTheNameOfTheirRecord() throws {
    let name = String(repeating: "n", count: 100_000)
    let text =
      "FILE 0 a.c\nINLINE_ORIGIN 4 \(name)\nFUNC 10 10 0 f\n"
      + (0..<500).map { "INLINE \($0) 7 0 4 10 10\n" }.joined()
    let file = BreakpadFile(text)
    var texts = BreakpadTexts()
    var faults: [BreakpadFault] = []
    let function = file.function(0)
    for _ in 0..<2 {
      let frames = function.frames(
        at: LinkAddress(0x12), in: file, texts: &texts, faults: &faults)
      expectEqual(frames.count, 501)
      expectEqual(frames.last?.name, "f")
      expectEqual(frames.first?.name, name)
      // The offsets of the records in the text.
      expectEqual(Set(frames.map(\.record)), [11, 11 + 16 + 100_001])
      let places = Set(
        frames.dropLast().map { frame in
          unsafe frame.name.utf8.withContiguousStorageIfAvailable {
            UInt(bitPattern: $0.baseAddress)
          }
        })
      expectEqual(places.count, 1)
    }
    expectEmpty(faults)
  }

  @Test func answersWithFunctionsLinesAndCalls() {
    let file = BreakpadFile(Self.sample)
    expectEmpty(file.faults)
    expectEqual(file.answer(0x1000), ["main(int, char**) +0 /src/main file.cc:10"])
    expectEqual(file.answer(0x100f), ["main(int, char**) +15 /src/main file.cc:10"])
    expectEqual(
      file.answer(0x1010),
      [
        "base::Run(int, char const*) +0 /src/base.h:41",
        "main(int, char**) +16 /src/main file.cc:12",
      ])
    expectEqual(
      file.answer(0x101b),
      [
        "base::Check() +3 /src/base.h:60", "base::Run(int, char const*) +11 /src/base.h:40",
        "main(int, char**) +27 /src/main file.cc:12",
      ])
    // The second range of both calls: an offset counts from the range that holds the address.
    expectEqual(
      file.answer(0x1032),
      [
        "base::Check() +2 /src/base.h:61", "base::Run(int, char const*) +2 /src/base.h:40",
        "main(int, char**) +50 /src/main file.cc:12",
      ])
    // Within the function, no row covers its end.
    expectEqual(file.answer(0x1038), ["main(int, char**) +56"])
    expectEqual(file.answer(0x1100), ["other +0"])
  }

  /// "The code extends to the next address mentioned."
  @Test func symbolsReachToTheNextRecord() {
    let file = BreakpadFile(Self.sample)
    expectEmpty(file.answer(0x7ff))
    expectEqual(file.answer(0x800), ["symbol _start +0"])
    expectEqual(file.answer(0xfff), ["symbol _start +2047"])
    // After a function there is no symbol before the next one.
    expectEmpty(file.answer(0x1040))
    expectEmpty(file.answer(0x1110))
    expectEqual(file.answer(0x2000), ["symbol last symbol +0"])
    expectEqual(file.answer(0x2fff), ["symbol last symbol +4095"])
    expectEqual(file.extent, LinkAddress(0)..<LinkAddress(0x2001))
    expectTrue(file.answers(LinkAddress(0x2000)))
    expectFalse(file.answers(LinkAddress(0x1040)))
  }

  @Test func aSymbolAtTheStartOfAFunctionDoesNotOutliveIt() {
    let file = BreakpadFile("FUNC 100 10 0 f\nPUBLIC 100 0 f\nPUBLIC 100 0 alias\n")
    expectEqual(file.answer(0x10f), ["f +15"])
    expectEmpty(file.answer(0x110))
  }

  @Test func theFirstOfSeveralAtOneAddressCounts() {
    let file = BreakpadFile(
      "FUNC 100 10 0 first\n100 10 1 0\nFUNC 100 10 0 second\nPUBLIC 200 0 one\nPUBLIC 200 0 two\n")
    expectEqual(file.answer(0x100), ["first +0"])
    expectEqual(file.answer(0x201), ["symbol one +1"])
  }

  @Test func aFunctionWithoutASizeIsASymbol() {
    let file = BreakpadFile("FUNC 100 0 0 no size\nFUNC 200 4 0 f\n")
    expectEqual(file.answer(0x1ff), ["symbol no size +255"])
    expectEqual(file.answer(0x200), ["f +0"])
  }

  @Test func recordsMayHaveAnyOrder() {
    let text = Self.sample.split(separator: "\n")
    // The records of a function stay together.
    let function = text.firstIndex { $0.hasPrefix("FUNC m") } ?? 0
    let other = text.firstIndex { $0.hasPrefix("FUNC 1100") } ?? 0
    let moved =
      text[0...2] + text[(other)...] + text[function..<other] + text[3..<function].reversed()
    let file = BreakpadFile(moved.joined(separator: "\n") + "\n")
    let sorted = BreakpadFile(Self.sample)
    for address in UInt64(0x7f0)..<0x2010 {
      expectEqual(file.answer(address), sorted.answer(address))
    }
  }

  @Test func linesMayEndWithCarriageReturns() {
    let file = BreakpadFile(Self.sample.replacing("\n", with: "\r\n"))
    let other = BreakpadFile(Self.sample)
    expectEmpty(file.faults)
    for address in UInt64(0x7f0)..<0x2010 {
      expectEqual(file.answer(address), other.answer(address))
    }
  }

  /// Before 2021, INLINE had no file of the call site, and INLINE_ORIGIN had the file in which the
  /// function is declared: a call within it is in this file.
  @Test func readsTheOlderFormOfInlinedCalls() {
    let file = BreakpadFile(
      """
      FILE 1 /a.cc
      FILE 2 /b.h
      INLINE_ORIGIN 0 2 outer call
      INLINE_ORIGIN 1 -1 inner call
      FUNC 100 20 0 f
      INLINE 0 5 0 100 10
      INLINE 1 6 1 104 4 108 4
      100 20 9 2

      """)
    expectEqual(file.answer(0x100), ["outer call +0 /b.h:9", "f +0"])
    expectEqual(file.answer(0x108), ["inner call +0 /b.h:9", "outer call +8 /b.h:6", "f +8"])
  }

  @Test func ofOverlappingFunctionsTheLastStartCounts() {
    let file = BreakpadFile(
      "FUNC 100 100 0 around\nFUNC 120 10 0 inside\nFUNC 128 100 0 beyond\n")
    expectEqual(file.answer(0x11f), ["around +31"])
    expectEqual(file.answer(0x127), ["inside +7"])
    expectEqual(file.answer(0x12f), ["beyond +7"])
    expectEqual(file.answer(0x227), ["beyond +255"])
    let nested = BreakpadFile("FUNC 100 100 0 around\nFUNC 120 10 0 inside\n")
    expectEqual(nested.answer(0x1ff), ["around +255"])
    expectEmpty(nested.answer(0x200))
  }

  @Test func namesMayBeMissing() {
    let file = BreakpadFile("FUNC 100 10 0 \nFUNC 200 10 0\nPUBLIC 300 0\n")
    expectEmpty(file.faults)
    expectTrue(file.answer(0x100) == [" +0"] && file.answer(0x200) == [" +0"])
    expectEqual(file.answer(0x300), ["symbol  +0"])
  }

  /// Letters of hexadecimal numbers may be capitals, with which words begin, too.
  @Test func capitalsAreDigits() {
    let file = BreakpadFile("FILE 0 /a\nFUNC FE00 100 0 f\nFE00 80 1 0\nFE80 80 2 0\n")
    expectEqual(file.answer(0xfe7f), ["f +127 /a:1"])
    expectEqual(file.answer(0xfe80), ["f +128 /a:2"])
  }

  @Test func anyNumberOfPartsGivesTheSame() {
    // Parts of 8 bytes and more cut every record somewhere.
    let whole = BreakpadFile(Self.sample)
    for partSize in [1, 8, 16, 33, 64, 100, 500] {
      let file = BreakpadFile(Self.sample, jobs: 64, partSize: partSize)
      expectEqual(file.extent, whole.extent)
      for address in stride(from: UInt64(0x7f0), to: 0x2010, by: 3) {
        expectEqual(file.answer(address), whole.answer(address))
      }
    }
  }
}
