import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// The place that a frame states which stands for a trap: `Swift runtime failure: Index out of
/// range (Board.swift:24)`.
///
/// Compilers give the invented function line 0, and the frame behind it, the function that it is
/// inlined into, has the line. Some services leave that function out, or give the line to the
/// invented one. Then nothing further out is nearer to the trap.
///
/// Source: github.com/swiftlang/swift, lib/IRGen/IRGenDebugInfo.cpp (`createInlinedTrap…`);
/// github.com/DataDog/dd-sdk-ios, issue 1181, for a stack with the line there.
package struct TrapPlace {
  package let trap: ShownFrame
  /// Names the function that the trap is in. Nil if no frame does.
  package let function: ShownFrame?

  /// Nil if the innermost frames are no trap with a line, or if another frame says the same better.
  ///
  /// - Parameters:
  ///   - frames: innermost first, without those of handlers.
  ///   - found: what is the place without the trap.
  init?(_ frames: ArraySlice<ShownFrame>, orElse found: ShownFrame?, _ owners: CodeOwners) {
    let traps = frames.prefix { $0.authorship == .trap }
    guard let trap = traps.first(where: { $0.lineKnowledge == .line }), let file = trap.file,
      owners.owner(of: trap) != .system, !Self.isOfStandardLibrary(file)
    else { return nil }
    let callers = frames[traps.endIndex...]
    if let found, found.lineKnowledge == .line {
      let isNext = callers.first?.index == found.index
      if Self.isInlined(trap, into: found) == true || isNext && found.file == file { return nil }
    }
    self.trap = trap
    let caller = callers.prefix(Self.callerLimit).first { frame in
      frame.authorship != .toolchain || frame.wrapsFunction
    }
    function = caller.flatMap { Self.isAround(trap, $0, owners) ? $0 : nil }
  }

  /// Whether both frames are at one address; nil if the report does not say.
  private static func isInlined(_ trap: ShownFrame, into frame: ShownFrame) -> Bool? {
    if let address = trap.address, let other = frame.address { return address == other }
    guard let offset = trap.imageOffset, let other = frame.imageOffset else { return nil }
    return offset == other
  }

  /// Whether the name of a frame is that of the function that the trap is in.
  private static func isAround(
    _ trap: ShownFrame, _ frame: ShownFrame, _ owners: CodeOwners
  ) -> Bool {
    guard owners.owner(of: frame) != .system, frame.ownFunction != nil else { return false }
    // A thunk calls the function whose name it has.
    if frame.wrapsFunction { return true }
    if isInlined(trap, into: frame) == false { return frame.file == trap.file }
    return frame.lineKnowledge != .line || frame.file == trap.file
  }

  private static let callerLimit = 8

  /// Whether it is a file of the standard library of Swift or C++, whose checks are compiled into
  /// programs.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core; ISO C++, [headers].
  private static func isOfStandardLibrary(_ file: String) -> Bool {
    guard file.hasSuffix(".swift") else { return !file.utf8.contains(UInt8(ascii: ".")) }
    return standardFiles.contains(String(file.dropLast(".swift".utf8.count)))
  }

  private static let standardFiles: Set = [
    "Array", "ArrayBuffer", "ArrayBufferProtocol", "ArrayShared", "ArraySlice",
    "BridgeObjectiveC", "Character", "ClosedRange", "Collection", "ContiguousArray",
    "ContiguousArrayBuffer", "Dictionary", "DictionaryStorage", "FloatingPointTypes",
    "IntegerTypes", "Integers", "KeyPath", "NativeDictionary", "NativeSet", "Optional",
    "Range", "Set", "SliceBuffer", "Stride", "StringGuts", "StringIndexValidation",
    "StringUTF8View", "StringUTF16View", "Substring", "UnsafeBufferPointer", "UnsafePointer",
    "UnsafeRawBufferPointer", "UnsafeRawPointer",
  ]
}

/// A call through a null pointer that a library made which the program brings along: nobody is at
/// address 0 but who was called, so the frame below is the function that called. Who called that
/// one, further out, may be anywhere.
///
/// The pointer may be one that the library did not get, such as a function that an older system
/// does not have, or one that the program gave it. Of the system's libraries only the latter is
/// likely, and the program is the place.
///
/// Source: XNU, osfmk/mach/arm/vm_param.h and i386/vm_param.h: no process of 64 bits has its first
/// page; developer.apple.com/library/archive/documentation/MacOSX/Conceptual/BPFrameworks, "Weak
/// Linking": a symbol that is missing has the address 0.
enum NullCall {
  /// The function that called, and its library; nil if nothing like it happened.
  ///
  /// - Parameter frames: from the first that can be the place on.
  package static func caller(
    _ frames: ArraySlice<ShownFrame>, _ owners: CodeOwners
  ) -> (frame: ShownFrame, library: String)? {
    guard owners.version != .first, let called = frames.first, called.address?.value == 0,
      called.function == nil, called.imageName == unknownImageName,
      let caller = frames.dropFirst().first, caller.ownFunction != nil,
      caller.traits?.machinery == nil,
      case .library(let title) = owners.owner(of: caller), !LibraryCode.isCrashHandler(title)
    else { return nil }
    return (caller, title)
  }
}
