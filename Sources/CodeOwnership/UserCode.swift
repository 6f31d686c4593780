import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Decides which images of a report hold the user's own code: those in the app's bundle or, for a
/// program without a bundle, those in the program's folder and below; and test bundles, extensions
/// and plug-ins in any program. System images and bundled Swift libraries never do.
struct UserCode {
  /// The main executable's path.
  private let executable: Substring?
  /// The outermost bundle that contains the executable: `Letter Shuffle.app`.
  private let bundle: Substring?
  /// Possible names of the main executable.
  private let executableNames: Set<String>
  /// The program, if it is Apple's and others' code runs in it.
  private let systemProgram: String?
  /// What reports of macOS 11 and earlier call the main executable in frames.
  private let bundleIdentifier: String?

  private let version: SignatureVersion
  /// Whether frames of the program name no image, as in gdb, which names only libraries, and in
  /// traces of sanitizers, which name either the image or the source file.
  private let namesOnlyLibraries: Bool
  /// Whether the report has a list of images, so that one which is not in it is none of the
  /// program's.
  private let listsImages: Bool
  /// Whether the report has source files of the system, too.
  private let namesSystemFiles: Bool

  init(
    of process: ReportFacts.Process, _ version: SignatureVersion = .second,
    namesOnlyLibraries: Bool = false, listsImages: Bool = true,
    namesSystemFiles: Bool = false, hasTweaks: Bool = false
  ) {
    self.namesSystemFiles = namesSystemFiles
    self.version = version
    self.listsImages = listsImages || version == .first
    self.namesOnlyLibraries = namesOnlyLibraries && version != .first
    executable = process.path.flatMap { $0.hasBytes(of: "/") ? Self.comparable($0) : nil }
    bundle = executable.flatMap { Self.outermostBundle(in: $0) }
    let names = [process.name, process.path?.lastPathComponent].compactMap { $0?.known }
    // In builds for debugging, Xcode puts the code of a program into a library beside it.
    let libraries = version == .first ? [] : names.map { $0 + ".debug.dylib" }
    systemProgram = hasTweaks && version != .first ? process.name : nil
    executableNames = systemProgram == nil ? Set(names + libraries) : []
    bundleIdentifier = version == .first ? nil : process.bundleIdentifier?.known
  }

  /// Whether the frame is in the user's own code. For an image that the report does not list, the
  /// name decides.
  package func holds(_ frame: ShownFrame) -> Bool {
    guard let image = frame.image else {
      if namesOnlyLibraries, frame.imageName.known == nil {
        return !Self.isOfCLibrary(frame) && !Self.isInSharedCache(frame)
      }
      // A piece of an `.ips` has numbers in the place of names.
      if !listsImages, frame.imageName == unknownImageName {
        // Who looked up a name has the symbols.
        return Self.isNamedByUser(frame)
          || version != .first && frame.isLookedUp && frame.traits?.machinery == nil
      }
      return executableNames.contains(frame.imageName)
        || isProcessKnown && frame.imageName == bundleIdentifier
        || !isDecidedByProcess && canBeOwn(frame)
    }
    return holds(image) || !isDecidedByProcess && image.path == nil && canBeOwn(frame)
  }

  /// Whether the process says whose a frame is. Without a list of images, a library of the program
  /// has nothing but its name.
  private var isDecidedByProcess: Bool { isProcessKnown && listsImages }

  private var isProcessKnown: Bool { executable != nil || !executableNames.isEmpty }

