import ReportSymbolication
import Wording

/// An image of the operating system, as a signature has it.
///
/// The names of its functions do not count: a report may have been written where the symbols of the
/// system were missing, and another version of the system has other functions.
struct SystemImage {
  /// Nil for a library in which threads begin, and processes end, whatever happened.
  let name: String?

  /// - Parameter file: the name of the file, or the identifier of the bundle.
  init(_ file: String) {
    var name = file.withoutControlCharacters
    if name.hasPrefix("com.apple.") { name.removeFirst("com.apple.".count) }
    let isOfEveryCrash =
      file == unknownImageName || Self.ofEveryCrash.contains { name.hasPrefix($0) }
    self.name = isOfEveryCrash ? nil : Self.renamed[name] ?? shortened(name, to: 100)
  }

  /// How names of libraries begin that carry every stack: of C, of threads and queues, of
  /// Objective-C, C++ and Swift, of the dynamic linker, of Rosetta and of debuggers.
  private static let ofEveryCrash = [
    "libsystem_", "libSystem.", "libdispatch.", "libobjc.", "libc++", "libswift", "libdyld.",
    "dyld",
    "libunwind", "libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libstdc++", "libgcc_s",
    "linux-vdso", "[vdso]", "libRosetta", "libclang_rt.", "libBacktraceRecording", "libgmalloc",
    "libMainThreadChecker", "mach_kernel", "[vdso",
  ]

  /// Whether a whole stack ends in this library.
  static func beginsThreads(_ file: String) -> Bool {
    ["libsystem_pthread.", "libdyld.", "dyld", "libpthread", "libc.so", "libc-"].contains {
      file.hasPrefix($0)
    }
  }

  /// Frameworks that a version of the system gave another name, or split.
  private static let renamed = ["UIKit": "UIKitCore", "SwiftUICore": "SwiftUI"]
}

/// Names that lost their end, or gained the text after it, when a report was pasted.
enum DamagedName {
  static func isDamaged(_ name: String) -> Bool {
    var (round, square) = (0, 0)
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "("): round += 1
      case UInt8(ascii: ")"): round -= 1
      case UInt8(ascii: "["): square += 1
      case UInt8(ascii: "]"): square -= 1
      default: break
      }
    }
    return round != 0 || square != 0 || endsWithDots(name) || holdsAddress(name)
  }

  /// Nearly no name does, and comparing characters takes long.
  private static func endsWithDots(_ name: String) -> Bool {
    let last = name.utf8.last
    return last == UInt8(ascii: ".") && name.hasSuffix("...")
      || last == "…".utf8.last && name.hasSuffix("…")
  }

  /// ` 0x1a2b3c4d `: the next frame, or the rest of this one, is on the same line.
  private static func holdsAddress(_ name: String) -> Bool {
    guard name.hasBytes(of: "0x"), let start = name.firstRange(of: "0x") else { return false }
    let isOfName = name[..<start.lowerBound].last.map { $0.isLetter || $0.isNumber || $0 == "_" }
    return isOfName != true && name[start.upperBound...].prefix { $0.isHexDigit }.count >= 6
  }
}
