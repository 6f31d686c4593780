import CrashLogParser
import ReportSymbolication
import SymbolicationModel

extension TranslatedText {
  /// Adds a line for each frame, with its source lines below it.
  mutating func add(_ frames: [TranslatedFrame]) {
    for (index, frame) in frames.enumerated() {
      append(name: String(index), paddedTo: 3)
      append(" ")
      append(name: frame.imageName, paddedTo: 30)
      append("\t")
      append(address: frame.address?.value ?? 0)
      append(" ")
      add(frame.content)
      endLine()
    }
  }

  /// Adds a line for each frame of a call tree as `spindump` writes it: the samples, the function,
  /// its place in the image, and the address. A caller stands above what it calls, two columns
  /// further left.
  mutating func add(tree frames: [TranslatedFrame]) {
    for frame in frames {
      appendSpaces(2 * (1 + min(frame.place?.depth ?? 0, Self.deepestIndentation)))
      if let count = frame.place?.sampleCount { append("\(count)  ") }
      if case .symbol = frame.content {
        add(frame.content)
      } else {
        append(unknownImageName)
      }
      if let offset = frame.place?.imageOffset {
        append(" (")
        append(name: frame.imageName)
        append(" + \(offset))")
      }
      if let address = frame.address { append(" [\(address.value.hexadecimal)]") }
      endLine()
    }
  }

  /// Deeper frames are not indented further: the text of a tree that only goes down would be as
  /// large as the square of its frames.
  private static let deepestIndentation = 100

  private mutating func add(_ content: TranslatedFrame.Content) {
    switch content {
    case .unknown: append(unknownImageName)
    case .unsymbolicated(let relative):
      append(hexadecimal: relative.base.value)
      append(" + ")
      append(decimal: relative.offset)
    case .symbol(let symbol):
      append(symbol.name)
      if let offset = symbol.offset {
        append(" + ")
        append(decimal: offset)
      }
      if let file = symbol.file, let line = symbol.line, line != 0 {
        append(" (")
        append(path: file)
        append(":\(line))")
      }
      if symbol.isInlined { append(" [inlined]") }
      for line in symbol.sourceLines {
        endLine()
        append(name: line)
      }
    }
  }
}
