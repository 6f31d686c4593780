import ReportSymbolication

// The names of results in a directory. They follow from the names of the reports alone, so that it
// is known before anything is read whether two results have one name, and which results exist.

extension OutputForm {
  /// The suffix of its files; nil if that of the report stays.
  var fileSuffix: String? {
    switch self {
    case .auto: nil
    case .crash: ".crash"
    case .ips: ".ips"
    case .json: ".json"
    case .ndjson: ".ndjson"
    case .summary: ".txt"
    case .html: ".html"
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
