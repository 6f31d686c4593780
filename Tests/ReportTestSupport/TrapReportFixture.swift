import TestSupport

/// Reports of programs in `Fixtures` that trap.
package enum TrapReportFixture {
  package static let inlines = Fixtures.path("Inlines/Inlines.dSYM")
  package static let traps = Fixtures.path("Traps/Traps.dSYM")
  package static let rack = Fixtures.path("ClangModule/ClangModule.dSYM")

  package static let bundlePath = "/private/var/containers/Bundle/Application/1/Inlines.app/Inlines"
  package static let inlinesLine =
    "0x100000000 - 0x10000ffff Inlines arm64  <4c4c440b55553144a17435f176083cd8> /var/containers/Bundle/Application/1/Inlines.app/Inlines"
  package static let trapsLine =
    "0x100000000 - 0x10000ffff Traps arm64  <4c4c443355553144a19f4848c5ead550> /usr/local/bin/Traps"
  package static let rackLine =
    "0x100000000 - 0x10000ffff Rack arm64  <4c4c441955553144a1c5c60f5ef494a7> /Applications/Rack.app/Contents/MacOS/Rack"
  package static let systemLine =
    "0x190000000 - 0x190ffffff libswiftCore.dylib arm64  <00112233445566778899aabbccddeeff> /usr/lib/swift/libswiftCore.dylib"

  /// The content of a frame of the user's own code.
  package static let own = "-[Board draw] + 12 (Board.m:7)"

  /// A report of a process at `path`, with one crashed thread.
  ///
  /// - Parameter head: more lines of the head.
  /// - Parameter before: lines before the threads.
  package static func report(
    _ frames: [String], images: [String] = [inlinesLine, systemLine], path: String = bundlePath,
    head: String = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)", before: String = ""
  ) -> String {
    """
    Incident Identifier: 1
    Process:             Process [1]
    Path:                \(path)
    Code Type:           ARM-64 (Native)
    Report Version:      104
    \(head)
    \(before)
    Thread 0 Crashed:
    \(frames.joined(separator: "\n"))

    Binary Images:
    \(images.joined(separator: "\n"))

    """
  }

  /// A frame of the image at 0x100000000.
  package static func frame(_ index: Int, _ address: UInt64, image: String = "Inlines") -> String {
    ReportFixture.frame(index, address, image: image, base: 0x1_0000_0000)
  }

  /// The same frame with the content that a report shows.
  package static func stated(_ index: Int, _ address: UInt64, _ content: String) -> String {
    ReportFixture.line(index, address, image: "Inlines", content)
  }

  /// A frame of a system library.
  package static func system(_ index: Int, _ content: String) -> String {
    ReportFixture.line(index, 0x1_9000_1000, image: "libswiftCore.dylib", content)
  }

  /// What was found out about a crash with one thread.
  ///
  /// - Parameter after: lines behind the thread.
  package static func crash(
    _ frames: [String], head: String, before: String = "", after: String = "",
    images: [String] = [inlinesLine, systemLine]
  ) throws -> JsonReport.Crash {
    let text = report(frames, images: images, head: head, before: before)
      .replacing("\nBinary Images:", with: "\(after)\nBinary Images:")
    return try JsonFixture.report(text, with: []).crash
  }
}
