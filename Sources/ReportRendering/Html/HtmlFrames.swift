import CrashReading
import ReportSymbolication
import SymbolicationModel

/// Writes the frames of a backtrace, one item of a list for each.
struct HtmlFrames {
  let owners: CodeOwners
  /// Whether they are of a call tree, with counts in place of numbers.
  let isTree: Bool
  /// The name of the frame of the headline.
  let siteAnchor: HtmlAnchor
  /// What it is called.
  let siteWord: String

  package func write(_ frame: ShownFrame, isSite: Bool, to writer: inout HtmlWriter) {
    let owner = owners.owner(of: frame)
    let depth = frame.depth.flatMap { isTree && $0 > 0 ? $0 : nil }
    let classes = HtmlAttribute.classes(classes(frame, owner, isSite), depth: depth)
    writer.element(.li, [classes] + (isSite ? [.id(siteAnchor)] : [])) { writer in
      writer.element(.span, .classes([.number])) {
        $0.number(isTree ? frame.sampleCount ?? frame.index : frame.index)
      }
      writer.space()
      if !isTree { writeImage(frame, to: &writer) }
      writeFunction(frame, owner, to: &writer)
      if isTree {
        writer.space()
        writeImage(frame, to: &writer)
      }
      writePlace(frame, to: &writer)
      if let depth = frame.depth, depth > HtmlClass.greatestDepth {
        writeTag(PageWords.depth(depth), to: &writer)
      }
      if frame.isInlined { writeTag(PageWords.inlined, to: &writer) }
      if isSite { writeTag(siteWord, to: &writer) }
      if let address = frame.address {
        writer.space()
        writer.element(.span, .classes([.address])) { $0.address(address.value) }
      }
      if let source = frame.source { write(source, to: &writer) }
    }
  }

  private func classes(_ frame: ShownFrame, _ owner: CodeOwner, _ isSite: Bool) -> [HtmlClass] {
    var classes: [HtmlClass] = []
    switch owner {
    case .user: break
    case .library: classes.append(.library)
    case .system: classes.append(.system)
    }
    if frame.isInlined { classes.append(.inlined) }
    if isSite { classes.append(.site) }
    return classes
  }

  private func writeImage(_ frame: ShownFrame, to writer: inout HtmlWriter) {
    writer.element(.span, .classes([.image])) { $0.name(frame.imageName) }
    if !isTree { writer.space() }
  }

  private func writeFunction(
    _ frame: ShownFrame, _ owner: CodeOwner, to writer: inout HtmlWriter
  ) {
    writer.element(owner == .user ? .b : .span, .classes([.function])) { writer in
      guard let function = frame.readableFunction else {
        return writer.text(frame.placeInImage)
      }
      writer.name(function)
      // Without a line, the distance is what is known of the place.
      if frame.shownPlace == nil, let offset = frame.offset { writer.text(" + \(offset)") }
    }
  }

  private func writePlace(_ frame: ShownFrame, to writer: inout HtmlWriter) {
    guard let place = frame.shownPlace else { return }
    writer.space()
    writer.element(.span, .classes([.place])) { $0.name(place) }
  }

  private func writeTag(_ text: String, to writer: inout HtmlWriter) {
    writer.space()
    writer.element(.span, .classes([.tag]), text: text)
  }

  private func write(_ source: SourceExcerpt, to writer: inout HtmlWriter) {
    let width = String(source.firstLine + source.lines.count - 1).utf8.count
    writer.element(.pre, .classes([.source])) { writer in
      for (index, line) in source.lines.enumerated() {
        let number = String(source.firstLine + index)
        let padding = String(repeating: " ", count: width - number.utf8.count)
        let text = "\(padding)\(number)  \(line.withSpacesForTabs)"
        if index > 0 { writer.newline() }
        if source.firstLine + index == source.line {
          writer.element(.b, .classes([.sourceLine]), text: text)
        } else {
          writer.text(text)
        }
      }
    }
  }
}
