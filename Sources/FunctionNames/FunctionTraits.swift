import Demangling
import SymbolicationModel
import Synchronization
import Wording

/// What the name of a function says about it, for the reason and the signature of a crash. It
/// follows from the name alone, and reports of one app have the same few names, so it is kept.
package final class FunctionTraits: Sendable {
  /// The name, demangled if the report has it mangled.
  package var readable: String { words.readable }
  package let words: FunctionWords
  /// Who wrote the function, as far as the name says so.
  package let authorship: Authorship
  /// The index of its library in ``LibraryCode/rows``; nil for none of these.
  package let library: Int?
  /// The same, also for a closure inside other closures. Version 1 of signatures knows only
  /// closures that are directly in a function.
  package let libraryOfClosure: Int?
  /// What a signature calls it; nil if the name says nothing.
  package let normalized: String?
  /// What a signature leaves out for the normalised name; nil for all other functions.
  package let machinery: FrameMachinery.Match?

  private init(_ function: String) {
    let readable = ReadableName.readable(function)
    words = FunctionWords(readable)
    // Rules know Kotlin's names as its compiler writes them, and signatures those of Unity.
    let isRuled =
      ManglingScheme(of: function) == .kotlin
      || ReadableName.withoutHashOfUnity(function) == readable
    let ruled = isRuled ? function : readable
    library = LibraryCode.row(function: ruled)
    libraryOfClosure = library == nil ? LibraryCode.row(closure: ruled) : nil
    let normalized = SignatureName.normalized(ruled)
    self.normalized = normalized
    authorship = Self.authorship(function, readable, normalized)
    machinery = normalized.flatMap { FrameMachinery.match($0) }
  }

  /// The traits of a function, as the report or the symbol file names it.
  ///
  /// Of a name with more than 64 KB, its beginning counts: no compiler writes one, and a hostile
  /// symbol file may give each of thousands of frames a name of megabytes.
  package static func of(_ function: String) -> FunctionTraits {
    guard function.utf8.count <= nameLimit else {
      return of(String(decoding: function.utf8.prefix(nameLimit - 3), as: UTF8.self))
    }
    if let known = memory.withLock({ $0.traits(of: function) }) { return known }
    let traits = FunctionTraits(function)
    memory.withLock { $0.remember(traits, of: function) }
    return traits
  }

  private static let memory = Mutex(Memory())
  private static let nameLimit = 1 << 16

  /// The halves take a few megabytes at most, however many names there are and however long.
  struct Memory {
    /// By size in bytes of names. A name is kept in up to three forms.
    private var cache = HalvedCache<String, FunctionTraits>(halfLimit: 1 << 18)

    /// How many names are kept.
    var count: Int { cache.count }

    mutating func traits(of function: String) -> FunctionTraits? {
      cache.value(function) { _ in function.utf8.count }
    }

    mutating func remember(_ traits: FunctionTraits, of function: String) {
      cache.insert(traits, function, size: function.utf8.count)
    }
  }
}

extension FunctionTraits {
  /// Who wrote a function.
  package enum Authorship {
    case user
    /// A thunk, merged or outlined code, or a function of the C++ standard library that was
    /// compiled into the program.
    case toolchain
    /// Not a function: the name says why the code traps.
    case trap
  }

  /// - Parameter normalized: without the type of the result.
  private static func authorship(
    _ function: String, _ readable: String, _ normalized: String?
  ) -> Authorship {
    if TrapMessage(function: function) != nil { return .trap }
    if thunkStarts.contains(where: { function.hasPrefixBytes($0) }) { return .toolchain }
    if isOfSwift(readable) || isImportedInitializer(readable) { return .toolchain }
    if mayBeMangledOfSwift(function) {
      // Short names do not say which module a function is of.
      var demangler = SymbolDemangler(style: .full)
      let full = demangler.shownName(of: function, isMachOSymbol: function.hasPrefixBytes("_"))
      if isOfSwift(ReadableName.readable(full)) { return .toolchain }
    }
    // `int std::__1::__cxx_atomic_load<int>(…)`
    let isBehindResult =
      readable.hasBytes(of: " std::") && normalized?.hasPrefixBytes("std::") == true
    return isBehindResult || isNameOfStandardLibrary(function) ? .toolchain : .user
  }

