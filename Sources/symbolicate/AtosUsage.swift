/// What `atos` says of itself.
enum AtosUsage {
  static let text = """
    Usage: atos -o SYMBOLS [-arch ARCHITECTURE]
                [-l LOAD-ADDRESS | -s SLIDE | -textExecAddress ADDRESS | -offset]
                [-fullPath] [-i] [-d DELIMITER] [-f FILE] [-dwarf-reader READER]
                [-no-index | -index-dir DIRECTORY] [-jobs N] [ADDRESS …]

      -o SYMBOLS                a dSYM, the DWARF file in it, a Mach-O or ELF file, an index (GSYM);
                                repeatable
      -arch ARCHITECTURE        the slice to use: arm64, arm64e, x86_64, armv7, …
      -l LOAD-ADDRESS           where the image was loaded, hexadecimal with or without 0x
      -s SLIDE                  how far the image was moved, hexadecimal with or without 0x
      -textExecAddress ADDRESS  where __TEXT_EXEC of a kernel image was loaded
      -offset                   the addresses are offsets from the start of the image
      -fullPath                 print the path of a source file, not only its name
      -i, -inlineFrames         print inlined frames too, innermost first
      -d, -delimiter DELIMITER  what follows each frame with -i (a line end)
      -f FILE                   read the addresses from a file, separated by white space
      -dedup                    accepted; has no effect
      -dwarf-reader READER      built-in (the default), or libdwarf: the reference, which damaged
                                files can crash, so only for symbol files you trust
      -no-index                 ask the symbol file itself, not the index that was made of it
      -index-dir DIRECTORY      where indexes are (the user's cache directory)
      -jobs N                   how many threads may work at a time (as many as processors)

    Addresses are hexadecimal, with or without 0x, and are looked up as they are given. Without any,
    they are read from standard input and answered line by line. What cannot be resolved is printed
    as it was given. Options of several letters take one dash or two.

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
      "[invalid usage]: -dwarf-reader is built-in or libdwarf, not '\(value)'"
    case .notANumberOfJobs(let value):
      "[invalid usage]: -jobs needs a number above 0, not '\(value)'"
    case .notAnAddress(let option, let value):
      "[invalid usage]: \(option) needs an address in hexadecimal, not '\(value)'"
    case .noLiveProcesses(let option):
      "[invalid usage]: \(option) is for live processes, which only macOS can examine; give the program's dSYM or executable with -o"
    }
  }
}
