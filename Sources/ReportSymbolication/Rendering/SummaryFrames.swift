import SymbolicationModel

/// A shortened backtrace with one line for each frame, or for a run of frames that are the same.
struct SummaryFrames {
  private let rows: [Row]
  private let omittedCount: Int
  /// The index in `rows` of the frame with source lines below it.
  private let explainedIndex: Int?
  /// Whether the frames are those of a call tree. Their counts are then in place of their numbers.
  private let areOutermostFirst: Bool

  /// A frame, and how many frames with the same function and line follow each other there.
  private struct Row {
    let frame: ShownFrame
    var count = 1
  }

  /// If there are too many rows, keeps the most useful: the first one with the calls inlined there,
  /// then those in the app's own images, then the first of the others.
  ///
  /// - Parameters:
  ///   - areOutermostFirst: whether the frames are a stack of a call tree. Of such a stack, the
  ///     innermost frames say most.
  ///   - lineLimit: the greatest number of lines, not counting source lines.
  ///   - crashSite: the frame that says most about the crash.
  init(
    _ frames: [ShownFrame], areOutermostFirst: Bool = false, lineLimit: Int, crashSite: ShownFrame?
  ) {
    self.areOutermostFirst = areOutermostFirst
    let all = Self.folded(frames)
    if all.count <= lineLimit {
      rows = all
    } else {
      /// How many rows are further inside.
      func distance(_ index: Int) -> Int { areOutermostFirst ? all.count - 1 - index : index }
      let order = all.indices.sorted {
        (Self.rank(of: all[$0].frame, at: distance($0)), distance($0))
          < (Self.rank(of: all[$1].frame, at: distance($1)), distance($1))
      }
      // One line says how many are missing.
      rows = order.prefix(max(1, lineLimit - 1)).sorted().map { all[$0] }
    }
    omittedCount = frames.count - rows.reduce(0) { $0 + $1.count }
    let withSource = rows.indices.filter { [rows] in
      rows[$0].frame.source != nil && rows[$0].frame.image?.belongsToSystem != true
    }
    explainedIndex =
      withSource.first { [rows] in
        rows[$0].frame.index == crashSite?.index && rows[$0].frame.address == crashSite?.address
      } ?? withSource.first
  }

  /// Joins frames of a recursion: at least three in a row with the same function, file and line.
  private static func folded(_ frames: [ShownFrame]) -> [Row] {
    var rows: [Row] = []
    var start = 0
    while start < frames.count {
      var end = start + 1
      if let function = frames[start].function {
        let (file, line) = (frames[start].file, frames[start].line)
        while end < frames.count, frames[end].function == function, frames[end].line == line,
          frames[end].file == file, frames[end].isInlined == frames[start].isInlined
        {
          end += 1
        }
      }
      if end - start >= fewestFolded {
        rows.append(Row(frame: frames[start], count: end - start))
      } else {
        rows += frames[start..<end].map { Row(frame: $0) }
      }
      start = end
    }
    return rows
  }

  private static let fewestFolded = 3

  private static func rank(of frame: ShownFrame, at distance: Int) -> Int {
    if distance == 0 { return 0 }
    guard let image = frame.image else { return 2 }
    return image.belongsToSystem ? 2 : 1
  }

  /// `  0  Letter Shuffle  GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)`, with
  /// source lines below the frame that says most about the crash, or else below the first of the
  /// app's own frames that has any.
  var lines: [String] {
    let indexWidth = rows.map { number(of: $0.frame).count }.max() ?? 0
    let imageWidth = min(30, rows.map { $0.frame.imageName.count }.max() ?? 0)
    var lines = rows.enumerated().flatMap { index, row in
      let frame = row.frame
      let number = number(of: frame)
      let image = shortened(frame.imageName, to: 40)
      let padding = String(repeating: " ", count: max(0, imageWidth - image.count))
      let indent = String(repeating: " ", count: indexWidth - number.count)
      let times = row.count > 1 ? " × \(row.count)" : ""
      let line = "  \(indent)\(number)  \(image)\(padding)  \(Self.content(frame))\(times)"
      return [line] + (index == explainedIndex ? frame.source?.shownLines ?? [] : [])
    }
    if omittedCount > 0 {
      lines.append("  … \(omittedCount) more \(omittedCount == 1 ? "frame" : "frames")")
    }
    return lines
  }

  private func number(of frame: ShownFrame) -> String {
    String(areOutermostFirst ? frame.sampleCount ?? frame.index : frame.index)
  }

  private static func content(_ frame: ShownFrame) -> String {
    guard let function = frame.readableFunction else { return frame.placeInImage }
    var text = shortened(function, to: 160)
    if let file = frame.shortFile {
      text += " (\(file)\(frame.line.map { ":\($0)" } ?? ""))"
    }
    return frame.isInlined ? text + " [inlined]" : text
  }
}

extension ShownFrame {
  /// What stands for the function of a frame without one: `0x1c646c000 + 395220`, or the address if
  /// the image is not known.
  var placeInImage: String {
    guard let address else { return "address unknown" }
    guard let image, let imageOffset else { return address.value.hexadecimal }
    return "\(image.loadAddress.value.hexadecimal) + \(imageOffset)"
  }

  /// What text shows of the file, cut if it is too long for a line. A path may be long, because its
  /// end says most.
  var shortFile: String? { shownFile.map { shortened($0, to: $0 == file ? 80 : 1000) } }
}