  package static func isNameOfStandardLibrary(_ function: String) -> Bool {
    standardLibraryStarts.contains { function.hasPrefixBytes($0) }
  }

  private static func isOfSwift(_ readable: String) -> Bool {
    let specialized = "specialized "
    let name =
      readable.hasPrefixBytes(specialized)
      ? String(readable.dropFirst(specialized.utf8.count))
      : String(readable[FunctionWords.functionStart(readable)...])
    return swiftStarts.contains { name.hasPrefixBytes($0) }
  }

  /// Whether the name is that of what allocates an object of a class of Apple's Objective-C
  /// frameworks and calls its initializer: `NSFileManager.__allocating_init()`. Swift's compiler
  /// makes that function in every module that needs it.
  ///
  /// Source: github.com/swiftlang/swift, lib/SIL/IR/SILDeclRef.cpp (clang importer thunks).
  private static func isImportedInitializer(_ readable: String) -> Bool {
    // Looking for bytes takes a hundredth of the time, and nearly no name has them.
    let allocation = ".__allocating_init"
    guard readable.hasBytes(of: allocation),
      let name = readable.firstRange(of: allocation).map({ readable[..<$0.lowerBound] })
    else { return false }
    return name.hasPrefix("__C.") || name.hasPrefix("__ObjC.") || AppleClasses.isOne(name)
  }

  /// Whether a name is mangled and begins with the standard library, or a type of it, which may be
  /// extended by others.
  private static func mayBeMangledOfSwift(_ function: String) -> Bool {
    ["$ss", "$sS", "_$ss", "_$sS"].contains { function.hasPrefixBytes($0) }
  }

  /// Of Swift's standard library, whose code may be compiled into programs: names with all their
  /// modules, and functions that stop the program.
  private static let swiftStarts = [
    "Swift.", "_assertionFailure(", "_fatalErrorMessage(", "_diagnoseUnexpectedNilOptional(",
    "Array._checkIndex(", "Array._checkSubscript(", "ArraySlice._checkIndex(",
    "ArraySlice._checkSubscript(", "ContiguousArray._checkIndex(",
    "ContiguousArray._checkSubscript(",
  ]

  private static let standardLibraryStarts = [
    "std::", "void std::", "bool std::", "decltype(std::", "decltype(auto) std::",
  ]

  /// How the names of code that compilers and linkers make begin: Swift's thunks (between the
  /// caller's calling convention and the callee's), its metadata and outlined code, what releases
  /// the variables of a closure (swiftlang/swift, lib/IRGen/GenHeap.cpp), the standard
  /// library's buffers that were compiled into the program, functions that the linker merged
  /// because their code is the same, and those that LLVM outlined.
  private static let thunkStarts = [
    "@objc ", "@nonobjc ", "thunk for ", "reabstraction thunk ", "partial apply ",
    "dispatch thunk of ",
    "vtable thunk for ", "protocol witness for ", "merged ", "outlined ", "OUTLINED_FUNCTION_",
    "<deduplicated_symbol>", "<redacted>", "type metadata accessor ", "type metadata completion ",
    "type metadata instantiation ", "ObjC metadata update function ", "ObjC resilient class stub ",
    "lazy protocol witness table ", "value witness ", "__swift_", "objectdestroyTm",
    "objectdestroy.",
    "_swift_", "_ArrayBuffer.", "specialized _ArrayBuffer.", "_ContiguousArrayBuffer.",
    "specialized _ContiguousArrayBuffer.",
  ]
}

