import Foundation
import TestSupport
import Testing

@testable import ReportRendering

/// The style sheet and the script of pages.
struct HtmlStyleTests {
  /// The policy of a page allows them by their hashes: as coreutils computes these.
  @Test(arguments: ["style", "script"])
  func hashesAreThoseOfTheText(name: String) async throws {
    let resource: HtmlResource = name == "style" ? .style : .script
    let result = try await Program.run("/usr/bin/sha256sum", input: Array(resource.text.utf8))
    let digits = try require(result.outputText.split(separator: " ").first)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { offset in
      UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
    }
    expectEqual(bytes.count, 32)
    expectEqual(resource.hash, Data(bytes).base64EncodedString())
    expectContains(HtmlResource.policy, "\(name)-src 'sha256-\(resource.hash)'")
  }

  /// Nothing in them ends their element, or loads anything.
  @Test func areContained() {
    for text in [HtmlResource.style.text, HtmlResource.script.text] {
      for word in ["</", "<!--", "http:", "https:", "url(", "@import", "fetch(", "innerHTML"] {
        expectFalse(text.contains(word), "\(word)")
      }
      expectTrue(text.utf8.allSatisfy { $0 < 0x7f })
    }
  }

  // MARK: Contrast

  /// Each color of text on each ground has at least the contrast that WCAG 2.2 asks for (success
  /// criterion 1.4.3: 4.5 to 1), in the light, in the dark and in print.
  @Test func everyTextIsReadableOnEveryGround() throws {
    let style = HtmlResource.style.text
    let palettes = style.components(separatedBy: ":root{").dropFirst().map { part in
      Self.colors(String(part.prefix { $0 != "}" }))
    }
    expectEqual(palettes.count, 3)
    for palette in palettes {
      let inks = palette.filter { $0.key.hasPrefix("--ink") }
      let grounds = palette.filter { $0.key.hasPrefix("--ground") }
      expectEqual(inks.count, 5)
      expectEqual(grounds.count, 3)
      for (ink, color) in inks {
        for (ground, behind) in grounds {
          let contrast = Self.contrast(color, behind)
          #expect(contrast >= 4.5, "\(ink) on \(ground): \(contrast)")
        }
      }
    }
    // All text has one of these colors.
    let others = style.matches(of: /[{;\s](color|background):(?!var\(--(ink|ground))/)
    expectEmpty(others)
  }

  /// The ratio of black and white is 21 (WCAG 2.2, "contrast ratio").
  @Test func contrastIsThatOfTheDefinition() {
    expectEqual(Self.contrast((0, 0, 0), (255, 255, 255)), 21)
    #expect(abs(Self.contrast((0x77, 0x77, 0x77), (255, 255, 255)) - 4.48) < 0.01)
  }

  private typealias Color = (Int, Int, Int)

  /// `--ink:#1b1f24;…`
  private static func colors(_ declarations: String) -> [String: Color] {
    var colors: [String: Color] = [:]
    for declaration in declarations.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
      let parts = declaration.split(separator: ":#")
      guard parts.count == 2, let value = Int(parts[1], radix: 16) else { continue }
      colors[String(parts[0])] = (value >> 16, value >> 8 & 0xff, value & 0xff)
    }
    return colors
  }

  private static func contrast(_ one: Color, _ other: Color) -> Double {
    let bright = max(luminance(one), luminance(other))
    let dark = min(luminance(one), luminance(other))
    return (bright + 0.05) / (dark + 0.05)
  }

  /// WCAG 2.2, "relative luminance".
  private static func luminance(_ color: Color) -> Double {
    func part(_ value: Int) -> Double {
      let share = Double(value) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * part(color.0) + 0.7152 * part(color.1) + 0.0722 * part(color.2)
  }
}
