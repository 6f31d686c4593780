import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

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
  static func caller(
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
