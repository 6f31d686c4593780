import ReportSymbolication
import SymbolicationModel
import Wording

/// The help of `atos`, and what it says about wrong arguments: in Apple's words if they are known,
/// because scripts look for them.
enum AtosUsage {
  static let text = """
    Usage: atos -o SYMBOLS [-arch ARCHITECTURE]
                [-l LOAD-ADDRESS | -s SLIDE | -textExecAddress ADDRESS | -offset]
                [-fullPath] [-i] [-d DELIMITER] [-f FILE] [-dwarf-reader READER]
                [-no-index | -index-dir DIRECTORY] [-jobs N] [ADDRESS …]

      -o SYMBOLS                a dSYM, the DWARF file in it, a Mach-O or ELF file,
                                an index (GSYM), or a Breakpad .sym file; repeatable
      -arch ARCHITECTURE        the slice to use: arm64, arm64e, x86_64, armv7, …
      -l LOAD-ADDRESS           the load address of the image, in hexadecimal
      -s SLIDE                  the slide of the image, in hexadecimal
      -textExecAddress ADDRESS  the load address of __TEXT_EXEC in a kernel image,
                                in hexadecimal
      -offset                   addresses are offsets from the start of the image
      -fullPath                 print the paths of source files, not only names
      -i, -inlineFrames         print inlined calls too, innermost first
      -d, -delimiter DELIMITER  print this after each frame with -i (default: a
                                newline)
      -f FILE                   read addresses from a file, separated by white space
      -dedup                    accepted for compatibility; has no effect
      -dwarf-reader READER      built-in (the default), or libdwarf, the reference;
                                damaged files can crash libdwarf, so use it only
                                with files you trust
      -no-index                 read the symbol file itself, not its index
      -index-dir DIRECTORY      look for indexes here (default: the user's cache)
      -jobs N                   use at most N threads (default: one for each
                                processor)
      -V, -version              print the version
      -h, -help                 print a short help (-h), or this one (-help)

    Addresses are hexadecimal, with or without 0x, and are looked up exactly as
    given. If none are given, they are read from standard input, and each line is
    answered at once. An address that cannot be resolved is printed unchanged. Long
    options take one dash or two.

    Exit status: 0; 1 for wrong usage and for files that cannot be used.

    """

  /// What `-h` prints.
  static let shortText = """
    Look up single addresses, as Apple's atos does.

    Usage: atos -o SYMBOLS [-l LOAD-ADDRESS] [-arch ARCHITECTURE] ADDRESS…

      atos -o App.dSYM -l 0x100228000 0x10024f19c
      atos -o App.dSYM -arch arm64 -i -l 0x100228000 0x10024f19c 0x1002474df
      atos -o App.dSYM -offset 0x2719c

      -o SYMBOLS              a dSYM or a program
      -l LOAD-ADDRESS         where the image was loaded, as the report says
      -i                      print inlined calls too
      -f FILE                 read the addresses from a file

    'atos --help' has all options.
    """

  static func message(for error: AtosArguments.UsageError) -> String {
    switch error {
    case .noSymbolFile:
      "[invalid usage]: no processes or executables specified\n\n\(text)"
    case .severalAddressings:
      "Only one of -s, -l, -textExecAddress or -offset can be passed\n\n\(text)"
    case .unknownOption(let option):
      "[invalid usage]: unknown option \(option)\n\n\(text)"
    case .missingValue(let option):
      "[invalid usage]: \(option) needs a value\n\n\(text)"
    case .unknownDwarfReader(let value):
      "[invalid usage]: -dwarf-reader needs built-in or libdwarf, not '\(value)'"
    case .notANumberOfJobs(let value):
      "[invalid usage]: -jobs needs a number above 0, not '\(value)'"
    case .notAnAddress(let option, let value):
      "[invalid usage]: \(option) needs a hexadecimal address, not '\(value)'"
    case .unreadableLimits(let error):
      "atos: \(error.messageOfEnvironment)"
    case .noLiveProcesses(let option):
      "[invalid usage]: \(option) examines live processes, which is possible only on macOS; give the program's dSYM or executable with -o"
    }
  }
}

/// An option of `atos`. The list is read from the help text, so completions offer what people read
/// there.
struct AtosOption {
  /// Without the dash: `d`, `delimiter`.
  let names: [String]
  /// `DELIMITER`; nil for a flag.
  let valueName: String?
  let description: String

  /// What a shell offers as the value.
  enum Values {
    case files
    case directories
    case words([String])
    case anything
  }

  var values: Values {
    switch valueName {
    case "SYMBOLS", "FILE": .files
    case "DIRECTORY": .directories
    case "READER": .words(DwarfReaderChoice.allCases.map(\.rawValue))
    case "ARCHITECTURE": .words(["arm64", "arm64e", "arm64_32", "x86_64", "i386", "armv7"])
    default: .anything
    }
  }

  static let all: [AtosOption] = {
    // A description goes on on lines that are indented further.
    var entries: [String] = []
    for line in AtosUsage.text.split(separator: "\n") {
      if line.hasPrefix("      "), let last = entries.indices.last {
        entries[last] += " " + line.drop { $0 == " " }
      } else {
        entries.append(String(line))
      }
    }
    return entries.compactMap { AtosOption(entry: $0) }
  }()

  /// Nil if the entry is no option: `  -d, -delimiter DELIMITER  print this after …`.
  init?(entry line: String) {
    guard line.hasPrefix("  -") else { return nil }
    let parts = line.dropFirst(2).split(separator: " ", omittingEmptySubsequences: false)
    let head = parts.prefix { !$0.isEmpty }
    names = head.filter { $0.hasPrefix("-") }.map { word in
      String(word.dropFirst().prefix { $0 != "," })
    }
    valueName = head.last.flatMap { $0.hasPrefix("-") ? nil : String($0) }
    description = parts.dropFirst(head.count).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
