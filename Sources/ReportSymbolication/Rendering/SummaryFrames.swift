import SymbolicationModel

/// A shortened backtrace with one line for each frame.
struct SummaryFrames {
  private let frames: [ShownFrame]
  private let omittedCount: Int
  /// The index in `frames` of the frame with source lines below it.
  private let explainedIndex: Int?

  /// If there are too many frames, keeps the most useful: the first one with the calls inlined
  /// there, then those in the app's own images, then the first of the others.
  ///
  /// - Parameters:
  ///   - lineLimit: the greatest number of lines, not counting source lines.
  ///   - crashSite: the frame that says most about the crash.
  init(_ frames: [ShownFrame], lineLimit: Int, crashSite: ShownFrame?) {
    if frames.count <= lineLimit {
      self.frames = frames
    } else {
      let order = frames.indices.sorted {
        (Self.rank(of: frames, at: $0), $0) < (Self.rank(of: frames, at: $1), $1)
      }
      // One line says how many are missing.
      self.frames = order.prefix(max(1, lineLimit - 1)).sorted().map { frames[$0] }
    }
    omittedCount = frames.count - self.frames.count
    let withSource = self.frames.indices.filter { [frames = self.frames] in
      frames[$0].source != nil && frames[$0].image?.belongsToSystem != true
    }
    explainedIndex =
      withSource.first { [frames = self.frames] in
        frames[$0].index == crashSite?.index && frames[$0].address == crashSite?.address
      } ?? withSource.first
  }

  private static func rank(of frames: [ShownFrame], at index: Int) -> Int {
    if index == 0 { return 0 }
    guard let image = frames[index].image else { return 2 }
    return image.belongsToSystem ? 2 : 1
  }

  /// `  0  Letter Shuffle  GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)`, with
  /// source lines below the frame that says most about the crash, or else below the first of the
  /// app's own frames that has any.
  var lines: [String] {
    let indexWidth = frames.map { String($0.index).count }.max() ?? 0
    let imageWidth = min(30, frames.map { $0.imageName.count }.max() ?? 0)
    var lines = frames.enumerated().flatMap { index, frame in
      let number = String(frame.index)
      let image = shortened(frame.imageName, to: 40)
      let padding = String(repeating: " ", count: max(0, imageWidth - image.count))
      let indent = String(repeating: " ", count: indexWidth - number.count)
      let line = "  \(indent)\(number)  \(image)\(padding)  \(Self.content(frame))"
      return [line] + (index == explainedIndex ? frame.source?.shownLines ?? [] : [])
    }
    if omittedCount > 0 {
      lines.append("  … \(omittedCount) more \(omittedCount == 1 ? "frame" : "frames")")
    }
    return lines
  }

  private static func content(_ frame: ShownFrame) -> String {
    guard let function = frame.readableFunction else { return unresolved(frame) }
    var text = shortened(function, to: 160)
    if let file = frame.shortFile {
      text += " (\(file)\(frame.line.map { ":\($0)" } ?? ""))"
    }
    return frame.isInlined ? text + " [inlined]" : text
  }

  /// `0x1c646c000 + 395220`, or the address if the image is not known.
  private static func unresolved(_ frame: ShownFrame) -> String {
    guard let address = frame.address else { return "address unknown" }
    guard let image = frame.image, let offset = frame.imageOffset else {
      return address.value.hexadecimal
    }
    return "\(image.loadAddress.value.hexadecimal) + \(offset)"
  }
}

extension ShownFrame {
  /// What text shows of the file, cut if it is too long for a line. A path may be long, because its
  /// end says most.
  var shortFile: String? { shownFile.map { shortened($0, to: $0 == file ? 80 : 1000) } }
}
