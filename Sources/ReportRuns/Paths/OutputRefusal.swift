import FileSystem
import Wording

/// Why a result is not written to a path.
package struct OutputRefusal: Error, Hashable, Sendable {
  /// The output's path, as it was given.
  package let path: String
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// It is a symbol file: Mach-O, fat, ELF, GSYM, Breakpad, or a static library.
    case symbolFile
    /// It is a compressed file, such as a report that is to be replaced, and results are not.
    case compressed
    /// There is a file that cannot be read, so it may be a symbol file.
    case unreadable
    /// It is a bundle, or has a bundle's name and does not exist.
    case bundle
    /// It lies in the bundle at this path.
    case inBundle(String)
    /// It lies in this directory, and the command reads all files there.
    case inInput(String)
    /// It leads to the same file as this input.
    case input(Input)
    /// It holds something else than an earlier result, so it may be an input that is named later.
    case otherContent
    /// It is a pipe, a device or a socket, and the result of a report is to replace it.
    case special
    /// It is a report that somebody else wrote to since it was read.
    case changed
    /// It is a link in a directory of reports, and leads to a file outside.
    case outside
  }

  package enum Input: Hashable, Sendable {
    /// `-` for standard input.
    case report(String)
    /// Symbols, rules, a list or a map, whatever it holds.
    case other(String)
    /// Lines of it are shown.
    case source
  }
}

extension OutputRefusal {
  /// What was to be written: it decides what the user may have meant.
  package enum Result: Hashable, Sendable {
    /// A report in a format that is still a report.
    case report
    /// A summary, or JSON, which `--in-place` does not write.
    case extract
    /// Indexes of symbol files.
    case index
    /// The user's cache.
    case cache
    /// A worker's statistics.
    case statistics
  }

  /// One sentence: what the output is, and what to do instead.
  package func message(for result: Result) -> String {
    let sentence =
      switch reason {
      case .symbolFile:
        "\(path) is a symbol file and will not be overwritten; \(hint(path, result))"
      case .compressed:
        "\(path) is compressed, and results are not, so it will not be overwritten; use -o with another name"
      case .unreadable:
        "\(path) cannot be read, so it may be a symbol file and will not be overwritten; choose another output"
      case .bundle:
        "\(path) is a \(kind(ofBundle: path)) and will not be overwritten; \(hint(path, result))"
      case .inBundle(let bundle):
        "\(path) lies in \(bundle), a \(kind(ofBundle: bundle)) that will not be changed; \(hint(bundle, result))"
      case .input(.other(let input)):
        "\(path) is \(name(input, or: "an input")) and will not be overwritten; choose another output"
      case .input(.source):
        "\(path) is a source file whose lines the result shows, and will not be overwritten; choose another output"
      case .inInput(let directory):
        "\(path) is a file in the input \(directory) and will not be overwritten; choose another output"
      case .otherContent:
        "\(path) exists and holds no statistics, so it will not be overwritten; choose another output"
      case .special:
        "\(path) is a pipe or a device, and --in-place replaces files; use standard output or -o"
      case .changed:
        "\(path) has changed since it was read, and is left as it is; run again when nobody writes to it"
      case .outside:
        "\(path) leads to a file outside of the directory, and is left as it is; name the report to replace it"
      case .input(.report("-")):
        "\(path) is the report on standard input and will not be overwritten; \(remedy(result))"
      case .input(.report(let report)):
        "\(path) is \(name(report, or: "the report itself")) and will not be overwritten; \(remedy(result))"
      }
    return sentence.withoutControlCharacters
  }

  private func kind(ofBundle path: String) -> String {
    BundleName.isDsym(path) ? "symbol file" : "bundle"
  }

  private func hint(_ symbols: String, _ result: Result) -> String {
    switch result {
    case .report, .extract, .statistics: "did you mean -d \(symbols)?"
    case .index: "symbol files are given without -o"
    case .cache: "set XDG_CACHE_HOME to another directory"
    }
  }

  private func remedy(_ result: Result) -> String {
    switch result {
    case .report: "use --in-place to replace reports"
    case .extract, .index, .cache, .statistics: "choose another output"
    }
  }

  /// What to call an input that the output turned out to be.
  private func name(_ input: String, or fallback: String) -> String {
    input == path ? fallback : "the input \(input) under another path"
  }
}
