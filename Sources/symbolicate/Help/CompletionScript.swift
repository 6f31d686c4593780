import ArgumentParser

/// The completion scripts of the shells.
///
/// The first word after `symbolicate` is a report or a subcommand. ArgumentParser's scripts cannot
/// offer both: a list of arguments swallows the subcommands. So the reports are hidden from
/// ArgumentParser, and its scripts get a few lines more: they offer files too, and a subcommand
/// completes its own options. The options of `atos` are in `AtosCompletionScript`.
enum CompletionScript {
  static func text(for shell: CompletionShell) -> String {
    var lines = ProgramDescription.completionScript(for: shell)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for patch in patches[shell] ?? [] {
      guard let index = lines.firstIndex(where: { $0.hasPrefix(patch.start) }) else { continue }
      lines.replaceSubrange(index...index, with: patch.replacement(lines[index]))
    }
    // Before the lines of zsh that complete at once, and after all others.
    let end =
      lines.lastIndex { $0.hasPrefix("if [[ \"${funcstack[1]}\"") } ?? lines.lastIndex(of: "")
    lines.insert(contentsOf: AtosCompletionScript.lines(for: shell), at: end ?? lines.endIndex)
    return lines.joined(separator: "\n")
  }

  /// Replaces the first line of a script that begins with `start`.
  private struct Patch: Sendable {
    let start: String
    let replacement: @Sendable (_ line: String) -> [String]
  }

  private static let subcommands =
    (ProgramDescription.subcommandNames + ["help"]).joined(separator: " ")

  private static let patches: [CompletionShell: [Patch]] = [
    .bash: [
      Patch(start: "    __symbolicate_offer_flags_options -1") { line in
        [
          "    if [[ \"${COMP_CWORD}\" -gt 1 && ' \(subcommands) ' = *\" ${COMP_WORDS[1]} \"* ]]; then",
          "        unparsed_words=(\"${unparsed_words[@]:1}\")",
          "        \"_symbolicate_${COMP_WORDS[1]}\"",
          "        return",
          "    fi",
          line,
        ]
      },
      // Reports and symbol files anywhere, a subcommand only as the first word.
      Patch(start: "    # Offer subcommand / subcommand argument completions") { line in
        [
          "    if [[ \"${COMP_CWORD}\" -eq 1 ]]; then",
          "        COMPREPLY+=($(compgen -W '\(subcommands)' -- \"${cur}\"))",
          "    fi",
          "    COMPREPLY+=($(compgen -f -- \"${cur}\"))",
          "    return",
          line,
        ]
      },
    ],
    .zsh: [
      Patch(start: "#compdef symbolicate") { line in [line + " atos"] },
      Patch(start: "    emulate -RL zsh") { line in
        ["    [[ \"${service:-}\" == atos ]] && { _symbolicate_atos; return }", line]
      },
      Patch(start: "    compdef _symbolicate symbolicate") { line in [line + " atos"] },
      Patch(start: "    local -i ret=1") { line in
        [
          "    if (( CURRENT > 2 )) && [[ \" \(subcommands) \" == *\" ${words[2]} \"* ]]; then",
          "        shift words",
          "        (( CURRENT-- ))",
          "        \"_symbolicate_${words[1]}\"",
          "        return",
          "    fi",
          "    (( CURRENT == 2 )) && compadd -- \(subcommands)",
          line,
        ]
      },
      Patch(start: "        '(-): :->command'") { _ in ["        '*:report:_files'"] },
      Patch(start: "        '(-)*:: :->arg'") { _ in [] },
    ],
    .fish: [
      Patch(start: "        __symbolicate_parse_subcommand -r 1") { line in
        [
          "        if contains -- \"$unparsed_tokens[2]\" \(subcommands)",
          "            set -a commands $unparsed_tokens[1]",
          "            set -e unparsed_tokens[1]",
          "        else",
          "    " + line,
          "        end",
        ]
      },
      // This line turns files off.
      Patch(start: "complete -c 'symbolicate' -f") { _ in
        [
          "complete -c 'symbolicate' -n '__symbolicate_should_offer_completions_for_positional \"symbolicate\" -ge 1' -F"
        ]
      },
    ],
  ]
}
