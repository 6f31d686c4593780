import ArgumentParser

/// The lines of a completion script that complete the options of `atos`, for the program of that
/// name and for `symbolicate atos`. They come after ArgumentParser's lines, which know nothing of
/// these options, and replace its function `_symbolicate_atos`.
enum AtosCompletionScript {
  static func lines(for shell: CompletionShell) -> [String] {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    default: []
    }
  }

  // MARK: - bash

  private static var bash: [String] {
    let cases = AtosOption.all.filter { $0.valueName != nil }.flatMap { option in
      let patterns = option.names.map { "-\($0) | --\($0)" }.joined(separator: " | ")
      let reply =
        switch option.values {
        case .files: "mapfile -t COMPREPLY < <(compgen -f -- \"${current}\")"
        case .directories: "mapfile -t COMPREPLY < <(compgen -d -- \"${current}\")"
        case .words(let words):
          "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"${current}\"))"
        case .anything: ":"
        }
      return ["    \(patterns))", "        \(reply)", "        ;;"]
    }
    let names = AtosOption.all.flatMap(\.names).map { "-" + $0 }.joined(separator: " ")
    return [
      "_symbolicate_atos() {",
      "    local current=\"${COMP_WORDS[COMP_CWORD]}\"",
      "    COMPREPLY=()",
      "    case \"${COMP_WORDS[COMP_CWORD-1]}\" in",
    ] + cases + [
      "    *)",
      "        COMPREPLY=($(compgen -W '\(names)' -- \"${current}\"))",
      "        ;;",
      "    esac",
      "}",
      "",
      "complete -o filenames -F _symbolicate_atos atos",
    ]
  }

  // MARK: - zsh

  private static var zsh: [String] {
    let specifications = AtosOption.all.map { option in
      // Options of one meaning exclude each other; -o may be repeated.
      let names = option.names.map { "-" + $0 }
      let first =
        names.count > 1
        ? "'(\(names.joined(separator: " ")))'{\(names.joined(separator: ","))}"
        : names == ["-o"] ? "'*'-o" : names[0]
      let description = option.description.escaped(":[]'\\", for: .zsh)
      var value = ""
      if let valueName = option.valueName {
        let action =
          switch option.values {
          case .files: "_files"
          case .directories: "_files -/"
          case .words(let words): "(\(words.joined(separator: " ")))"
          case .anything: " "
          }
        value = ":\(valueName.lowercased()):\(action)"
      }
      return "        \(first)'[\(description)]\(value)'"
    }
    return [
      "_symbolicate_atos() {",
      "    local -ar arg_specs=(",
    ] + specifications + [
      // With a message here, zsh would not insert the only option that fits.
      "        '*:address:()'",
      "    )",
      "    _arguments : \"${arg_specs[@]}\"",
      "}",
      "",
    ]
  }

  // MARK: - fish

  private static var fish: [String] {
    let commands = [
      "complete -c 'atos'",
      "complete -c 'symbolicate' -n "
        + "'set -l words (__symbolicate_tokens -pc); test \"$words[2]\" = atos'",
    ]
    let options = AtosOption.all.map { option in
      // Never `-s`: fish would take `-fullP` for `-f` with a value.
      let names = option.names.map { "-o " + $0 }.joined(separator: " ")
      let value =
        switch (option.valueName, option.values) {
        case (nil, _): ""
        case (_, .files): " -r -F"
        case (_, .directories): " -x -a '(__symbolicate_complete_directories)'"
        case (_, .words(let words)): " -x -a '\(words.joined(separator: " "))'"
        case (_, .anything): " -x"
        }
      return " \(names)\(value) -d '\(option.description.escaped("'\\", for: .fish))'"
    }
    return ["complete -c 'atos' -f"] + commands.flatMap { command in options.map { command + $0 } }
  }
}

extension String {
  /// The text inside single quotes of a script, with a backslash before each of `characters`.
  fileprivate func escaped(_ characters: String, for shell: CompletionShell) -> String {
    var result = ""
    for character in self {
      if character == "'" && shell == .zsh {
        // zsh has no escapes in single quotes.
        result += "'\\''"
      } else {
        if characters.contains(character) { result.append("\\") }
        result.append(character)
      }
    }
    return result
  }
}
