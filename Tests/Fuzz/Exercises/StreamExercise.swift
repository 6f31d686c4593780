import CrashLogParser

/// Gives the input to a stream, in one piece and in several. Nothing is lost or moved, and what is
/// cut out does not depend on the pieces.
func exerciseStream(_ bytes: [UInt8]) throws(Violation) {
  let whole = cut(bytes, pieceSize: bytes.count, limit: .max)
  try require(whole.bytes == bytes, "a stream comes out as it went in")
  for pieceSize in [1, 7, 100] where bytes.count / pieceSize < 20_000 {
    let pieces = cut(bytes, pieceSize: pieceSize, limit: .max)
    try require(pieces == whole, "pieces of \(pieceSize) bytes make no difference")
    let limited = cut(bytes, pieceSize: pieceSize, limit: 64)
    try require(limited.bytes == bytes, "a limit loses nothing")
  }
}

private func cut(_ bytes: [UInt8], pieceSize: Int, limit: Int) -> [ReportCutter.Piece] {
  var cutter = ReportCutter(limit: limit)
  var pieces: [ReportCutter.Piece] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    pieces += cutter.take(Array(rest.prefix(max(1, pieceSize))))
    rest = rest.dropFirst(max(1, pieceSize))
  }
  pieces += cutter.end()
  return pieces.reduce(into: []) { merged, piece in
    if case .text(let bytes) = piece, case .text(let before) = merged.last {
      merged[merged.count - 1] = .text(before + bytes)
    } else {
      merged.append(piece)
    }
  }
}

extension [ReportCutter.Piece] {
  fileprivate var bytes: [UInt8] {
    flatMap { piece in
      switch piece {
      case .text(let bytes), .candidate(let bytes), .tooLarge(let bytes): bytes
      }
    }
  }
}
