import CodeOwnership
import CrashLogParser
import FunctionNames
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
    let details = scene.exception.details
    guard
      scene.exception.isMemoryFault
        || ["EXC_BAD_ACCESS", "EXC_CRASH (Code"].contains(where: {
          scene.exception.type?.hasPrefix($0) == true
        }),
      scene.exception.kernelCode == 50 || details.hasBytes(of: "UNKNOWN_0x32")
        || details.hasBytes(of: "KERN_CODESIGN_ERROR")
        || [scene.exception.signal, scene.exception.type].contains(where: {
          $0?.hasBytes(of: "Code Signature Invalid") == true
        })
        // The text may break off: `EXC_CRASH (Code Signa`.
        || scene.exception.type?.hasPrefix("EXC_CRASH (Code") == true
    else { return nil }
    return CauseFinding(
      .codeSignature,
      "invalid code signature: a page does not match what was signed, because the file changed or was not signed",
      .likely, [scene.exceptionDetails, scene.exceptionField])
  }

  /// Only code for arm64e signs pointers: Apple's own programs, and kernel extensions. In all other
  /// processes the system's words are a guess from the high bits of the address.
  static func pointerAuthentication(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault else { return nil }
    if fault.details.hasBytes(of: "EXC_ARM_PAC") || fault.details.hasBytes(of: "UNKNOWN_0x105")
      || scene.exception.kernelCode == 0x105
      || scene.facts.termination.namespace == "PAC_EXCEPTION"
    {
      return CauseFinding(
        .pointerAuthentication,
        "pointer authentication failed: a signed pointer was overwritten or misused", .likely,
        fault.evidence)
    }
    guard fault.details.hasBytes(of: authenticationGuess), scene.signsPointers else { return nil }
    return CauseFinding(
      .pointerAuthentication,
      "possible pointer authentication failure: a signed pointer was overwritten or misused",
      .possible, fault.evidence)
  }

  /// What ReportCrash adds if the address changes when its high bits are removed.
  static let authenticationGuess = "possible pointer authentication failure"

  /// A pointer with bits that no address has, in a process that does not sign pointers.
  static func overwrittenPointer(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address,
      scene.facts.architecture?.is32Bit != true, address != .max,
      isNoAddress(address, scene)
        || fault.details.hasBytes(of: authenticationGuess)
    else { return nil }
    // Bit 47 is a sign on Intel's processors only. On ARM, the kernel's half begins with 16 ones in
    // Linux, and a process has 47 bits in Apple's systems.
    let isOfIntel = scene.facts.isOfIntel
    let isOfKernel = isOfIntel ? address >> 47 == 0x1_ffff : address >> 48 == 0xffff
    let bits = isOfIntel ? "(non-canonical)" : "of a process"
    let kind = isOfKernel ? "of a process (the kernel's half)" : bits
    return CauseFinding(
      .overwrittenPointer,
      "a pointer that was overwritten: \(address.hexadecimal) is no address \(kind)",
      .likely, fault.evidence)
  }

  /// Whether bits 47 to 63 are not all 0 (Intel), or bits above 48 are set (ARM). The last
  /// gigabytes are small negative numbers.
  ///
  /// Source: Arm Architecture Reference Manual, "Address size configuration".
  private static func isNoAddress(_ address: UInt64, _ scene: CrashScene) -> Bool {
    scene.facts.isOfIntel
      ? AddressRules.isNonCanonical(address)
        || address >> 47 != 0 && address < 0xffff_ffff_0000_0000
      : address >> 48 != 0
  }

  /// The kernel says that a page does not match its signature, and there is no page, or none of a
  /// file: the process jumped to where no code is.
  static func fetchWithoutCode(_ scene: CrashScene) -> CauseFinding? {
    guard scene.facts.endedForFetch, let fault = scene.memoryFault, let address = fault.address,
      scene.registers.programCounter.map({ $0 == address }) ?? true,
      // Nothing is mapped there, so the frame of the jump has no image.
      fault.isOfProtection
        || scene.innermostFrames.first?.address.map({ $0.value == address }) ?? true
    else { return nil }
    if let region = fault.dataRegion {
      return CauseFinding(
        .memoryProtection,
        "jump to \(address.hexadecimal), memory that may not be executed (\(region)): a call through a bad pointer, or code made at run time without the right to run it",
        .likely, fault.evidence + [scene.register("pc", scene.registers.programCounter)])
    }
    let isNowhere = scene.facts.memoryRegion.contains { $0.hasBytes(of: " is not in any region") }
    return address < MemoryFault.nullLimit || isNowhere ? callThroughBadPointer(scene) : nil
  }

  /// The program counter is the faulting address: not data was missing there, but code.
  static func callThroughBadPointer(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address,
      scene.registers.programCounter == address
        || scene.innermostFrames.first?.address?.value == address || scene.facts.endedForFetch
    else { return pausedAtNull(scene) }
    let evidence = fault.evidence + [scene.register("pc", scene.registers.programCounter)]
    // The pool sent a message, and the class of an object that was freed led to no method.
    if address < MemoryFault.nullLimit, let frame = scene.drainedPool {
      return CauseFinding(
        .freedObject,
        "jump to \(address.hexadecimal) as an autorelease pool was emptied (\(frame.ownFunction ?? "")): an object in it was freed or overwritten before",
        .likely, [scene.evidence(frame)] + evidence)
    }
    if address < MemoryFault.nullLimit {
      let called =
        scene.site == nil ? "" : scene.caller(of: scene.innermostFrames) + scene.callOfLibrary
      return CauseFinding(
        .callThroughNullPointer, "call through a null pointer\(called)", .likely, evidence)
    }
    // Somebody wrote this code, so the pointer to it was sound.
    if scene.registers.failedToFetch, scene.exception.type == nil,
      let frame = scene.innermostFrames.first, frame.imageOffset != nil, frame.ownFunction != nil
    {
      let kind = fault.isOfProtection ? "permission" : "translation"
      return CauseFinding(
        .memoryProtection,
        "the function's code could not be fetched (instruction abort, \(kind) fault): the page is not mapped, or may not be executed",
        .likely, evidence)
    }
    return badJump(to: address, scene, evidence)
  }

  private static func badJump(
    to address: UInt64, _ scene: CrashScene, _ evidence: [CauseEvidence?]
  ) -> CauseFinding {
    let caller = scene.site == nil ? "" : scene.caller(of: scene.innermostFrames)
    return CauseFinding(
      .callThroughBadPointer,
      "jump to \(address.hexadecimal), where no code is: a call through a dead or overwritten pointer\(caller)",
      .likely, evidence)
  }

  /// A debugger shows a thread that is at address 0, and not why it stopped, or somebody shows such
  /// frames alone: nobody is there but who was called through a null pointer.
  ///
  /// Source: XNU, osfmk/mach/arm/vm_param.h and i386/vm_param.h: no process of 64 bits has its
  /// first page.
  private static func pausedAtNull(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == nil, scene.exception.signal == nil, scene.exception.name == nil,
      [.gdbBacktrace, .lldbBacktrace, .bareNames, .crashText, .callStack].contains(
        scene.report.format),
      scene.facts.event == .crash, scene.facts.termination.namespace == nil,
      scene.frames.count > 1, scene.frames[0].address?.value == 0, scene.frames[0].function == nil
    else { return pausedBelowImages(scene) }
    let caller = scene.frames[1]
    let name = caller.index == scene.site?.frame.index ? nil : caller.ownFunction
    return CauseFinding(
      .callThroughNullPointer,
      "call through a null pointer\(name.map { " in \($0)" } ?? "")\(scene.callOfLibrary)",
      .likely, [scene.evidence(scene.frames[0])])
  }

  /// A stack begins below 4 GB, in no image, and goes on above that, in images that it names. On
  /// Apple's systems, programs of 64 bits have nothing down there.
  ///
  /// Source: ld(1), `-pagezero_size`.
  private static func pausedBelowImages(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == nil, scene.exception.signal == nil, scene.exception.name == nil,
      [.callStack, .crashText, .frameFragment].contains(scene.report.format),
      scene.facts.event == .crash, scene.facts.termination.namespace == nil,
      let called = scene.frames.first, called.index == 0, called.function == nil,
      called.imageName == unknownImageName, let address = called.address?.value,
      address >= MemoryFault.nullLimit, address >> 32 == 0,
      case let callers = scene.frames.dropFirst().prefix(3), callers.count == 3,
      callers.allSatisfy({ frame in
        frame.imageName != unknownImageName && frame.ownFunction != nil
          && frame.address.map { $0.value >> 32 != 0 } == true
      })
    else { return nil }
    return badJump(to: address, scene, [scene.evidence(called)])
  }

  /// The program counter is at the very start of an image, where its header is and no code. The
  /// exception may be missing, or be that of executing the header.
  ///
  /// Source: mach-o/loader.h (`mach_header` has 28 bytes, `mach_header_64` 32); elf(5).
  static func jumpToHeader(_ scene: CrashScene) -> CauseFinding? {
    let isOpen = scene.exception.type == nil && scene.exception.signal == nil
    let isOfCode =
      scene.exception.isMemoryFault
      || scene.exception.type?.hasPrefix("EXC_BAD_INSTRUCTION") == true
      || scene.exception.signal == "SIGILL"
    guard isOpen || isOfCode, scene.facts.event == .crash,
      let frame = scene.innermostFrames.first, frame.function == nil, frame.image != nil,
      let address = frame.address?.value, address >= MemoryFault.nullLimit,
      let offset = frame.imageOffset, offset < 28, scene.frames.count > 1
    else { return nil }
    let name = frame.imageFileName
    return CauseFinding(
      .callThroughBadPointer,
      "jump to \(address.hexadecimal), the start of \(name), where no code is: a call through a bad pointer, or into memory that may not be executed",
      .likely, [scene.evidence(frame), scene.register("pc", scene.registers.programCounter)])
  }

  /// If the registers are known, one of them has to be null; else a small number was used as a
  /// pointer.
  static func nullPointer(_ scene: CrashScene) -> CauseFinding? {
    if let finding = beforeNull(scene) { return finding }
    guard let fault = scene.memoryFault, fault.isNull, let address = fault.address else {
      return nil
    }
    if address != 0, scene.report.hasZeroRegister == false {
      return CauseFinding(
        .invalidAddress,
        "\(scene.access) to \(address.hexadecimal): a small number was used as a pointer",
        .possible,
        fault.evidence)
    }
    let offset = address == 0 ? "" : ", at offset \(address.hexadecimal)"
    // Few fields begin there.
    guard address >= 8 || address & 3 == 0 else {
      return CauseFinding(
        .nullPointer,
        "\(scene.access) through a null pointer\(offset); or a small number was used as a pointer",
        .possible, fault.evidence)
    }
    return CauseFinding(
      .nullPointer, "\(scene.access) through a null pointer\(offset)", .likely, fault.evidence)
  }

  /// Some objects have something in front of where their pointer leads, such as the table of value
  /// witnesses of Swift's metadata, so that a null pointer becomes a small negative number.
  ///
  /// Source: github.com/swiftlang/swift, docs/ABI/TypeMetadata.rst ("at offset -1").
  private static func beforeNull(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address,
      address > .max - 0x1000, address & 7 == 0, scene.report.hasZeroRegister != false
    else { return nil }
    let offset = UInt64.max - address + 1
    return CauseFinding(
      .nullPointer, "\(scene.access) through a null pointer, at offset -\(offset.hexadecimal)",
      .likely, fault.evidence)
  }

  /// `KERN_MEMORY_ERROR`: the page could not be read from its file.
  static func fileGone(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault,
      ["KERN_MEMORY_ERROR", "KERN_MEMORY_FAILURE", "FS pagein error", "has gone away"].contains(
        where: { fault.details.hasBytes(of: $0) })
        || [9, 10].contains(scene.exception.kernelCode)
    else { return nil }
    // `FS pagein error: 1 Operation not permitted`
    let error = fault.details.word(after: "FS pagein error: ") { _ in true }
    let words = error?.drop { $0.isNumber || $0 == " " } ?? ""
    let reason = words.isEmpty ? "its volume went away, or it became shorter" : String(words)
    return CauseFinding(
      .fileGone, "the file behind this memory could not be read: \(reason)", .likely, fault.evidence
    )
  }

  /// A pointer with the bytes of a text in it was overwritten by one.
  static func pointerIsText(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address,
      let text = PointerText.text(of: address, is64Bit: scene.facts.architecture?.is32Bit != true)
    else { return nil }
    return CauseFinding(
      .pointerIsText, "the pointer holds text (“\(text)”): memory was overwritten", .likely,
      fault.evidence)
  }

  /// The memory is there, but must not be used like this.
  static func protection(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, fault.isOfProtection else { return nil }
    let region = fault.markedRegion ?? ""
    if let frame = scene.innermostFrames.first(where: { frame in
      frame.function.map { $0.hasBytes(of: "jit_write_protect") } ?? false
    }) {
      return CauseFinding(
        .memoryProtection,
        "write to code that is made at run time (MAP_JIT): the entitlement com.apple.security.cs.allow-jit or the switch to writing is missing",
        .likely, [scene.evidence(frame)] + fault.evidence)
    }
    let constant = ["__TEXT", "__DATA_CONST"].first { region.hasBytes(of: $0) }
    let isConstant = constant != nil || region.hasBytes(of: " r--/")
    var access = scene.access
    if region.hasBytes(of: " ---/"), let heap = fault.overrunHeap {
      return CauseFinding(
        .bufferOverflow,
        "\(access) past the end of a region of the heap (\(heap)), where none is allowed: a buffer there was overrun, most likely",
        .likely, fault.evidence)
    }
    // What can be read does not fail so. Intel's registers say what it was, if they are of it.
    let isUntold = isConstant && (access == "read" || access == "access" && scene.facts.isOfIntel)
    if isUntold { access = "access" }
    let canBeRead = ![" rw", " ---/"].contains { region.hasBytes(of: $0) }
    if isConstant && !isUntold || access == "write" && canBeRead {
      return CauseFinding(
        .readOnlyMemory,
        "write to memory that can only be read\(constant.map { " (\($0))" } ?? fault.unsaid)",
        .likely, fault.evidence)
    }
    return CauseFinding(
      .memoryProtection,
      access
        + (fault.address.map { " \(access == "read" ? "from" : "to") \($0.hexadecimal)" } ?? "")
        + " that the memory's protection forbids",
      .likely, fault.evidence)
  }
}

