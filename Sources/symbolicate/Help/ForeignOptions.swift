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
      options: ["--obj", "--exe", "-e", "--dsym-hint", "--debug-file-directory", "--dwp"],
      owner: "llvm-symbolizer or addr2line",
      advice:
        "give the symbol file with -d; for single addresses: symbolicate atos -o FILE ADDRESS…"),
    Entry(
      options: ["-arch", "--default-arch", "--arch"], owner: "atos or llvm-symbolizer",
      advice:
        "the report says which architecture each image has; for single addresses: symbolicate atos -o FILE -arch NAME ADDRESS…"
    ),
    Entry(
      options: [
        "-offset", "-loadAddress", "--loadAddress", "-textExecAddress", "-f", "-fullPath",
        "-printHeader", "-p",
      ],
      owner: "atos", advice: "for single addresses: symbolicate atos -o FILE -l ADDRESS ADDRESS…"),
    Entry(
      options: ["-a", "--addresses", "--relative-address", "--adjust-vma", "-j", "--section"],
      owner: "llvm-symbolizer or addr2line",
      advice: "for single addresses: symbolicate atos -o FILE ADDRESS…"),
    Entry(
      options: ["-i", "--inlines", "--inlining"], owner: "atos, llvm-symbolizer or addr2line",
      advice: "inlined calls are shown unless --no-inlines is given"),
    Entry(
      options: ["-C", "--functions"], owner: "llvm-symbolizer or addr2line",
      advice: "names are demangled; --demangle says how"),
    Entry(
      options: ["--basenames", "--basename", "--fullPath"], owner: "another symbolizer",
      advice: "file names are shown without folders unless --full-path is given"),
    Entry(
      options: ["--pretty", "--pretty-print"], owner: "CrashSymbolicator.py or llvm-symbolizer",
      advice: "--format crash writes an .ips as text, and --summary the most important lines"),
    Entry(
      options: ["--output-style"], owner: "llvm-symbolizer", advice: "--format json writes JSON"),
    Entry(
      options: ["-A", "--always", "--only-missing"], owner: "symbolicatecrash",
      advice: "frames without a name are resolved; --resymbolicate also looks up the others"),
    Entry(
      options: ["--search-dir", "-w", "--include-sources"],
      owner: "CrashSymbolicator.py or sentry-cli",
      advice: "-s searches a directory for symbol files, and --jobs sets the number of threads"),
    Entry(
      options: ["-t", "--translate-only"], owner: "MacSymbolicator",
      advice: "--format crash writes an .ips as text"),
    Entry(
      options: ["--symbol-maps"], owner: "sentry-cli",
      advice: "a BCSymbolMaps folder is found beside the dSYMs, or given with -d"),
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