  /// Whether the frame can be the user's own if the report says nothing about the process and its
  /// images, like frames pasted alone and Swift backtraces without images: neither name nor address
  /// are the system's.
  private func canBeOwn(_ frame: ShownFrame) -> Bool {
    let name = frame.imageName
    // Of Android: `<unknown>`, and `<anonymous:7b8c0f1000>`, which holds code made at run time. Of
    // Mac OS X 10.4: `<<00000000>>`, where the kernel's page of functions is (`__memcpy`).
    let isOfNoFile = ["<unknown", "<anonymous:", "<<0000"].contains { name.hasPrefix($0) }
    if name == systemProgram || isOfNoFile && version != .first { return false }
    if frame.image?.belongsToSystem == true || LibraryCode.isOfToolchain(name)
      || ReportImage.Content.isSystemName(name)
    {
      return false
    }
    // An app may lie there, too. Source files of the system are in few reports.
    if frame.file == nil || version == .first || namesSystemFiles, let address = frame.address,
      ReportImage.Content.isInSharedCacheRegion(address, frame.image?.architecture)
    {
      return false
    }
    let isSystem =
      switch version {
      case .first:
        name.hasPrefix("com.apple.") || name.hasPrefix("lib") && name.hasSuffix(".dylib")
      // A program may be called like a framework, which has no `main`.
      case .second: AppleImages.isOne(name) && frame.function != "main"
      }
    // CMake calls the modules of ggml so on macOS too (ggml-org/ggml, src/CMakeLists.txt).
    let isModule = version != .first && name.hasPrefix("libggml-")
    return name.known != nil && !isSystem && (isModule || !Self.isOfLinux(name))
  }

  /// Whether a function without an image is of the C library, for which gdb had debug information,
  /// of dyld or Objective-C's runtime, of a sanitizer or of Python's libraries.
  ///
  /// Source: glibc, sysdeps, nptl, malloc/malloc.c; llvm-project, compiler-rt; for Swift's runtime,
  /// swiftlang/swift, stdlib/public/runtime/Metadata.cpp and MetadataCache.h.
  private static func isOfCLibrary(_ frame: ShownFrame) -> Bool {
    let library = LibraryCode.title(functionRow: frame.traits?.library, imageRow: nil)
    guard let function = frame.function,
      function == "main" || frame.traits?.machinery == nil
        || library.map(LibraryCode.isCrashHandler) == true,
      // A category has a file.
      frame.file != nil
        || !AppleClasses.hasFunction(function) && !WaitingFunctions.all.contains(function)
    else { return true }
    // Methods of Python begin with two underscores, too.
    return cLibraryStarts.contains { function.hasPrefix($0) }
      && frame.path.map { !$0.hasSuffix(".py") } ?? true
      || frame.path.map { path in
        path.hasBytes(of: "compiler-rt/") || path.hasBytes(of: "/lib/python")
          || ["sysdeps/", "nptl/", "csu/", "elf/"].contains { folder in
            path.hasPrefix("../\(folder)") || path.hasPrefix("./\(folder)")
          }
      } ?? false
  }

  /// Whether a frame without an image, as Xcode copies them, is where Apple's processors have the
  /// libraries of the system. These have no source files.
  private static func isInSharedCache(_ frame: ShownFrame) -> Bool {
    frame.file == nil
      && frame.address.map { ReportImage.Content.isInSharedCacheRegion($0, .arm64) } ?? false
  }

  private static let cLibraryStarts = [
    "__", "_int_", "_IO_", "malloc_printerr", "abort_with_", "dyld::", "dyld3::", "dyld4::",
    "dyld_stub_binder", "objc_", "_objc_", "object_dispose", "realizeAllClasses",
    "swift::MetadataCacheEntryBase<", "swift::VariadicMetadataCacheEntryBase<",
    "swift::LockingConcurrentMap", "swift::metadataimpl::", "_os_lock_", "mach_vm_", "mach_msg",
  ]

  /// Whether the name is that of a function in Swift or Objective-C which is none of the system's,
  /// or has its source file: those of the system are in no report.
  private static func isNamedByUser(_ frame: ShownFrame) -> Bool {
    guard let function = frame.ownFunction, frame.traits?.machinery == nil,
      frame.authorship == .user, frame.file != nil || !function.hasBytes(of: "::"),
      !coders.contains(where: { function.hasPrefix($0) })
    else { return false }
    return frame.file != nil || function.hasPrefix("closure #") || function.hasBytes(of: ":)")
      // Of a view of SwiftUI.
      || function.hasSuffix(".body")
      || isManaged(function) || AppleClasses.hasMethod(function) == false
  }

  /// Of Swift's standard library, which calls a program's own `encode(to:)` and `init(from:)`.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/Codable.swift.
  private static let coders = ["KeyedEncodingContainer.", "KeyedDecodingContainer."]

