extension String {
  /// A function right behind its place, which copied tables of Crashlytics' pages have in one cell:
  /// `Board.swift line 12specialized Board.turn(_:)`. Nil for other texts.
  ///
  /// Source: github.com/zhangao0086/DKImagePickerController, issue 565.
  package var functionBehindPlace: FrameSymbol? {
    guard utf8.count < 2048, let mark = firstRange(of: " line "), mark.lowerBound > startIndex
    else { return nil }
    let file = self[..<mark.lowerBound]
    let digits = self[mark.upperBound...].prefix(while: \.isNumber)
    let name = self[digits.endIndex...].drop { $0 == " " }
    guard Self.sourceFiles.contains(where: { file.hasSuffix($0) }), !file.contains("("),
      !digits.isEmpty, let line = Int(digits), name.utf8.count > 3
    else { return nil }
    let isKnown = line > 0 && !file.hasPrefix("<")
    return FrameSymbol(
      name: String(name), file: isKnown ? String(file) : nil, line: isKnown ? line : nil)
  }

  private static let sourceFiles = [
    ".swift", ".m", ".mm", ".c", ".cpp", ".cc", ".h", ".kt", "<compiler-generated>",
  ]
}
