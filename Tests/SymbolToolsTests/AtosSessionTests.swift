import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import SymbolTools

/// `atos` with many words. The referee is the same with one word at a time, which other tests
/// compare with other tools.
struct AtosSessionTests {
  private static let files = [
    ["LetterShuffle/Letter Shuffle.app.dSYM"],
    ["Inlines/Inlines.dSYM"],
    ["Elf/shapes-gcc.elf"],
    ["Elf/libshapes-nodebug.elf"],
    ["MachO/libshapes.dylib"],
    ["Bitcode/Inlines.xcarchive/dSYMs/Inlines.dSYM"],
    ["DebugMap/arm64-dwarf5/ledger"],
    ["Gsym/inlines-version1.gsym"],
    ["Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym"],
    // Images that overlap: the first answers.
    ["MachO/libshapes.dylib", "Elf/libshapes.elf", "Inlines/Inlines.dSYM"],
    ["Elf/libshapes.elf", "MachO/libshapes.dylib"],
  ]

  private static let oddWords = [
    "hello", "0x", "-", "0x10000000000000000", "0xffffffffffffffff", "0x0", "é", "\u{1b}[1m",
    "0x8000000100000f00",
  ]

  private func session(_ options: AtosOptions) throws -> AtosSession { try AtosSession(options) }

  /// Words in random order, some of them several times, some of them no addresses.
  private func words(of files: [String], count: Int) throws -> [String] {
    var random = SeededGenerator(seed: UInt64(count))
    var words: [String] = []
    for file in files {
      let isLinkedToZero =
        file.hasPrefix("Elf") || file.hasPrefix("Breakpad") || file.hasSuffix("dylib")
      let base: UInt64 = isLinkedToZero ? 0 : 1 << 32
      words += (0..<count).map { _ in
        UInt64.random(in: base..<base + 0x8000, using: &random).hexadecimal
      }
    }
    words += words.prefix(count / 4) + Self.oddWords
    words.shuffle(using: &random)
    return words
  }

  private func output(_ session: AtosSession, _ words: AtosWordList) -> String {
    let output = Output()
    session.answer(words) { part in output.bytes.withLock { $0 += part } }
    return String(decoding: output.bytes.withLock { $0 }, as: UTF8.self)
  }

  private final class Output: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  @Test(arguments: files)
  func manyWordsAreAnsweredLikeSingleOnes(files: [String]) throws {
    var options = AtosOptions(symbolFiles: files.map { Fixtures.path($0) })
    let words = try words(of: files, count: 700)
    for (inlined, fullPath, delimiter) in [
      (false, false, "\n"), (true, false, "\n"), (true, true, " <- "), (true, false, ""),
    ] {
      options.showsInlinedFrames = inlined
      options.showsFullPath = fullPath
      options.inlineDelimiter = delimiter
      let single = try session(options)
      let expected = words.map { output(single, AtosWordList(arguments: [$0])) }.joined()
      for jobs in [1, 2, 4] {
        options.jobs = jobs
        let many = try session(options)
        expectEqual(output(many, AtosWordList(arguments: words)), expected, "\(jobs) jobs")
        expectEqual(many.problems, single.problems, "\(jobs) jobs")
        // Asked again, in two parts.
        let half = words.count / 2
        expectEqual(
          output(many, AtosWordList(arguments: Array(words[..<half])))
            + output(many, AtosWordList(arguments: Array(words[half...]))), expected,
          "\(jobs) jobs")
      }
    }
  }

  @Test(arguments: [
    AtosOptions.Addressing.offset, .slid(by: 0x1_0000), .loaded(at: LoadAddress(0x7000_0000)),
    .slid(by: 0 &- 0x1000),
  ])
  func addressings(_ addressing: AtosOptions.Addressing) throws {
    let options = AtosOptions(
      symbolFiles: [Fixtures.storyBundle], addressing: addressing, showsInlinedFrames: true)
    let many = try session(options)
    let single = try session(options)
    let base: UInt64 =
      switch addressing {
      case .offset: 0
      case .slid(let slide): 0x1_0000_0000 &+ slide
      case .loaded(let address), .textExecLoaded(let address): address.value
      case .linked: 0x1_0000_0000
      }
    let words = stride(from: 0, to: 0x3_0000, by: 52).map { (base &+ $0).hexadecimal }
    expectEqual(
      output(many, AtosWordList(arguments: words)),
      words.map { output(single, AtosWordList(arguments: [$0])) }.joined())
  }

