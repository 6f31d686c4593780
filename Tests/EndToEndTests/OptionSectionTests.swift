import Foundation
import TestSupport
import Testing

@testable import symbolicate

/// An option as the program describes it for tools.
struct ProgramOption {
  /// `symbolicate`, or the name of a subcommand.
  let command: String
  /// The heading in the help; empty for none.
  let section: String
  /// Without dashes, the short ones first.
  let names: [String]
  /// Nil for a flag.
  let valueName: String?
  /// With values and the default.
  let meaning: String
  let isShown: Bool

  /// Of all commands, in the order of the help.
  static func all() async throws -> [ProgramOption] {
    let output = try await Program.symbolicate(["--experimental-dump-help"]).standardOutput
    let document = try require(JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
    let program = try require(document["command"] as? [String: Any])
    return ([program] + (program["subcommands"] as? [[String: Any]] ?? [])).flatMap { command in
      (command["arguments"] as? [[String: Any]] ?? []).compactMap { argument in
        ProgramOption(command["commandName"] as? String ?? "", argument)
      }
    }
  }

  private init?(_ command: String, _ argument: [String: Any]) {
    let names = (argument["names"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    guard !names.isEmpty else { return nil }
    self.command = command
    section = argument["sectionTitle"] as? String ?? ""
    // Stable, so that `help` stays before `help-all`.
    self.names = names.filter { $0.count == 1 } + names.filter { $0.count > 1 }
    valueName =
      argument["kind"] as? String == "option" ? argument["valueName"] as? String ?? "value" : nil
    isShown = argument["shouldDisplay"] as? Bool ?? true
    let notes = [
      (argument["allValues"] as? [String]).map { "values: " + $0.joined(separator: ", ") },
      (argument["defaultValue"] as? String).map { "default: " + $0 },
    ].compactMap(\.self)
    meaning =
      (argument["abstract"] as? String ?? "")
      + (notes.isEmpty || valueName == nil ? "" : " (\(notes.joined(separator: "; ")))")
  }
}

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
    expectEqual(Set(general), ["q", "quiet", "V", "version", "h", "help", "help-all"])
  }

  /// The options that are shown of all commands but `atos`, whose options are Apple's.
  private static func options() async throws -> [ProgramOption] {
    try await ProgramOption.all().filter { option in
      option.isShown && !["atos", "help"].contains(option.command)
    }
  }

  /// Who knows an option of one command knows it in all of them.
  @Test func anOptionIsTheSameInEveryCommand() async throws {
    // What is written, and how much at once, is said in the words of the command.
    let otherWords: Set = ["format", "output", "jobs"]
    var known: [String: ProgramOption] = [:]
    for option in try await Self.options() {
      for name in option.names {
        guard let first = known[name] else {
          known[name] = option
          continue
        }
        let place = "\(name) of \(option.command) and \(first.command)"
        expectEqual(option.names, first.names, place)
        expectEqual(option.valueName, first.valueName, place)
        if otherWords.isDisjoint(with: option.names) {
          expectEqual(option.meaning, first.meaning, place)
        }
      }
    }
    #expect(known.count > 50)
  }

  /// An option that needs a second sentence is two options, or needs another name.
  @Test func meaningsAreOneSentence() async throws {
    for option in try await Self.options() {
      let sentence = option.meaning.replacing(#/ \([^()]*\)/#, with: "")
      expectSuffix(sentence, ".")
      expectEqual(sentence.matches(of: /[.;?!]( |$)/).count, 1, option.meaning)
    }
  }

  @Test func rareOptionsAreOptions() async throws {
    let names = try await Set(Self.options().flatMap(\.names).map { "--" + $0 })
    expectEmpty(HelpText.rareOptions.filter { !names.contains(String($0)) })
  }

  /// Spellings of earlier versions mean what they meant, and nothing shows them.
  @Test func earlierSpellings() async throws {
    for (command, earlier, today) in [
      ("uuid", ["--json", "x"], ["--format=json", "x"]),
      ("check", ["x", "--json"], ["x", "--format=json"]),
      ("doctor", ["--", "--json"], ["--", "--json"]),
      ("doctor", ["--json", "--", "--json"], ["--format=json", "--", "--json"]),
      ("worker", ["--output", "summary"], ["--format", "summary"]),
      ("worker", ["--output=report", "-q"], ["--format=report", "-q"]),
      ("index", ["--index-dir", "a", "x"], ["--output", "a", "x"]),
      ("group", ["--json", "--output", "a"], ["--json", "--output", "a"]),
    ] {
      expectEqual(EarlierSpellings.replaced(in: earlier, of: command), today)
    }
    let shown = try await Self.options().map { "\($0.command) \($0.names)" }
    expectFalse(shown.contains { $0.contains("json") || $0.contains("output-dir") })
    let uuids = try await Program.symbolicate(["uuid", Fixtures.storyBundle, "--format", "json"])
    try await expectEqual(
      Program.symbolicate(["uuid", "--json", Fixtures.storyBundle]).outputText, uuids.outputText)
    let wrong = try await Program.symbolicate(["uuid", Fixtures.storyBundle, "--format", "xml"])
    expectEqual(wrong.status, 64)
    expectContains(wrong.standardError, "--format needs text or json, not 'xml'")
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
