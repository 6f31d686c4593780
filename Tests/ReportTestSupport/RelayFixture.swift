package import ReportSymbolication
import TestSupport

/// Reports around `Fixtures/Signals`.
///
/// Expected values are from `llvm-symbolizer-19 --inlines` and `llvm-nm-19 -n` for the lookup
/// address, and from `llvm-objdump-19 -d`. `librelay.dSYM`:
///
///     0x380 stop      the call of give_up at 0x398 is its last instruction
///     0x39c measure
///     0x3cc relay     its inlined copy of stop ends with a call at 0x410, the last instruction
///     0x414 last_words, whose last instruction, the call at 0x42c, is the last one of the code
///
///     0x3e3  doubled relay.c:10, measure relay.c:21, relay relay.c:27
///     0x3e4  measure relay.c:22, relay relay.c:27
///     0x393  stop relay.c:15    0x394  stop relay.c:16
package enum RelayFixture {
  package static let symbols = [
    Fixtures.path("Signals/librelay.dSYM"), Fixtures.path("Signals/libsystem_platform.dylib"),
    Fixtures.path("Signals/librelay.elf"),
  ]

  package static let base: UInt64 = 0x1_0400_0000
  package static let line =
    "0x104000000 - 0x104003fff librelay.dylib arm64  <4c4c447755553144a1b8ef1d49687d94> /usr/local/lib/librelay.dylib"

  package static let platformBase: UInt64 = 0x1_90b3_c000
  /// The file's `__TEXT` is linked at 0.
  package static let platformLine =
    "0x190b3c000 - 0x190b3ffff libsystem_platform.dylib arm64  <4c4c44be55553144a16fdc7e1d51ca5f> /usr/lib/system/libsystem_platform.dylib"

  package static let linuxBase: UInt64 = 0xffff_8000_0000
  package static let linuxLine =
    "0xffff80000000 - 0xffff8000ffff librelay.elf arm64  <2cc7c30adfed38de4cd9c0d48d68d88bfcd3afb8> /usr/lib/librelay.elf"

  /// A frame of librelay.dylib, given by its address in the file.
  package static func frame(_ index: Int, _ linkAddress: UInt64) -> String {
    ReportFixture.frame(index, base + linkAddress, image: "librelay.dylib", base: base)
  }

  /// A frame of libsystem_platform.dylib that the report does not name.
  package static func platformFrame(_ index: Int, _ linkAddress: UInt64) -> String {
    ReportFixture.frame(
      index, platformBase + linkAddress, image: "libsystem_platform.dylib", base: platformBase)
  }

  package static func linuxFrame(_ index: Int, _ linkAddress: UInt64) -> String {
    ReportFixture.frame(index, linuxBase + linkAddress, image: "librelay.elf", base: linuxBase)
  }

  package static func contents(
    _ frames: [String], images: [String] = [line, platformLine, linuxLine]
  ) -> [String] {
    ReportFixture.contents(frames, images: images, with: symbols)
  }
  // MARK: JSON

  package static let entry =
    #"{"source":"P","arch":"arm64","base":4362076160,"size":16384,"uuid":"4c4c4477-5555-3144-a1b8-ef1d49687d94","path":"/usr/local/lib/librelay.dylib","name":"librelay.dylib"}"#
  package static let platformEntry =
    #"{"source":"P","arch":"arm64","base":6722666496,"size":16384,"uuid":"4c4c44be-5555-3144-a16f-dc7e1d51ca5f","path":"/usr/lib/system/libsystem_platform.dylib","name":"libsystem_platform.dylib"}"#
  package static let pseudoEntry =
    #"{"source":"A","base":0,"size":0,"uuid":"00000000-0000-0000-0000-000000000000"}"#

  /// Images 0 to 2: librelay.dylib, libsystem_platform.dylib, none.
  package static func ips(
    threads: [String], images: [String] = [entry, platformEntry, pseudoEntry], more: String = ""
  ) -> String {
    let threads = threads.map { #"{"frames":[\#($0)]}"# }.joined(separator: ",")
    return #"{"app_name":"relay","bug_type":"309"}"# + "\n"
      + #"{"cpuType":"ARM-64","faultingThread":0,\#(more)"threads":[\#(threads)],"#
      + #""usedImages":[\#(images.joined(separator: ","))]}"#
  }

  /// A frame of an `.ips`.
  package static func object(_ image: Int, _ offset: UInt64, _ more: String = "") -> String {
    #"{"imageOffset":\#(offset),"imageIndex":\#(image)\#(more)}"#
  }

  /// `function + offset (file:line)` of each frame of each backtrace, or the address of a frame
  /// without a function. Inlined calls are left out.
  package static func shown(
    _ text: String, symbols: [String] = symbols, _ options: SymbolicationOptions? = nil
  ) throws -> [[String]] {
    let report = try JsonFixture.report(
      text, with: symbols, options ?? ReportFixture.withoutInlinedFrames)
    return report.backtraces.map { backtrace in
      backtrace.frames.map { frame in
        guard let function = frame.function else { return frame.address ?? "no address" }
        let place = frame.file.map { " (\($0):\(frame.line ?? -1))" } ?? ""
        return "\(function) + \(frame.offset ?? 0)\(place)"
      }
    }
  }
}
