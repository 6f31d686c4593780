import Demangling
import Foundation
import SymbolicationModel
import TestSupport
import Testing

/// Compares with llvm-cxxfilt on names that are nearly C++ names: 10,000 mutants of the sample, or
/// 300,000 with `SYMBOLICATE_REFEREE=whole`.
struct ItaniumMutantTests {
  private static let tool = ["19", "20", "21", "22"].lazy
    .compactMap { Program.path(of: "llvm-cxxfilt-\($0)") }.first

  /// Where both read a name, they show the same. Differences that are allowed:
  ///
  /// - we give a name up, and name the limit;
  /// - LLVM does not read a name that we read. Such names are few: LLVM 19 does not read
  ///   transaction clones and `operator->*`;
  /// - a template parameter that is a template is followed by arguments (`T_I…E`). By the ABI, and
  ///   for GCC, clang and binutils, later substitutions count it; for LLVM 19 they do not;
  /// - the same with `_BitInt(8)` (`DB8_`, `DU8_`), which LLVM 22 counts too;
  /// - LLVM 21 reads the fixed-point types of Embedded C (`DRi` is `_Fract`), which C++ lacks.
  @Test(.enabled(if: tool != nil, "llvm-cxxfilt-19 is not installed"))
  func mutantsAreShownAsLlvmShowsThem() async throws {
    let tool = try require(Self.tool)
    let isWhole = ProcessInfo.processInfo.environment["SYMBOLICATE_REFEREE"] == "whole"
    let mutants = try Self.mutants(count: isWhole ? 300_000 : 10_000)
    let expected = try await Self.shown(mutants, by: tool)
    var demangler = SymbolDemangler(style: .atos)
    var onlyOurs: [String] = []
    var readByBoth = 0
    for (name, shownName) in zip(mutants, expected) {
      let ours = demangler.shownName(of: name, isMachOSymbol: false)
      if ours == shownName {
        if ours != name { readByBoth += 1 }
      } else if Self.mayCountSubstitutionsOtherwise(name) || Self.mayHaveFixedPointTypes(name) {
        continue
      } else if shownName == name {
        onlyOurs.append(name)
      } else if ours != name || demangler.limitExceeded(by: name) == nil {
        Issue.record("\(name): \(ours), not \(shownName ?? "nothing")")
      }
    }
    #expect(readByBoth > mutants.count / 20)
    #expect(onlyOurs.count <= mutants.count / 2_000, "\(onlyOurs)")
  }

  private static func mayCountSubstitutionsOtherwise(_ name: String) -> Bool {
    name.contains(/T[0-9]*_I|D[BU]/)
  }

  private static func mayHaveFixedPointTypes(_ name: String) -> Bool {
    name.contains(/D[AR][ijlmst]/)
  }

  private static func mutants(count: Int) throws -> [String] {
    let names = try ItaniumSample.names().map { Array($0.rawName.utf8) }
    let pieces = [
      "S_", "S0_", "T_", "T0_", "I", "E", "J", "N", "X", "Dp", "P", "R", "L", "St", "cv", "dt",
      "cl", "K", "F", "M", "A_", "U", "Q", "Tk", "Ul", "ut", "sr", "fp_", "_", "Z", "so", "C1",
      "D0", "B",
    ].map { Array($0.utf8) }
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_".utf8)
    var random = SeededGenerator(seed: 16)
    var mutants: [String] = []
    while mutants.count < count {
      guard var name = names.randomElement(using: &random),
        let other = names.randomElement(using: &random), !other.isEmpty
      else { break }
      for _ in 0..<Int.random(in: 1...3, using: &random) where name.count > 3 {
        let place = Int.random(in: 2..<name.count, using: &random)
        let end = min(name.count, place + Int.random(in: 1...8, using: &random))
        let start = Int.random(in: 0..<other.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: name[place] = letters.randomElement(using: &random) ?? 0
        case 1: name.removeSubrange(place..<end)
        case 2: name.insert(contentsOf: name[place..<end], at: place)
        case 3: name[place] = other[start]
        case 4: name.insert(contentsOf: other[start..<min(other.count, start + 12)], at: place)
        default: name.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        }
      }
      // llvm-cxxfilt looks for names between all other characters.
      let text = String(decoding: name, as: UTF8.self)
      if name.allSatisfy({ letters.contains($0) || $0 == UInt8(ascii: ".") }) {
        mutants.append(text)
      }
    }
    return mutants
  }

  /// What the tool prints for each name. It crashes at some mutants; names of a part that cannot be
  /// divided further are then nil.
  private static func shown(_ names: [String], by tool: String) async throws -> [String?] {
    var all: [String?] = []
    for start in stride(from: 0, to: names.count, by: 2_000) {
      all += try await shown(names[start..<min(names.count, start + 2_000)], by: tool)
    }
    return all
  }

  private static func shown(
    _ names: ArraySlice<String>, by tool: String
  ) async throws -> [String?] {
    let directory = try TemporaryDirectory()
    let file = try directory.write((names.joined(separator: "\n") + "\n").utf8, to: "names")
    let result = try await Program.run(tool, [], inputPath: file)
    let lines = result.outputText.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    if result.status == 0, lines.count == names.count + 1 { return Array(lines.dropLast()) }
    guard names.count > 1 else { return [nil] }
    let middle = names.startIndex + names.count / 2
    let first = try await shown(names[..<middle], by: tool)
    return first + (try await shown(names[middle...], by: tool))
  }
}
