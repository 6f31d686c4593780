import Foundation
import TestSupport
import Testing

@testable import symbolicate

/// The options of `symbolicate`, which reach ArgumentParser in lists and not as groups.
struct OptionSectionTests {
  /// What reflection finds, and what ArgumentParser gets.
  @Test func listsAreComplete() {
    for section in SymbolicateCommand().sections {
      let declared = Mirror(reflecting: section.list).children.compactMap(\.label)
        .filter { $0.hasPrefix("_") }
      expectFalse(declared.isEmpty)
      expectEqual(section.list.options.compactMap(\.label), declared, "\(type(of: section.list))")
    }
  }

  /// Two properties with one name would be one option.
  @Test func namesOfPropertiesDiffer() {
    let names = SymbolicateCommand().sections.flatMap(\.list.options).compactMap(\.label)
    #expect(names.count > 40)
    expectEqual(Set(names).count, names.count)
  }

  /// Each option is in one section. Those without a heading are `-q`, `-V` and `-h`.
  @Test func everyOptionHasOneSection() async throws {
    let output = try await Program.symbolicate(["--experimental-dump-help"]).standardOutput
    let document = try require(JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
    let command = try require(document["command"] as? [String: Any])
    let arguments = try require(command["arguments"] as? [[String: Any]])
    var sections: [String: [String]] = [:]
    for argument in arguments {
      let names = argument["names"] as? [[String: Any]] ?? []
      for name in names.compactMap({ $0["name"] as? String }) {
        sections[name, default: []].append(argument["sectionTitle"] as? String ?? "")
      }
    }
    #expect(sections.count > 40)
    expectEmpty(sections.filter { $0.value.count > 1 })
    let general = sections.filter { $0.value == [""] }.keys
    expectEqual(Set(general), ["q", "quiet", "V", "version", "h", "help"])
  }

  /// What stands for a request alone does so among other letters, too.
  @Test(arguments: [("-qh", "-h"), ("-qV", "-V"), ("-hv", "-h"), ("-Vh", "-h")])
  func joinedRequests(joined: String, alone: String) async throws {
    for command in [[], ["index"], ["worker"]] {
      let result = try await Program.symbolicate(command + [joined])
      expectEqual(result.status, 0)
      expectEmpty(result.standardError)
      let expected = try await Program.symbolicate(command + [alone])
      expectEqual(result.standardOutput, expected.standardOutput)
    }
  }
}
