/// What `-h` prints: a synopsis, examples, and the options that most runs need, in 80 columns.
enum ShortHelp {
  /// What `symbolicate` says on a terminal if it gets nothing to read, below the error.
  static let withoutReport = """
    Usage: symbolicate REPORT… [-d SYMBOLS]…
    For example: symbolicate crash.ips -d App.dSYM
    'symbolicate -h' has more examples, and 'symbolicate --help' all options.
    """

  static let program = """
    Turn the addresses in crash reports into functions, files and lines.

    Usage: symbolicate REPORT… [-d SYMBOLS]… [-s DIRECTORY]… [-o FILE]

      symbolicate crash.ips -d App.dSYM           fill in the names of one report
      symbolicate crash.ips -s ~/Archives         find its dSYM below a folder
      symbolicate logs -d dSYMs --output-dir out  all reports in a folder

      -d, --dsym SYMBOLS      a dSYM, a program, or a folder or zip of them
      -s, --search DIRECTORY  look for symbols here and in all folders below
      -o, --output FILE       write to a file; --in-place replaces the report
      --format FORMAT         auto, crash, ips, json, ndjson or html
      --summary               a few lines: what happened, and where
      --strict                exit with status 2 if names are missing
      -q, --quiet             report nothing but errors
      -v, --verbose           say which symbol file was used for each image

    Commands: atos, index, uuid, check, doctor, group, dsym-for-uuid, worker
    'symbolicate --help' has all options, 'symbolicate help COMMAND' a command.
    """

  static let index = """
    Build indexes of symbol files, which make lookups in large files faster.

    Usage: symbolicate index SYMBOLS… [-o DIRECTORY]

      symbolicate index App.dSYM                  into the cache
      symbolicate index --from logs -s dSYMs      just what these reports need
      symbolicate index --clean                   empty the cache

      -o, --output DIRECTORY  write the indexes here instead of the cache
      --uuids FILE            index the images that a list names

    'symbolicate index --help' has all options.
    """

  static let uuid = """
    Print the UUIDs in symbol files, and those that reports need.

    Usage: symbolicate uuid PATH…

      symbolicate uuid App.dSYM                   one line for each slice
      symbolicate uuid crash.ips                  the images whose symbols it needs
      symbolicate uuid --json dSYMs               everything in a folder, as JSON

    'symbolicate uuid --help' has all options.
    """

  static let check = """
    Check that every program and library of a release has its dSYM.

    Usage: symbolicate check RELEASE [-d SYMBOLS]…

      symbolicate check App.xcarchive             all dSYMs are in the archive
      symbolicate check App.ipa -d dSYMs.zip      the dSYMs are in a zip
      symbolicate check App.xcarchive --junit symbols.xml

      -d, --dsym SYMBOLS      also look for dSYMs here
      --allow NAME            let an image pass without debug information
      --json                  print JSON instead of the table

    'symbolicate check --help' has all options.
    """

  static let doctor = """
    Explain which symbols a report needs, and why some were not found.

    Usage: symbolicate doctor REPORT [-d SYMBOLS]… [-s DIRECTORY]…

      symbolicate doctor crash.ips -d App.dSYM    is this the right dSYM?
      symbolicate doctor crash.ips -s ~/Archives  is it below this folder?
      symbolicate doctor --json crash.ips         for programs

    'symbolicate doctor --help' has all options.
    """

  static let group = """
    Count reports of the same crash together.

    Usage: symbolicate group PATH… [-d SYMBOLS]… [-s DIRECTORY]…

      symbolicate group logs -d dSYMs             a table, the most frequent first
      symbolicate group logs --top 5 --by line    the five worst lines of code
      symbolicate group --merge mon.ndjson tue.ndjson

      --by KEY                signature, line, exception or version
      --format FORMAT         text, json, ndjson or csv

    'symbolicate group --help' has all options.
    """

  static let dsymForUuid = """
    Find dSYMs by UUID, for LLDB.

    Usage: symbolicate dsym-for-uuid UUID… [-s DIRECTORY]…

      symbolicate dsym-for-uuid A4B1DE49-70B3-301D-A644-58D6BC22F513 -s dSYMs
      symbolicate dsym-for-uuid App.app/Contents/MacOS/App -s ~/Archives

    'symbolicate dsym-for-uuid --help' has all options.
    """

  static let worker = """
    Answer records on standard input, one line of JSON for each line of JSON.

    Usage: … | symbolicate worker [-d SYMBOLS]… [-s DIRECTORY]…

      echo '{"id": 1, "path": "crash.ips"}' | symbolicate worker -d App.dSYM

      --output CONTENT        what an answer has: report, json or summary
      --jobs N                work on so many records at the same time

    'symbolicate worker --help' has all options.
    """

  static let atos = """
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
}
