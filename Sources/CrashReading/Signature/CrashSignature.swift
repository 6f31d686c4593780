import SymbolicationModel
import Wording

/// What identifies a crash across builds, devices and architectures, so that reports of one crash
/// can be counted together. `docs/signature.md` has the rules.
package struct CrashSignature: Hashable, Sendable {
  /// Changes if the same report would get another signature.
  package static let version = 1

  /// `EXC_BREAKPOINT | Board.turnTile(at:) | GameView.tapped()`: what happened, then ``frames``.
  package let text: String
  /// The frames that were chosen, innermost first. At least one.
  package let frames: [String]

  /// - Parameter event: what happened: `EXC_BREAKPOINT`.
  init(event: String, frames: [String]) {
    self.frames = frames
    text = ([event] + frames).joined(separator: " | ")
  }

  /// The first 16 hexadecimal digits of the SHA-256 of the text in UTF-8, which every language can
  /// compute.
  package var hash: String { Self.hash(of: text) }

  package static func hash(of text: String) -> String {
    Sha256.digest(of: Array(text.utf8)).prefix(8).hexadecimalDigits
  }
}
