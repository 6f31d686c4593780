import ReportSymbolication

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
