import Demangling
import SymbolicationModel
import TestSupport
import Testing

/// Names that no compiler writes. None takes long or traps: what goes beyond a limit is shown as it
/// is.
struct HostileItaniumNameTests {
  /// Each part holds the one before it twice, so the text would have 2^40 words.
  @Test(arguments: [40, 1000])
  func givesUpExponentialNames(count: Int) {
    var arguments = "_Z1f1AIiiE"
    var functions = "_Z1fFiiE"
    for index in 1..<count {
      let previous = Self.substitution(index)
      arguments += "S_I\(previous)\(previous)E"
      functions += "F\(Self.substitution(index - 1))\(Self.substitution(index - 1))E"
    }
    expectEqual(shown(arguments), arguments)
    expectEqual(shown(functions), functions)
  }

  @Test func givesUpExponentialPacks() {
    // Each expansion repeats its pattern for 20 arguments.
    let pack = String(repeating: "i", count: 20)
    var pattern = "T_"
    for _ in 0..<20 { pattern = "Dp1AI\(pattern)T_E" }
    let name = "_Z1fIJ\(pack)EEv\(pattern)"
    expectEqual(shown(name), name)
  }

  /// The texts around empty packs are written and removed again.
  @Test func limitsTextThatIsRemoved() {
    let long = String(repeating: "x", count: 30_000)
    let name =
      "_Z1fIJEEvDp1AI30000\(long)T_E" + String(repeating: "S1_", count: 9_000)
    expectEqual(shown(name), name)
  }

  @Test(arguments: [
    "P", "K", "R", "A_", "M1A", "F", "N", "I", "1AI", "N1AI", "X", "Dp", "DTad", "Z1f", "_Z", "L_Z",
    "IJ", "XL_Z", "U3AS1", "NUl", "UlTt", "Tt", "Tp", "cv", "N1Acv", "W1a", "DO", "Dw", "DTcl",
    "il", "tl", "dx", "so", "rq", "rQ", "fL0p", "nw", "sr", "srN", "GV", "Th0_", "Tc", "GR", "TA",
    "TC",
    "u1aI", "1aQ", "N1ACI1",
  ])
  func survivesDeepNesting(part: String) {
    for length in [2_000, 60_000, 100_000] {
      let deep = String(repeating: part, count: length / part.utf8.count)
      for name in ["_Z\(deep)", "_Z1f\(deep)", "_Z1f\(deep)i", "_Z1fI\(deep)", "_Z1fIX\(deep)"] {
        expectTrue(shown(name) == name || shown(name).utf8.count <= Self.longestText)
      }
    }
  }

  @Test func survivesLongChainsOfSubstitutions() {
    var pointers = "_Z1fPi"
    var instances = "_Z1f1AIiE"
    for index in 1..<5_000 {
      pointers += "P" + Self.substitution(index - 1)
      instances += "S_I\(Self.substitution(index))E"
    }
    expectEqual(shown(pointers), pointers)
    expectEqual(shown(instances), instances)
  }

  @Test func survivesLargeNumbers() {
    let nines = String(repeating: "9", count: 60_000)
    for name in [
      "_Z\(nines)", "_Z1fS\(nines)_", "_Z1fT\(nines)_", "_Z1fTL\(nines)_\(nines)_",
      "_ZN1AUt\(nines)_E",
      "_Z1fA\(nines)_i", "_Z1fILi\(nines)EEvv", "_ZThn\(nines)_1fv", "_Z999999999999999999999a",
      "_Z18446744073709551617a", "_Z1fSZZZZZZZZZZZZZZZZZZ_",
    ] {
      #expect(shown(name).utf8.count <= Self.longestText)
    }
  }

  /// A template argument that contains the conversion operator that it is an argument of.
  @Test(arguments: [
    "_ZN1AcvT_IS0_EEv", "_ZN1AcvPT_IS0_EEv", "_ZN1AcvOT_IL_Z1gIS_DiES1_vEsEE",
    "_ZN1Acv1BIT_T0_EIS1_S1_EEv",
  ])
  func survivesNamesThatContainThemselves(name: String) {
    #expect(shown(name).utf8.count <= Self.longestText)
  }

  @Test func survivesPrefixes() throws {
    for (rawName, _) in try ItaniumSample.names() {
      for length in 0..<rawName.utf8.count {
        let prefix = String(decoding: rawName.utf8.prefix(length), as: UTF8.self)
        #expect(shown(prefix).utf8.count <= Self.longestText)
      }
    }
  }

  /// Bytes are replaced, removed, repeated and taken from other names.
  @Test func survivesMutations() throws {
    let names = try ItaniumSample.names().map { Array($0.rawName.utf8) }
    var random = SeededGenerator(seed: 14)
    for _ in 0..<25_000 {
      guard var name = names.randomElement(using: &random),
        let other = names.randomElement(using: &random), !other.isEmpty
      else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) where name.count > 3 {
        let place = Int.random(in: 2..<name.count, using: &random)
        let end = min(name.count, place + Int.random(in: 0...8, using: &random))
        let start = Int.random(in: 0..<other.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: name[place] = UInt8.random(in: 0...255, using: &random)
        case 1: name[place] = other[start]
        case 2: name.removeSubrange(place..<end)
        case 3: name.insert(contentsOf: name[place..<end], at: place)
        default:
          name.insert(
            contentsOf: other[start..<min(other.count, start + 12)], at: place)
        }
      }
      let text = String(decoding: name, as: UTF8.self)
      let first = shown(text)
      #expect(first.utf8.count <= Self.longestText)
      expectEqual(shown(text), first)
    }
  }

  /// The length of an identifier counts bytes, and may end within a character.
  @Test func survivesOtherCharacters() {
    expectEqual(shown("_Z7größev"), "größe()")
    expectEqual(shown("_ZN1A4größEv"), "_ZN1A4größEv")
    expectEqual(shown("_Z3grö"), "_Z3grö")
    expectEqual(shown("_Z1f\u{0}"), "_Z1f\u{0}")
    expectEqual(shown("_Z1f🙂"), "_Z1f🙂")
    expectEqual(shown("_Z1fv.🙂"), "f() (.🙂)")
  }

  /// The most bytes that a name is shown with. A byte that is not UTF-8 is shown as three.
  private static let longestText = 3 << 18

  private func shown(_ rawName: String) -> String {
    var demangler = SymbolDemangler(style: .atos)
    return demangler.shownName(of: rawName, isMachOSymbol: false)
  }

  /// The substitution with the given index: `S_`, `S0_`, …, `SZ_`, `S10_`.
  private static func substitution(_ index: Int) -> String {
    index == 0 ? "S_" : "S\(String(index - 1, radix: 36, uppercase: true))_"
  }
}