/// Names of functions that a report has mangled, for people to read. Only summaries show them:
/// other outputs keep what the report has.
package enum ReadableName {
  /// The name demangled; the name itself if it is not mangled.
  package static func readable(_ name: String) -> String {
    guard let first = name.utf8.first else { return name }
    // Some writers leave the underscore of Mach-O in front of C++.
    let isMachOSymbol = first == UInt8(ascii: "_") && name.hasPrefixBytes("__Z")
    if "_$k".utf8.contains(first), isMachOSymbol || ManglingScheme(of: name) != nil {
      var demangler = SymbolDemangler()
      return demangler.shownName(of: name, isMachOSymbol: isMachOSymbol)
    }
    if first == UInt8(ascii: "_"), let plain = ofRustRuntime(name) { return plain }
    if name.hasBytes(of: "+ ") {
      var text = NameText(Array(name.utf8))
      text.removeWrittenOffsets()
      return text.string
    }
    if "fg".utf8.contains(first), let short = withoutArguments(name) { return short }
    if let short = withoutHashOfUnity(name) { return short }
    // No name has a backslash: Markdown puts it in front of its own signs.
    if name.hasBytes(of: "\\") { return readable(String(name.filter { $0 != "\\" })) }
    return RustEscapedName.readable(name) ?? name
  }

  /// `Deck_Deal` of `Deck_Deal_m8056BDE8A4AD4816F9D7DBDBCB80D03BE8F3ED14`: Unity's il2cpp makes
  /// names of C++ unique with a hash. Nil for other names.
  ///
  /// Source: the names in il2cppOutput/*.cpp of Unity 2018.3 and later (`_m`, 40 hexadecimal digits
  /// in capitals), and what may follow them (`_gshared`, `_inline`, `_AdjustorThunk`).
  fileprivate static func withoutHashOfUnity(_ name: String) -> String? {
    var text = name.utf8[...]
    for ending in ["_gshared", "_inline", "_AdjustorThunk"] where text.count > 50 {
      if text.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
        text = text.dropLast(ending.utf8.count)
      }
    }
    guard text.count > 42, text.suffix(40).allSatisfy(isOfHash) else { return nil }
    let head = text.dropLast(40)
    return head.suffix(2).elementsEqual("_m".utf8) ? String(Substring(head.dropLast(2))) : nil
  }

  private static func isOfHash(_ byte: UInt8) -> Bool {
    byte.isDecimalDigit || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }

  /// `rust_begin_unwind` of `_rust_begin_unwind`: on Apple's systems Rust's own stacks keep the
  /// underscore that Mach-O puts in front of names which are not mangled. Nil for other names.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/panicking.rs (`#[no_mangle]`) and
  /// library/std/src/sys/backtrace.rs.
  private static func ofRustRuntime(_ name: String) -> String? {
    let isOfRuntime = rustRuntime.contains { name.hasPrefixBytes($0) }
    return isOfRuntime ? String(name.dropFirst()) : nil
  }

  private static let rustRuntime = [
    "_rust_begin_unwind", "_rust_panic", "_rust_eh_personality", "___rust_",
  ]

  /// `specialized f()` of `function signature specialization <Arg[0] = Dead> of f()`, which Swift's
  /// demangler shows if it is not asked for short names; nil for other names.
  ///
  /// Source: github.com/swiftlang/swift, lib/Demangling/NodePrinter.cpp.
  private static func withoutArguments(_ name: String) -> String? {
    var rest = name[...]
    while specializations.contains(where: { rest.hasPrefix($0) }),
      let end = rest.firstRange(of: "> of ")?.upperBound
    {
      rest = rest[end...]
    }
    return rest.startIndex == name.startIndex || rest.isEmpty ? nil : "specialized \(rest)"
  }

  private static let specializations = [
    "function signature specialization <", "generic specialization <",
    "generic partial specialization <", "generic not re-abstracted specialization <",
  ]
}
