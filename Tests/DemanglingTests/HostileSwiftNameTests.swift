import Demangling
import Platform
import SymbolicationModel
import TestSupport
import Testing

/// Swift names that no compiler writes. The runtime never sees those that would take it long,
/// overflow its stack or crash it.
struct HostileSwiftNameTests {
  /// Each type has the one before it twice, so the text would have 2^count words. The first three
  /// ways were seen to take the runtime seconds and gigabytes.
  @Test(arguments: [25, 40, 1000])
  func givesUpExponentialNames(count: Int) {
    let patterns: [(start: String, known: Int, next: (String) -> String)] = [
      ("1a1bV", 3, { "SDy\($0)\($0)G" }),
      ("1a1bV", 3, { "\($0)_\($0)tSg" }),
      ("1a1bV", 3, { "\($0)\($0)cSg" }),
      ("xSg", 1, { "\($0)_\($0)QPSg" }),
      ("xSg", 1, { "\($0)\($0)YKcSg" }),
      ("xSg", 1, { "\($0)\($0)Qp_tSg" }),
      ("Qr_tSg", 1, { "\($0)_\($0)tSg" }),
    ]
    // As a type, as a variable, and as the argument of a specialised function. Identifiers count as
    // substitutions.
    let wholes: [(start: String, known: Int, end: String)] = [
      ("$s", 0, "D"), ("_$s4main1x", 2, "vp"), ("_T0", 0, "D"), ("$e", 0, "D"),
      ("@__swiftmacro_", 0, "D"), ("$s4main1fyyF", 2, "_Tg5"),
    ]
    for pattern in patterns {
      for whole in wholes {
        var name = whole.start + pattern.start
        for index in 0..<count {
          name += pattern.next(Self.substitution(whole.known + pattern.known - 1 + index))
        }
        let limit = Self.limit(of: name + whole.end)
        expectTrue(limit == .shownLength || limit == .nesting || limit == .nameLength, "\(name)")
      }
    }
  }

  @Test func givesUpNamesWithManyCopies() {
    let copies = String(repeating: "A2048A", count: 200)
    expectEqual(Self.limit(of: "$s4main1aV\(copies)_tD"), .shownLength)
    let types = String(repeating: "S2048i", count: 200)
    expectEqual(Self.limit(of: "$s\(types)_tD"), .shownLength)
    expectNil(Self.limit(of: "$s4main1aVA2049A_tD"))
  }

  /// A word of an identifier may be repeated by two bytes, so the text is in proportion to the
  /// square of the name.
  @Test func givesUpLongRepeatedWords() {
    let word = String(repeating: "x", count: 7_000)
    let repeated = String(repeating: "a", count: 7_000)
    expectEqual(Self.limit(of: "$s1a7000\(word)0\(repeated)A0V"), .shownLength)
  }

  @Test func givesUpSignaturesWithManyParameters() {
    let counts = String(repeating: "99_", count: 4_000)
    expectEqual(Self.limit(of: "$s4main1fyyr\(counts)lF"), .shownLength)
    let requirements = String(repeating: "SQRz", count: 3_000)
    expectEqual(Self.limit(of: "$s4main1fyy\(requirements)r99_99_99_lF"), .shownLength)
  }

  @Test func limitsPunycode() {
    let text = String(repeating: "a9", count: 4_000)
    expectEqual(Self.limit(of: "$s4main008000\(text)V"), .shownLength)
  }

  @Test func givesUpLongNames() {
    expectEqual(
      Self.limit(of: "$s4main16400\(String(repeating: "x", count: 16_400))V"), .nameLength)
  }

  /// The name of a closure may stand in that of the function that is specialised for it.
  @Test func looksIntoNamesOfClosures() {
    var type = "xSg"
    for index in 2..<32 {
      let substitution = Self.substitution(index)
      type += "\(substitution)_\(substitution)tSg"
    }
    let closure = "$s4main1x\(type)vp"
    let name = "$s4main1fyyF\(closure.utf8.count)\(closure)Tf3npf_n"
    expectEqual(Self.limit(of: name), .shownLength)
    // Words and Punycode cannot hide it.
    let rest = closure.dropFirst(3)
    let hidden = "$s4main1fyyF3$s40B\(rest.utf8.count)\(rest)Tf3npf_n"
    expectEqual(Self.limit(of: hidden), .shownLength)
    expectTrue(Self.isShownMangled("$s4main1fyyF005foo_3Tf3npf_n"))
  }

