import Wording

/// An image of the operating system, as a signature has it.
///
/// The names of its functions do not count: a report may have been written where the symbols of the
/// system were missing, and another version of the system has other functions.
package struct SystemImage {
  /// Nil for a library in which threads begin, and processes end, whatever happened.
  package let name: String?

  /// - Parameter file: the name of the file, or the identifier of the bundle.
  package init(_ file: String) {
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
  package static func beginsThreads(_ file: String) -> Bool {
    ["libsystem_pthread.", "libdyld.", "dyld", "libpthread", "libc.so", "libc-"].contains {
      file.hasPrefix($0)
    }
  }

  /// Frameworks that a version of the system gave another name, or split.
  private static let renamed = ["UIKit": "UIKitCore", "SwiftUICore": "SwiftUI"]
}
