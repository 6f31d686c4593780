import TestSupport
import Testing

@testable import ReportRendering
@testable import SymbolTools
@testable import SymbolicationModel

/// Elements and attributes of pages.
struct HtmlWriterTests {
  private func text(_ write: (inout HtmlWriter) -> Void) -> String {
    var writer = HtmlWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func elementsNest() {
    let written = text { writer in
      writer.element(.ol, .classes([.frames, .tree]), .listRole) { writer in
        writer.element(.li, .classes([]), .id(.report(0, .site))) { writer in
          writer.element(.b, .classes([.function])) { $0.text("a<b") }
          writer.space()
          writer.element(.a, .link(.report(11)), text: "x")
        }
      }
    }
    expectEqual(
      written,
      """
      <ol class="frames tree" role="list"><li id="r1-site"><b class="fn">a&lt;b</b> <a href="#r12">x</a></li>
      </ol>

      """)
  }

  @Test func valuesOfAttributesAreEscaped() {
    expectEqual(
      text { $0.element(.nav, .label("a\" b='<&>\u{202e}"), text: "") },
      "<nav aria-label=\"a&quot; b=&#39;&lt;&amp;&gt;U+202E\"></nav>\n")
  }

  @Test(arguments: [(0, "d0"), (7, "d7"), (40, "d40"), (41, "d40"), (.max, "d40"), (-3, "d0")])
  func depthsAreLimited(depth: Int, name: String) {
    expectEqual(
      text { $0.element(.span, .classes([], depth: depth), text: "") },
      "<span class=\"\(name)\"></span>")
  }

  @Test func numbers() {
    expectEqual(text { $0.address(0x1_0024_f19c) }, "0x000000010024f19c")
    expectEqual(text { $0.number(-12) }, "-12")
  }

  @Test func piecesAreTheWhole() {
    func write(to writer: inout HtmlWriter) {
      for number in 0..<30_000 { writer.element(.li, text: "frame \(number)") }
      writer.finish()
    }
    var whole = HtmlWriter()
    write(to: &whole)
    var pieces: [[UInt8]] = []
    var writer = HtmlWriter { piece in
      pieces.append(piece)
      piece.removeAll()
    }
    write(to: &writer)
    #expect(pieces.count > 2)
    expectTrue(pieces.joined().elementsEqual(whole.bytes))
  }
}
