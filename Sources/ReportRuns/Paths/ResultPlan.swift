package import FileSystem
package import ReportSymbolication
import SymbolicationModel
import SystemPackage
import Wording

/// Where the results of inputs go in a directory for results. Nothing is written here.
package struct ResultPlan: Sendable {
  /// The directory for results.
  package let directory: String
  package let form: OutputForm

  package init(directory: String, form: OutputForm) {
    (self.directory, self.form) = (directory, form)
  }

  package func path(of input: ReportInput) -> String {
    directory.appendingPath(input.resultPath(as: form))
  }

  /// The inputs without those whose results exist. Results are written completely or not at all, so
  /// one that exists is complete.
  package func withoutExistingResults(_ inputs: [ReportInput]) -> [ReportInput] {
    inputs.filter { FileKind(path: path(of: $0)) != .regularFile }
  }

  /// Two inputs whose results would be one file; nil if there are none.
  ///
  /// Links in the directory are followed, so two paths may lead to one file.
  ///
  /// Cost: each existing folder of results is listed once; memory for a key of each input.
  package func clash(among inputs: [ReportInput]) throws(FileSystemError) -> ResultClash? {
    var folders: [[UInt8]: (real: String, links: Set<[UInt8]>)] = [:]
    // By their bytes: strings are equal if their characters are, however these are spelt.
    var inputOfTarget: [[UInt8]: Int] = [:]
    inputOfTarget.reserveCapacity(inputs.count)
    for (index, input) in inputs.enumerated() {
      let path = path(of: input)
      let folder = path.folder
      let name = path.lastPathComponent
      let key = folder.pathBytes
      var known = folders[key]
      if known == nil {
        known = (OutputGuard.withoutLinks(folder), try Self.links(in: folder))
        folders[key] = known
      }
      guard let known else { continue }
      var target = known.real.appendingPath(name)
      if known.links.contains(name.pathBytes) { target = OutputGuard.withoutLinks(path) }
      if let other = inputOfTarget.updateValue(index, forKey: target.pathBytes) {
        return ResultClash(first: inputs[other], second: input, result: path)
      }
    }
    return nil
  }

  /// The names of the links in a folder; none if it does not exist.
  private static func links(in folder: String) throws(FileSystemError) -> Set<[UInt8]> {
    do throws(FileSystemError) {
      return Set(
        try Directory.unsortedEntries(of: folder).filter(\.isLink).map(\.name.pathBytes))
    } catch {
      // A directory may be for writing alone.
      guard error.isAbsence || error.errno == .permissionDenied else { throw error }
      return []
    }
  }
}

/// Two inputs whose results would be one file.
package struct ResultClash: Hashable, Sendable {
  package let first: ReportInput
  package let second: ReportInput
  /// The path of the result of `second`.
  package let result: String
}

extension ResultClash {
  /// One sentence: which two inputs, and what to do.
  package var message: String {
    let inputs =
      first.path == second.path
      ? "\(first.shownPath), which is given twice," : "\(first.shownPath) and \(second.shownPath)"
    return
      "the results of \(inputs) would both be \(result), so nothing was written; symbolicate them in separate runs, each with its own directory"
      .withoutControlCharacters
  }
}

/// What is said about a path of `-o` that does not fit what is there.
package enum OutputPathMessages {
  package static func outputIsDirectory(_ path: String) -> String {
    "\(path) is a directory; -o \(path)/, with a slash at its end, writes a file for each report to it"
      .withoutControlCharacters
  }

  package static func outputDirectoryIsInput(_ path: String) -> String {
    "\(path) is the directory of the reports; choose another directory, or use --in-place to replace the reports"
      .withoutControlCharacters
  }
}

// The names of results in a directory. They follow from the names of the reports alone, so that it
// is known before anything is read whether two results have one name, and which results exist.

extension OutputForm {
  /// The suffix of its files; nil if that of the report stays.
  var fileSuffix: String? {
    switch self {
    case .auto: nil
    case .summary: ".txt"
    case .markdown: ".md"
    case .crash, .ips, .json, .ndjson, .html: ".\(rawValue)"
    }
  }

  /// The name of the result of a report called `name`, which may have folders before it. The suffix
  /// takes the place of one that reports usually have, and follows any other. Results are not
  /// compressed, so the suffix of a compressed report is left out.
  func resultName(of name: String) -> String {
    let (stem, suffix) = name.splitAtSuffix
    if let suffix, ReportInput.compressionSuffixes.contains(suffix) {
      return resultName(ofUnpacked: stem)
    }
    return resultName(ofUnpacked: name)
  }

  private func resultName(ofUnpacked name: String) -> String {
    let (stem, suffix) = name.splitAtSuffix
    guard let own = fileSuffix else {
      // The result of a binary report is text.
      return suffix == "plcrash" ? stem + ".crash" : name
    }
    return suffix.map(Self.reportSuffixes.contains) == true ? stem + own : name + own
  }

  /// In lower case, without the dot.
  private static let reportSuffixes: Set<String> = [
    "crash", "ips", "plcrash", "txt", "text", "log", "json", "ndjson", "panic", "spin", "hang",
    "diag", "sample", "spindump", "plist", "xml", "html", "htm", "rtf", "eml", "md",
  ]
}

extension String {
  /// What precedes the last dot of the last component, and what follows it in lower case. A dot at
  /// the start of a name begins no suffix.
  var splitAtSuffix: (stem: String, suffix: String?) {
    let nameStart = utf8.lastIndex(of: UInt8(ascii: "/")).map(utf8.index(after:)) ?? utf8.startIndex
    guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")), dot > nameStart else {
      return (self, nil)
    }
    return (String(self[..<dot]), String(self[utf8.index(after: dot)...]).lowercased())
  }
}
