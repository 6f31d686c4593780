/// Options of other tools that a person may give out of habit, and what to give here.
///
/// Sources: atos(1) of Xcode 16; llvm-symbolizer(1) and llvm-addr2line of LLVM 19; GNU
/// addr2line(1); `symbolicatecrash` and `CrashSymbolicator.py` of Xcode; MacSymbolicator's command
/// line; the commands of sentry-cli for debug files.
enum ForeignOptions {
  private struct Entry {
    let options: [String]
    /// Whose they are, for the message.
    let owner: String
    /// What to do, without a full stop.
    let advice: String
  }

  private static let entries = [
    Entry(
      options: [
        "--obj", "--exe", "-e", "--dsym-hint", "--debug-file-directory", "--fallback-debug-path",
        "--dwp",
      ],
      owner: "llvm-symbolizer or addr2line",
      advice:
        "give the symbol file with -d; for single addresses: symbolicate atos -o FILE ADDRESS…"),
    Entry(
      options: ["-dsym", "--dsyms", "-sym", "--sym", "--symbols", "--symbol-path"],
      owner: "another symbolizer", advice: "give symbol files with -d, and directories with -s"),
    Entry(
      options: ["-arch", "--default-arch", "--arch"], owner: "atos or llvm-symbolizer",
      advice:
        "the report says which architecture each image has; for single addresses: symbolicate atos -o FILE -arch NAME ADDRESS…"
    ),
    Entry(
      options: [
        "-offset", "-loadAddress", "--loadAddress", "-textExecAddress", "-delimiter", "-f",
        "-fullPath", "-printHeader", "-p",
      ],
      owner: "atos", advice: "for single addresses: symbolicate atos -o FILE -l ADDRESS ADDRESS…"),
    Entry(
      options: [
        "-a", "--addresses", "--print-address", "--relative-address", "--adjust-vma", "-j",
        "--section", "-b", "--target", "--no-untag-addresses", "--filter-markup",
      ],
      owner: "llvm-symbolizer or addr2line",
      advice: "for single addresses: symbolicate atos -o FILE ADDRESS…"),
    Entry(
      options: ["--build-id", "-u", "--uuid"],
      owner: "llvm-symbolizer, dwarfdump or another symbolizer",
      advice: "symbolicate uuid prints what a file has and what a report needs"),
    Entry(
      options: ["--debuginfod", "--no-debuginfod"], owner: "llvm-symbolizer",
      advice: "DEBUGINFOD_URLS names its servers, --symbol-server others, and --offline none"),
    Entry(
      options: ["-i", "--inlines", "--inlining", "-inlineFrames"],
      owner: "atos, llvm-symbolizer or addr2line",
      advice: "inlined calls are shown unless --no-inlines is given"),
    Entry(
      options: [
        "-C", "--functions", "--no-demangle", "-demangle", "-R", "-r", "--recurse-limit",
        "--no-recurse-limit",
      ],
      owner: "llvm-symbolizer or addr2line",
      advice: "names are demangled; --demangle says how, and --demangle none that they are not"),
    Entry(
      options: ["--print-source-context-lines"], owner: "llvm-symbolizer",
      advice: "--source-context N shows source lines"),
    Entry(
      options: ["--basenames", "--basename", "--fullPath", "-fullPaths", "--relativenames"],
      owner: "another symbolizer",
      advice: "file names are shown without folders unless --full-path is given"),
    Entry(
      options: ["--pretty", "--pretty-print"], owner: "CrashSymbolicator.py or llvm-symbolizer",
      advice: "--format crash writes an .ips as text, and --summary the most important lines"),
    Entry(
      options: ["--output-style", "--json"], owner: "llvm-symbolizer or sentry-cli",
      advice: "--format json writes JSON"),
    Entry(
      options: ["--dia", "--cache-size"], owner: "llvm-symbolizer", advice: "leave it out"),
    Entry(
      options: ["-A", "--always", "--only-missing"], owner: "symbolicatecrash",
      advice: "frames without a name are resolved; --resymbolicate also looks up the others"),
    Entry(
      options: ["--no-system-frameworks"], owner: "CrashSymbolicator.py",
      advice: "--only-user-code leaves out frames of the operating system"),
    Entry(
      options: ["--no-source-info"], owner: "CrashSymbolicator.py",
      advice: "files and lines are always written"),
    Entry(
      options: ["--search-dir", "-w", "--workers"], owner: "CrashSymbolicator.py",
      advice: "-s searches a directory for symbol files, and --jobs sets the number of threads"),
    Entry(
      options: ["-t", "--translate-only", "--translate"], owner: "MacSymbolicator",
      advice: "--format crash writes an .ips as text"),
    Entry(
      options: ["--uuids-only"], owner: "MacSymbolicator",
      advice: "symbolicate uuid prints the UUIDs that a report needs"),
    Entry(
      options: ["--process-name"], owner: "MacSymbolicator",
      advice: "--process chooses a process by its name or number"),
    Entry(
      options: ["--symbol-maps"], owner: "sentry-cli",
      advice: "a BCSymbolMaps folder is found beside the dSYMs, or given with -d"),
    Entry(
      options: ["--include-sources", "--no-sources"], owner: "sentry-cli",
      advice: "--source-context N shows source lines of files that are on this machine"),
    Entry(
      options: ["--il2cpp-mapping"], owner: "sentry-cli",
      advice: "--il2cpp-map FILE shows lines of C#"),
    Entry(
      options: [
        "--path", "--derived-data", "--no-well-known", "--no-cwd", "--no-zips", "--type",
        "--no-unwind", "--no-debug",
      ],
      owner: "sentry-cli",
      advice: "give symbol files with -d, and directories to search with -s"),
    Entry(
      options: ["--id", "--require-all"], owner: "sentry-cli",
      advice:
        "symbolicate uuid prints what a file has, and symbolicate check says what a release misses"),
    Entry(
      options: [
        "--org", "--project", "--auth-token", "--header", "--wait", "--wait-for", "--no-upload",
      ],
      owner: "sentry-cli", advice: "nothing is uploaded here, so leave it out"),
    Entry(
      options: ["--log-level"], owner: "sentry-cli",
      advice: "-q writes nothing but errors, and -v says which symbol files were used"),
  ]

  /// What to say about the first of `arguments` that is another tool's option; nil if none is.
  static func message(for arguments: [String]) -> String? {
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("-") {
      let option = argument.prefix { $0 != "=" }
      if let entry = entries.first(where: { $0.options.contains { $0 == option } }) {
        return "'\(option)' is an option of \(entry.owner); \(entry.advice)"
      }
    }
    return nil
  }

  /// Whether `suggestion` is probably what `word` was meant to be: the same first letter, and at
  /// most two characters that are wrong.
  static func isLikely(_ suggestion: Substring, for word: Substring) -> Bool {
    let (suggestion, word) = (suggestion.drop { $0 == "-" }, word.drop { $0 == "-" })
    return suggestion.first == word.first
      && ProgramDescription.errors(in: String(word), for: String(suggestion)) <= 2
  }
}
