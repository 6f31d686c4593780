import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Bad accesses to memory: what the address, the registers and the regions of memory say.
///
/// Source: developer.apple.com/documentation/xcode/investigating-memory-access-crashes; XNU,
/// osfmk/mach/kern_return.h for the codes.
enum MemoryRules {
  /// A page of code or of a mapped file does not match its signature (`KERN_CODESIGN_ERROR`, 50).
  static func codeSignature(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    let details = exception.details
    guard exception.isMemoryFault || exception.type?.hasPrefix("EXC_BAD_ACCESS") == true,
      exception.kernelCode == 50 || details.hasBytes(of: "UNKNOWN_0x32")
        || details.hasBytes(of: "KERN_CODESIGN_ERROR")
        || exception.signal?.hasBytes(of: "Code Signature Invalid") == true
        || exception.type?.hasBytes(of: "Code Signature Invalid") == true
    else { return nil }
    return CauseFinding(
      .codeSignature,
      "invalid code signature: a page does not match what was signed, because the file changed or was not signed",
      .certain, [scene.exceptionDetails, scene.exceptionField])
  }

  static func pointerAuthentication(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault,
      fault.details.hasBytes(of: "possible pointer authentication failure")
        || fault.details.hasBytes(of: "EXC_ARM_PAC")
    else { return nil }
    return CauseFinding(
      .pointerAuthentication,
      "possible pointer authentication failure: a signed pointer was overwritten or misused",
      .possible, fault.evidence)
  }

  /// The address is in the guard page below a stack, or next to the stack pointer, or functions
  /// call each other without end.
  static func stackOverflow(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault else { return nil }
    let recursion = Recursion(scene.frames)
    let isInGuardPage =
      fault.markedRegion.map {
        $0.hasBytes(of: "STACK GUARD") || $0.hasBytes(of: "Stack Guard")
      } ?? false
    // A frame larger than a page reaches beyond the guard page's edge.
    let isNearStack =
      fault.address.flatMap { address in
        scene.registers.stackPointer.map { pointer in
          let distance = address > pointer ? address - pointer : pointer - address
          return distance < 64 << 10
        }
      } ?? false
    let cycle = recursion.map { ": \($0.text)" } ?? ""
    if isInGuardPage || isNearStack && (recursion != nil || fault.isOfProtection) {
      return CauseFinding(
        .stackOverflow, "stack overflow\(cycle)", .certain,
        fault.evidence + [scene.register("sp", scene.registers.stackPointer)]
          + [recursion.map { scene.evidence($0.first) }])
    }
    guard let recursion, recursion.count >= 32, !fault.isNull else { return nil }
    return CauseFinding(
      .stackOverflow, "stack overflow, most likely\(cycle)", .likely,
      [scene.evidence(recursion.first)] + fault.evidence)
  }

  /// The program counter is the faulting address: not data was missing there, but code.
  static func callThroughBadPointer(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address,
      scene.registers.programCounter == address || scene.frames.first?.address?.value == address
    else { return nil }
    let evidence = fault.evidence + [scene.register("pc", scene.registers.programCounter)]
    if address < MemoryFault.nullLimit {
      return CauseFinding(
        .callThroughNullPointer, "call through a null pointer", .certain, evidence)
    }
    return CauseFinding(
      .callThroughBadPointer,
      "jump to \(address.hexadecimal), where no code is: a call through a dead or overwritten pointer",
      .certain, evidence)
  }

  static func nullPointer(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, fault.isNull, let address = fault.address else {
      return nil
    }
    let offset = address == 0 ? "" : ", at offset \(address.hexadecimal)"
    return CauseFinding(
      .nullPointer, "\(scene.access) through a null pointer\(offset)", .likely, fault.evidence)
  }

  /// `KERN_MEMORY_ERROR`: the page could not be read from its file.
  static func fileGone(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault,
      fault.details.hasBytes(of: "KERN_MEMORY_ERROR") || scene.facts.exception.kernelCode == 10
    else { return nil }
    return CauseFinding(
      .fileGone,
      "the file behind this memory could not be read: its volume went away, or it became shorter",
      .likely, fault.evidence)
  }

  /// A pointer with the bytes of a text in it was overwritten by one.
  static func pointerIsText(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address,
      let text = asciiText(address, is64Bit: scene.facts.architecture?.is32Bit != true)
    else { return nil }
    return CauseFinding(
      .pointerIsText, "the pointer holds text (“\(text)”): memory was overwritten", .likely,
      fault.evidence)
  }

  /// The bytes of a little-endian number in the order of memory, if enough of them are letters,
  /// digits, punctuation or spaces: all four of a pointer of 32 bits; of 64 bits at least six, and
  /// only zeros behind them.
  private static func asciiText(_ address: UInt64, is64Bit: Bool) -> String? {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
    let text = bytes.prefix { (0x20...0x7e).contains($0) }
    guard text.count >= (is64Bit ? 6 : 4), bytes.dropFirst(text.count).allSatisfy({ $0 == 0 }),
      text.contains(where: { $0 >= 0x41 })
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  /// The runtime touched an object's memory, and it was no object any more.
  static func freedObject(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, !fault.isNull,
      let frame = scene.frames.prefix(4).first(where: { frame in
        frame.function.map { name in
          objectFunctions.contains { name == $0 || name.hasPrefix($0 + "$") }
        } ?? false
      }), scene.owners.owner(of: frame) == .system
    else { return nil }
    return CauseFinding(
      .freedObject,
      "an object was used that may have been freed before (\(frame.function ?? ""))", .possible,
      [scene.evidence(frame)] + fault.evidence)
  }

  private static let objectFunctions = [
    "objc_msgSend", "objc_msgSendSuper2", "objc_retain", "objc_release", "objc_autorelease",
    "objc_storeStrong", "objc_storeWeak", "objc_loadWeakRetained", "objc_destroyWeak",
    "objc_opt_class", "objc_opt_respondsToSelector", "objc_opt_isKindOfClass", "swift_retain",
    "swift_release", "swift_unknownObjectRetain", "swift_unknownObjectRelease",
    "swift_bridgeObjectRetain", "swift_bridgeObjectRelease", "swift_weakLoadStrong", "CFRelease",
    "CFRetain",
  ]

  /// The memory is there, but must not be used like this.
  static func protection(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, fault.isOfProtection else { return nil }
    let region = fault.markedRegion
    if scene.registers.dataAccess == .write || region.map({ $0.hasBytes(of: " r--/") }) ?? false {
      return CauseFinding(
        .readOnlyMemory, "write to memory that can only be read", .likely, fault.evidence)
    }
    return CauseFinding(
      .memoryProtection, "access that the memory's protection forbids", .certain, fault.evidence)
  }
}
