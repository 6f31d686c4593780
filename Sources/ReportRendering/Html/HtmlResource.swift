/// What a page has in itself besides its content: the style sheet and the script.
///
/// The page's policy allows exactly these two, by their hashes, and nothing else. So even if a text
/// got into the page unescaped, no browser would run it.
struct HtmlResource {
  let tag: HtmlTag
  package let text: String
  /// The SHA-256 of `text` in base 64 (Content Security Policy Level 3, section 2.3.1). A test
  /// compares it.
  let hash: String
}

extension HtmlResource {
  /// Nothing is loaded or sent, and only the page's own style and script count.
  static let policy = [
    "default-src 'none'", "style-src 'sha256-\(style.hash)'", "script-src 'sha256-\(script.hash)'",
    "img-src data:", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}
