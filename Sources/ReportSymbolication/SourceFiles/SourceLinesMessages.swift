import SystemPackage

extension SourceLinesOutcome {
  /// Why source lines are not shown, one sentence each.
  package var messages: [String] {
    let formatMessage =
      hasFormatWithoutRoom
      ? [
        "source lines cannot be added to an .ips or a Swift backtrace; use --format crash for an .ips, or --format json or --summary for any report"
      ] : []
    return formatMessage + gaps.map(\.message)
  }
}

extension SourceLinesOutcome.Gap {
  fileprivate var message: String {
    let frames = frameCount == 1 ? "1 frame" : "\(frameCount) frames"
    return "no source lines for \(frames): \(reason)"
  }

  private var reason: String {
    let path = example.path
    return switch error {
    case .missing:
      "files such as \(path) are not on this machine; use --map-path OLD=NEW to say where they are"
    case .outsideRoots: "files such as \(path) are outside the folders of --source-root"
    case .unreadable(let error): "files such as \(path) cannot be read: \(error)"
    case .notRegularFile: "paths such as \(path) are not regular files"
    case .tooLarge(let limit): "files such as \(path) are larger than \(limit >> 20) MB"
    case .notText: "files such as \(path) are not text"
    case .tooShort:
      "files such as \(path) are from another version; it has no line \(example.line)"
    case .beyondLimit(let limit):
      "files such as \(path) were not read, because the limit of \(limit >> 20) MB of source files is reached"
    }
  }
}
