import SymbolicationModel

/// A backtrace in few lines, a line for each frame.
struct SummaryFrames {
  private let frames: [ShownFrame]
  private let omittedCount: Int

  /// Where there are too many, those stay that tell most: the first one, with the calls inlined there,
  /// then those of the app's own images, then the first of the others.
  ///
  /// - Parameter lineLimit: how many lines there may be.
  init(_ frames: [ShownFrame], lineLimit: Int) {
    guard frames.count > lineLimit else {
      self.frames = frames
      self.omittedCount = 0
      return
    }
    let order = frames.indices.sorted {
      (Self.rank(of: frames, at: $0), $0) < (Self.rank(of: frames, at: $1), $1)
    }
    // One line says how many are not there.
    let chosen = order.prefix(max(1, lineLimit - 1)).sorted()
    self.frames = chosen.map { frames[$0] }
    self.omittedCount = frames.count - chosen.count
  }

  private static func rank(of frames: [ShownFrame], at place: Int) -> Int {
    if place == 0 { return 0 }
    guard let image = frames[place].image else { return 2 }
    return image.belongsToSystem ? 2 : 1
  }

  /// `  0  Letter Shuffle  GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)`
  var lines: [String] {
    let indexWidth = frames.map { String($0.index).count }.max() ?? 0
    let imageWidth = min(30, frames.map { $0.imageName.count }.max() ?? 0)
    var lines = frames.map { frame in
      let index = String(frame.index)
      let image = shortened(frame.imageName, to: 40)
      let padding = String(repeating: " ", count: max(0, imageWidth - image.count))
      let indent = String(repeating: " ", count: indexWidth - index.count)
      return "  \(indent)\(index)  \(image)\(padding)  \(Self.content(frame))"
    }
    if omittedCount > 0 {
      lines.append("  … \(omittedCount) more \(omittedCount == 1 ? "frame" : "frames")")
    }
    return lines
  }

  private static func content(_ frame: ShownFrame) -> String {
    guard let function = frame.function else { return unresolved(frame) }
    var text = shortened(function, to: 160)
    if let file = frame.shownFile {
      // Of a path, the end says most.
      let shown = shortened(file, to: file == frame.file ? 80 : 1000)
      text += " (\(shown)\(frame.line.map { ":\($0)" } ?? ""))"
    }
    return frame.isInlined ? text + " [inlined]" : text
  }

  /// `0x1c646c000 + 395220`, or the address where the image is not known.
  private static func unresolved(_ frame: ShownFrame) -> String {
    guard let address = frame.address else { return "address unknown" }
    guard let image = frame.image, let offset = frame.imageOffset else {
      return "0x" + String(address.value, radix: 16)
    }
    return "0x\(String(image.loadAddress.value, radix: 16)) + \(offset)"
  }
}