  /// In a dyld shared cache, an address is in the library that holds it. One that counts from the
  /// start of a library may be in any.
  @Test func sharedCache() throws {
    let bytes = SharedCacheBytes(SharedCacheBytes.kinds[3])
    let folder = try TemporaryDirectory()
    let path = try bytes.write(to: folder)
    let slide: UInt64 = 0x100_0000
    let many = try session(AtosOptions(symbolFiles: [path], addressing: .slid(by: slide)))
    for function in bytes.functions where function.end > function.start {
      let name = function.name.hasPrefix("_") ? String(function.name.dropFirst()) : function.name
      expectEqual(
        output(many, AtosWordList(arguments: [(function.start + slide).hexadecimal])),
        "\(name) (in libexample\(function.library).dylib) + 0\n")
    }
    for addressing in [AtosOptions.Addressing.offset, .loaded(at: LoadAddress(0x1000))] {
      #expect(throws: AtosSession.OpeningError.self) {
        try AtosSession(AtosOptions(symbolFiles: [path], addressing: addressing))
      }
    }
  }

  /// More words than are composed at a time.
  @Test func moreThanOneBlock() throws {
    var options = AtosOptions(symbolFiles: [Fixtures.storyBundle])
    options.jobs = 3
    let session = try session(options)
    let words = Array(repeating: ["10002719c", "other", "100027190"], count: 50_000).flatMap(\.self)
    let single = words.prefix(3).map { output(session, AtosWordList(arguments: [$0])) }.joined()
    expectEqual(
      output(session, AtosWordList(text: Array(words.joined(separator: " ").utf8))),
      String(repeating: single, count: 50_000))
  }

  /// Names of 20,000 bytes are more than one thread's labels may take, names of 5,000 bytes with
  /// four calls are longer than an answer in the table, and both follow short ones. The file states
  /// all names.
  @Test func longNames() throws {
    let directory = try TemporaryDirectory()
    var records = ["MODULE Linux x86_64 00000000000000000000000000000000 long", "FILE 0 a.c"]
    var expected = ""
    var words: [String] = []
    for index in 0..<3_000 {
      let size = [3, 200, 20_000][index % 3]
      let name = "f\(index)_" + String(repeating: "x", count: size)
      let address = 0x1000 + index * 16
      records.append("FUNC \(address.hexadecimal.dropFirst(2)) 10 0 \(name)")
      records.append("\(address.hexadecimal.dropFirst(2)) 10 \(index + 1) 0")
      words.append(address.hexadecimal)
      expected += "\(name) (in long) (a.c:\(index + 1))\n"
    }
    let path = try directory.write(
      records.joined(separator: "\n").utf8, to: "long.sym")
    let session = try session(AtosOptions(symbolFiles: [path]))
    let text = Array(words.joined(separator: " ").utf8)
    // Not `expectEqual`, which would print 40 MB.
    expectTrue(output(session, AtosWordList(arguments: [], text: text)) == expected)
  }

  private func words(of list: AtosWordList, in range: Range<Int>? = nil) -> [String] {
    var words: [String] = []
    list.forEach(in: range) { _, bytes in
      words.append(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))
    }
    return words
  }

  @Test func wordsInTheMiddleOfAText() {
    let numbers = (0..<10_000).map(String.init)
    let list = AtosWordList(
      arguments: Array(numbers[..<10]), text: Array(numbers[10...].joined(separator: "\n").utf8))
    expectEqual(list.count, numbers.count)
    for range in [0..<0, 0..<3, 5..<15, 10..<11, 4105..<4107, 4090..<9000, 9999..<10_000] {
      expectEqual(words(of: list, in: range), Array(numbers[range]))
    }
  }

  @Test func wordsOfAText() {
    let list = AtosWordList(
      arguments: ["a b", ""], text: Array("\n 0x1\t\u{b}\u{c}\r\n 2é\u{a0}3 ".utf8) + [0xff, 0x20])
    expectEqual(words(of: list), ["a b", "", "0x1", "2é\u{a0}3", "\u{fffd}"])
    var addresses: [UInt64] = []
    list.forEachAddress { value, _ in addresses.append(value) }
    expectEqual(addresses, [1])
    expectEqual(AtosWordList().count, 0)
  }
}
