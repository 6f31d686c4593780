import SymbolicationModel
import TestSupport
import Testing

/// What `--symbol-server` accepts.
struct SymbolServerTests {
  @Test(
    arguments: [
      ("https://h", "https://h", .native),
      ("HTTPS://h/", "https://h", .native),
      ("http://127.0.0.1:8000/symbols///", "http://127.0.0.1:8000/symbols", .native),
      ("https://h/a,b/c", "https://h/a,b/c", .native),
      ("https://h/a,b/c,ssqp", "https://h/a,b/c", .ssqp),
      ("https://h,index2", "https://h", .index2),
      ("https://h/,debuginfod", "https://h", .debuginfod),
      ("https://joe:s@h/x,unified", "https://joe:s@h/x", .unified),
      ("https://[::1]:80/x,symstore", "https://[::1]:80/x", .symstore),
      ("https://h,breakpad", "https://h", .breakpad),
      ("mozilla", "https://symbols.mozilla.org", .breakpad),
      ("electron", "https://symbols.electronjs.org", .breakpad),
      ("microsoft", "https://msdl.microsoft.com/download/symbols", .ssqp),
      (
        "chromium", "https://chromium-browser-symsrv.commondatastorage.googleapis.com", .symstore
      ),
    ] as [(String, String, SymbolLayout)])
  func accepts(text: String, url: String, layout: SymbolLayout) throws {
    let server = try SymbolServer(text)
    expectEqual(server.url, url)
    expectEqual(server.layout, layout)
  }

  @Test(
    arguments: [
      ("", .otherScheme("")),
      ("h/x", .otherScheme("h/x")),
      ("mozilla,native", .otherScheme("mozilla,native")),
      ("ftp://joe:secret@h/x", .otherScheme("ftp://h/x")),
      ("file:///etc/passwd", .otherScheme("file:///etc/passwd")),
      ("http:h", .otherScheme("http:h")),
      ("joe:secret@h", .otherScheme("h")),
      ("https://", .otherScheme("https://")),
      ("https:///x", .notAUrl("https:///x")),
      ("https://:80/x", .notAUrl("https://:80/x")),
      ("https://joe@/x", .notAUrl("https:///x")),
      ("https://h/a b", .notAUrl("https://h/a b")),
      ("https://h/x?y", .notAUrl("https://h/x?…")),
      ("https://h/x#y", .notAUrl("https://h/x#…")),
      ("https://h/ü", .notAUrl("https://h/ü")),
      ("https://h/x,sympath", .unknownLayout("sympath")),
      ("https://h/x,", .unknownLayout("")),
    ] as [(String, InvalidSymbolServer)])
  func refuses(text: String, error: InvalidSymbolServer) {
    #expect(throws: error) { try SymbolServer(text) }
  }

  @Test(
    arguments: [
      ("Electron Framework", .electron), ("XUL", .mozilla), ("libxul.so", .mozilla),
      ("libcoreclr.dylib", .microsoft), ("App", nil), ("Google Chrome Framework", nil),
    ] as [(String, PublicServer?)])
  func publicServers(image: String, server: PublicServer?) {
    expectEqual(PublicServer(image: image), server)
  }

  @Test func pathsAreAppendedAndEncoded() throws {
    let server = try SymbolServer("https://joe:s@h/x/")
    expectEqual(server.url(of: "a b/%ü.~-_Z9"), "https://joe:s@h/x/a%20b/%25%C3%BC.~-_Z9")
    expectEqual(server.shownUrl(of: "a b"), "https://h/x/a%20b")
    expectEqual(server.shownUrl, "https://h/x")
  }

  /// A URL that is cut at the wrong `@` would show a part of the password.
  @Test func thePasswordMayHoldAnAt() throws {
    try expectEqual(SymbolServer("https://joe:s@cret@h/@x").shownUrl, "https://h/@x")
  }
}