  /// Whether a name is that of a method of .NET with its parameters:
  /// `Game.Board.Turn(Int32 page)`.
  private static func isManaged(_ function: String) -> Bool {
    guard function.hasSuffix(")"), let open = function.utf8.firstIndex(of: UInt8(ascii: "(")) else {
      return false
    }
    let parts = function[..<open].split(separator: ".")
    return parts.count > 2
      && parts.allSatisfy { !$0.contains(" ") && $0.first?.isUppercase == true }
  }

  /// Libraries of a Linux distribution. A program's own ones have the same form of name, and its
  /// backtraces have paths.
  private static func isOfLinux(_ name: String) -> Bool {
    name.hasPrefix("lib") && name.hasBytes(of: ".so") || name.hasPrefix("ld-linux")
      || ["[vdso", "[vsyscall", "[anon"].contains { name.hasPrefix($0) }
      || ["linker", "linker64", "app_process32", "app_process64"].contains(name)
  }

  package func holds(_ image: ReportImage) -> Bool {
    guard !image.belongsToSystem else { return false }
    if executableNames.contains(image.name) || image.name == bundleIdentifier { return true }
    guard let written = image.path else { return false }
    let name = written.lastPathComponent
    guard !LibraryCode.isOfToolchain(name) else { return false }
    if executableNames.contains(name) { return true }
    let path = Self.comparable(written)
    if Self.isPlugIn(path) || Self.androidFolders.contains(where: { path.hasPrefix($0) }) {
      return true
    }
    guard let executable else {
      // If the report does not give the executable's path, any app's code counts. If it does not
      // give its name either, as in most Swift backtraces, all code outside the system counts.
      return executableNames.isEmpty || Self.outermostBundle(in: path) != nil
    }
    if let bundle, let other = Self.outermostBundle(in: path) {
      // Compares only the bundle's name, because reports cut or anonymise the folders above it.
      return other == bundle
    }
    if written.hasBytes(of: "/*/"), let cut = path.firstRange(of: "/*/") {
      // `/Users/USER/*/Kit.framework/Kit` beside `/Users/USER/Library/…/Game.app/Game`.
      let start = path[...cut.lowerBound]
      return start.utf8.count > 1 && executable.hasPrefix(start)
    }
    guard bundle == nil, let slash = executable.lastIndex(of: "/"), slash > executable.startIndex
    else { return false }
    return path.hasPrefix(executable[...slash])
  }

  /// Whether the image is in a bundle that somebody's program loads: tests in Xcode's runner,
  /// extensions and plug-ins in their host. Their authors are those who read the report.
  private static func isPlugIn(_ path: Substring) -> Bool {
    folders(of: path).contains { folder in
      plugInEndings.contains { folder.count > $0.utf8.count && folder.ends(with: $0) }
    }
  }

  /// Where Android keeps apps. Source: source.android.com/docs/core/architecture/partitions.
  private static let androidFolders = ["/data/app/", "/data/data/", "/data/user/"]

  private static let plugInEndings = [
    ".xctest", ".appex", ".plugin", ".component", ".vst", ".vst3", ".qlgenerator", ".saver",
    ".prefPane", ".xpc", ".systemextension",
  ]

  /// The first component that ends with `.app`, if something is below it.
  private static func outermostBundle(in path: Substring) -> Substring? {
    let slash = UInt8(ascii: "/")
    let found: Range<Int>? = String(path).withBytes { bytes in
      var start = 0
      while case let end = bytes.firstOffset(of: slash, from: start), end < bytes.count {
        if end - start > 4, (0..<4).allSatisfy({ bytes[end - 4 + $0] == ending[$0] }),
          (end..<bytes.count).contains(where: { bytes[$0] != slash })
        {
          return start..<end
        }
        start = end + 1
      }
      return nil
    }
    return found.map { Substring(path.utf8.dropFirst($0.lowerBound).prefix($0.count)) }
  }

  private static let ending = Array(".app".utf8)

  private static func folders(of path: Substring) -> ArraySlice<Substring.UTF8View> {
    path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
  }

  /// `/var/…` and `/private/var/…` are the same folder, and reports use both names.
  private static func comparable(_ path: String) -> Substring {
    path.hasPrefix("/private/") ? path.dropFirst(8) : Substring(path)
  }
}

extension Substring.UTF8View {
  fileprivate func ends(with text: String) -> Bool {
    count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
