import TestSupport
import Testing

/// What the commands say about options that cannot be used together, or have a wrong value. Nothing
/// is printed and nothing is written.
struct UsageMessageTests {
  @Test(arguments: [
    (["c.crash", "--in-place", "-o", "x"], "--in-place and -o cannot be combined"),
    (
      ["c.crash", "--in-place", "--summary"],
      "--in-place cannot be combined with --summary, or --format json, ndjson, html or markdown, which would lose the report; use -o"
    ),
    (["--in-place"], "--in-place needs reports in files; standard input was given"),
    (["c.crash", "--summary", "--format", "json"], "--summary and --format cannot be combined"),
    (["c.crash", "--jobs", "0"], "--jobs needs a number above 0, not 0"),
    (
      ["c.crash", "--dwarf-reader", "x"],
      "--dwarf-reader needs built-in or libdwarf, not 'x'"
    ),
    (
      ["c.crash", "--format", "xml"],
      "--format needs auto, crash, text, ips, json, ndjson, summary, html or markdown, not 'xml'"
    ),
    (["c.crash", "--color", "red"], "--color needs auto, always or never, not 'red'"),
    (["c.crash", "--hyperlinks", ""], "--hyperlinks needs auto, always or never, not ''"),
    (["c.crash", "--jobs", "x"], "--jobs needs a number, not 'x'"),
    (
      ["group", "c.crash", "--by", "foo"],
      "--by needs signature, line, exception or version, not 'foo'"
    ),
    (
      ["check"],
      "give a release: an .xcarchive, an .ipa, an app or another directory, or an archive of one"
    ),
    (
      ["doctor", "a.crash", "b.crash"],
      "unexpected argument 'b.crash'; 'doctor' takes a report, or '-' for standard input"
    ),
    (["worker", "x"], "unexpected argument 'x'; 'worker' takes records on standard input"),
    (["c.crash", "--sumary"], "unknown option '--sumary'; did you mean '--summary'?"),
    (["c.crash", "--no-such-thing-at-all"], "unknown option '--no-such-thing-at-all'"),
    (["c.crash", "-d"], "missing value for '-d <symbols>'"),
    (["c.crash", "-d", ""], "-d needs a symbol file or a directory; what was given is empty"),
    (["c.crash", "-s", ""], "-s needs a directory; what was given is empty"),
    (["c.crash", "-o", ""], "-o needs a file; what was given is empty"),
    (
      ["c.crash", ""], "the path of a report is empty; is a variable of the command line not set?"
    ),
    (
      ["c.crash", "--format", "htm"],
      "--format needs auto, crash, text, ips, json, ndjson, summary, html or markdown, not 'htm'"
    ),
    (
      ["c.crash", "--color", "on"],
      "--color needs auto, always or never, not 'on'"
    ),
    (["c.crash", "-q", "-v"], "-q and -v cannot be combined"),
    (
      ["c.crash", "--threads", "main"],
      "--threads needs all, crashed, or numbers such as 0,3, not 'main'"
    ),
    (["c.crash", "--cache-dir", ""], "--cache-dir needs a directory"),
    (["c.crash", "-dGame.dSYM"], "the value of -d needs a space before it: -d Game.dSYM"),
    (
      ["c.crash", "--memory", ""],
      "--memory needs a size from 32 MiB on, in bytes or like 500M or 4G, not ''"
    ),
    (
      ["c.crash", "--user-code", ""],
      "--user-code needs the name of an image or a function, or a pattern such as 'MyKit*'"
    ),
    (
      ["c.crash", "--library-code", ""],
      "--library-code needs the name of an image or a function, or a pattern such as 'MyKit*'"
    ),
    (
      ["--generate-completion-script", "csh"],
      "can't generate completion scripts for 'csh'; expected zsh, bash, fish"
    ),
    (["worker", "--stats", ""], "--stats needs a file"),
    (["c.crash", "--process", ""], "--process needs the name or the number of a process"),
    (["index"], "give at least one symbol file or directory"),
    (["index", "X.dSYM", "-o", ""], "-o needs a directory"),
    (["index", "X.dSYM", "--jobs", "0"], "--jobs needs a number above 0, not 0"),
    (
      ["index", "--clean", "X.dSYM"],
      "--clean empties the whole cache; it cannot be combined with paths or -o"
    ),
  ])
  func wrongUsage(arguments: [String], message: String) async throws {
    let result = try await Program.symbolicate(arguments)
    expectEqual(result.status, 64)
    expectEmpty(result.standardOutput)
    let isReport = arguments[0].hasPrefix("-") || arguments[0].hasSuffix(".crash")
    let command = isReport || arguments[0].isEmpty ? "symbolicate" : "symbolicate \(arguments[0])"
    expectEqual(
      result.standardError,
      """
      symbolicate: error: \(message)
      '\(command) -h' shows how it is used, and '\(command) --help' has the options.

      """)
  }
}