extension CrashScene {
  /// ` in CFArrayApplyFunction`, which called what is innermost; empty if it has no name, or is the
  /// place.
  func caller(of frames: ArraySlice<ShownFrame>) -> String {
    guard let caller = frames.dropFirst().first, caller.index != site?.frame.index,
      let name = caller.ownFunction, caller.traits?.machinery == nil
    else { return "" }
    return " in \(name)"
  }

  /// `; Deck.show() called Qt`: the program's own function that called the library which is the
  /// place. Empty if there is none, or it is not next to the library's frames.
  fileprivate var callOfLibrary: String {
    guard let site, let library = site.library,
      let start = frames.firstIndex(where: { $0.index == site.frame.index }),
      let caller = frames[start...].prefix(16).first(where: {
        owners.owner(of: $0) != .library(library)
      }), owners.owner(of: caller) == .user, caller.traits?.machinery == nil,
      let name = caller.ownFunction, name != "main"
    else { return "" }
    return "; \(FittedText.function(name, columns: 100)) called \(library)"
  }

  /// The function that empties an autorelease pool and called what failed; nil if none did.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/NSObject.mm; the names in Foundation
  /// and CoreFoundation.
  fileprivate var drainedPool: ShownFrame? {
    // The innermost frame is where no function is.
    innermostFrames.dropFirst().prefix(3).first { frame in
      frame.ownFunction.map { name in Self.poolFunctions.contains { name.hasPrefix($0) } } ?? false
    }
  }

  private static let poolFunctions = [
    "NSPopAutoreleasePool", "-[NSAutoreleasePool ", "_CFAutoreleasePoolPop",
    "_objc_autoreleasePoolPop", "objc_autoreleasePoolPop", "AutoreleasePoolPage::",
    "(anonymous namespace)::AutoreleasePoolPage::", "_objc_pthread_destroyspecific",
  ]

  /// Whether the process ran code for arm64e, which signs pointers. Nothing but images says so:
  /// the report's own words are `ARM-64` for both.
  var signsPointers: Bool {
    guard facts.isTranslated != true else { return false }
    if facts.architecture == .arm64e { return true }
    guard facts.architecture == nil || facts.architecture == .arm64 else { return false }
    let path = facts.process.path ?? ""
    if let main = report.images.first(where: { $0.path == path || $0.name == facts.process.name }),
      let architecture = main.architecture
    {
      return architecture == .arm64e
    }
    return ["/System/", "/usr/", "/sbin/", "/bin/"].contains { path.hasPrefix($0) }
  }
}