  /// Names in which each operator contains the one before it. The threads have the smallest stack
  /// that the runtime needs at the deepest nesting, and a quarter of what the program's have.
  @Test func survivesDeepNestingOnSmallStacks() {
    let result = onThread(stackSize: 512 << 10) {
      var problems: [String] = []
      for operators in [
        "Sg", "yXE", "yc", "m", "_t", "1bV", "1byyF", "yycfU_", "1aQx", "Iegr_", "Z", "yXc", "XSq",
        "1cLL", "La", "fA_", "Tc", "lu", "_Xx", "XMT", "1cfMu_", "SiQp", "z", "Xo", "QO", "1bQryF",
      ] {
        for count in [10, 100, 115, 124, 125, 126, 127, 128, 129, 1_000, 5_000] {
          let nested = String(repeating: operators, count: count)
          for name in ["$s1a1fyySi\(nested)F", "$s1a\(nested)", "$sSi\(nested)D", "$sx\(nested)D"] {
            if count >= 1_000, !Self.isShownMangled(name), name.utf8.count > 3_000 {
              problems.append(name)
            }
            _ = isSwiftThunk(name)
          }
        }
      }
      return problems
    }
    expectEqual(result, [])
    let deep = "$s1a1fyySi" + String(repeating: "Sg", count: 200) + "F"
    expectEqual(Self.limit(of: deep), .nesting)
  }

  /// The runtime crashes with these: it shows a part that only makes sense within another one, or
  /// reads through a null pointer.
  @Test(arguments: ["$s4main1aVRVz", "$s4main1aSaFS5i_t1bfMf_", "$s4main1ayyKfMf_"])
  func survivesNamesThatCrashTheRuntime(name: String) {
    expectTrue(Self.isShownMangled(name))
  }

  @Test func survivesPrefixes() throws {
    for name in try SwiftSample.names() {
      for length in 0..<name.raw.utf8.count {
        check(Array(name.raw.utf8.prefix(length)))
      }
    }
  }

  /// Bytes are replaced, removed, repeated and taken from other names; operators are put in.
  @Test func survivesMutations() throws {
    let names = try SwiftSample.names().map { Array($0.raw.utf8) }
    let operators = [
      "A", "AA", "AB", "AC", "A3B", "A2_", "y", "_", "_t", "c", "Sg", "SDy", "G", "Q", "xQz", "l",
      "F", "vp", "fU_", "T", "Tg5", "Tf3npf_n", "0aB", "00", "R", "HC", "I", "X", "W", "M", "Qr",
    ].map { Array($0.utf8) }
    var random = SeededGenerator(seed: 15)
    for _ in 0..<25_000 {
      guard var name = names.randomElement(using: &random),
        let other = names.randomElement(using: &random),
        let inserted = operators.randomElement(using: &random)
      else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) where name.count > 4 {
        let place = Int.random(in: 2..<name.count, using: &random)
        let end = min(name.count, place + Int.random(in: 0...8, using: &random))
        let start = Int.random(in: 0..<other.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: name[place] = UInt8.random(in: 32...126, using: &random)
        case 1: name.removeSubrange(place..<end)
        case 2: name.insert(contentsOf: name[place..<end], at: place)
        case 3: name.insert(contentsOf: other[start..<min(other.count, start + 12)], at: place)
        default: name.insert(contentsOf: inserted, at: place)
        }
      }
      check(name)
    }
  }

  /// What is shown is within the bound.
  private func check(_ bytes: [UInt8]) {
    let name = String(decoding: bytes, as: UTF8.self)
    var meter = SwiftNameMeter()
    let isRead = (try? meter.check(name)) != nil
    for style: DemanglingStyle in [.full, .simplified] {
      var demangler = SymbolDemangler(style: style)
      let shownName = demangler.shownName(of: name, isMachOSymbol: false)
      expectTrue(shownName == name || (isRead && shownName.utf8.count <= meter.size), "\(name)")
    }
    _ = isSwiftThunk(name)
  }

  private static func limit(of name: String) -> DemanglingLimit? {
    var demangler = SymbolDemangler(style: .full)
    expectEqual(demangler.shownName(of: name, isMachOSymbol: false), name)
    return demangler.limitExceeded(by: name)
  }

  private static func isShownMangled(_ name: String) -> Bool {
    [.full, .simplified].allSatisfy { (style: DemanglingStyle) in
      var demangler = SymbolDemangler(style: style)
      return demangler.shownName(of: name, isMachOSymbol: false) == name
    }
  }

  /// The substitution with the given index: `AA`, …, `AZ`, `A_`, `A0_`.
  private static func substitution(_ index: Int) -> String {
    switch index {
    case 0..<26: "A" + String(Character(Unicode.Scalar(UInt8(65 + index))))
    case 26: "A_"
    default: "A\(index - 27)_"
    }
  }

  /// Calls `body` on a thread with a stack of that many bytes; nil if the system refuses one.
  private func onThread(
    stackSize: Int, _ body: @escaping () -> [String]
  ) -> [String]? {
    let work = Work(body)
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    var thread = pthread_t()
    // Safe: the thread has a reference of its own, and is waited for.
    let status = unsafe pthread_create(
      &thread, &attributes,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    guard status == 0 else { return nil }
    pthread_join(thread, nil)
    return work.result
  }

  private final class Work {
    private let body: () -> [String]
    private(set) var result: [String]?

    init(_ body: @escaping () -> [String]) { self.body = body }

    func run() { result = body() }
  }
}
