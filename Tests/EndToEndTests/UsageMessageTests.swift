import TestSupport
import Testing

/// What the commands say about options that cannot be used together, or have a wrong value. Nothing
/// is printed and nothing is written.
struct UsageMessageTests {
  @Test(arguments: [
    (["c.crash", "--in-place", "-o", "x"], "--in-place and -o cannot be combined."),
    (
      ["c.crash", "--in-place", "--summary"],
      "--in-place cannot be combined with --summary, or --format json, ndjson or html, which would lose the report; use -o."
    ),
    (["--in-place"], "--in-place needs reports in files; standard input was given."),
    (["c.crash", "--summary", "--format", "json"], "--summary and --format cannot be combined."),
    (["c.crash", "--jobs", "0"], "--jobs needs a number above 0, not 0."),
    (
      ["c.crash", "--dwarf-reader", "x"],
      "--dwarf-reader needs built-in or libdwarf, not 'x'."
    ),
    (["index"], "Give at least one symbol file or directory."),
    (["index", "X.dSYM", "-o", ""], "-o needs a directory."),
    (["index", "X.dSYM", "--jobs", "0"], "--jobs needs a number above 0, not 0."),
    (
      ["index", "--clean", "X.dSYM"],
      "--clean empties the whole cache; it cannot be combined with paths or -o."
    ),
  ])
  func wrongUsage(arguments: [String], message: String) async throws {
    let result = try await Program.symbolicate(arguments)
    #expect(result.status == 64)
    #expect(result.standardOutput.isEmpty)
    let command = arguments[0] == "index" ? "symbolicate index" : "symbolicate"
    #expect(result.standardError.contains(message))
    #expect(result.standardError.contains("Usage: \(command) "))
    #expect(result.standardError.hasSuffix("See '\(command) --help' for more information.\n"))
  }
}
