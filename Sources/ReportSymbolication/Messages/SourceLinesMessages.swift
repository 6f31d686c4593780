import SystemPackage

extension SourceLinesOutcome {
  /// What to tell the user of source lines that are not shown, a line each.
  var messages: [String] {
    let formMessage =
      hasFormWithoutPlace
      ? [
        "source lines are put into reports of Apple's as text: --format crash makes one of an .ips; --format json and --summary show them of every report"
      ] : []
    return formMessage + gaps.map(\.message)
  }
}

extension SourceLinesOutcome.Gap {
  fileprivate var message: String {
    let frames = frameCount == 1 ? "1 frame" : "\(frameCount) frames"
    let path = example.path
    return switch fault {
    case .missing:
      "sources of \(frames) are not on this machine, such as \(path); --map-path OLD=NEW says where they are"
    case .outsideRoots:
      "sources of \(frames) are not in the folders of --source-root, such as \(path)"
    case .unreadable(let error):
      "sources of \(frames) cannot be read, such as \(path): \(error)"
    case .noRegularFile:
      "sources of \(frames) are not shown, such as \(path): it is no regular file"
    case .tooLarge(let limit):
      "sources of \(frames) are not shown, such as \(path): it is larger than \(limit >> 20) MB"
    case .noText:
      "sources of \(frames) are not shown, such as \(path): it is no text"
    case .tooShort:
      "sources of \(frames) are of another version, such as \(path), which has no line \(example.line)"
    case .beyondLimit(let limit):
      "sources of \(frames) are not shown, such as \(path): \(limit >> 20) MB of sources have been read"
    }
  }
}
