import CodeOwnership
import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

extension CrashScene {
  /// `libkit.dylib`, if dyld left in the report that it was loading it; nil if it did not.
  ///
  /// Source: github.com/apple-oss-distributions/dyld, src/dyldAPIs.cpp of version 852 and earlier
  /// (`dyld: in dlopen()`).
  var loadedLibrary: String? {
    let lines = facts.applicationInformation
    guard let title = lines.firstIndex(where: { $0.hasPrefix("dyld: in dlopen()") }) else {
      return nil
    }
    return lines[(title + 1)...].first { $0.hasPrefix("/") }?.lastPathComponent
  }

  /// `, in Loader::map as dyld loaded libkit.dylib`, if dyld's copy of a function of the C library
  /// failed, and dyld left in the report what it was doing; else empty.
  fileprivate var linkerWork: String {
    guard
      facts.applicationInformation.contains(where: { $0.hasPrefix("dyld: in dlopen()") }),
      innermostFrames.first?.imageFileName == "dyld",
      let caller = innermostFrames.dropFirst().first, caller.imageFileName == "dyld",
      let name = caller.ownFunction
    else { return "" }
    let work = loadedLibrary.map { " as dyld loaded \($0)" } ?? ""
    return ", in \(FittedText.function(name, columns: 60))\(work)"
  }
}

/// Bad accesses for which the report has only the address.
enum AddressRules {
  /// The address is one that a runtime or a kernel writes where it has none: nothing of the program
  /// was there.
  static func standIn(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let writer = scene.exception.standIn else { return nil }
    return CauseFinding(
      .invalidAddress,
      "\(scene.access) to an address that is not known, a malformed one most likely (\(writer))",
      .likely, fault.evidence)
  }

  /// The pointer came from memory that malloc filled, because the environment asked for it.
  ///
  /// Source: malloc(3), `MallocScribble`: 0x55 in freed memory; `MallocPreScribble`: 0xaa in new
  /// memory. WebKit, Source/WTF/wtf/Assertions.h.
  static func scribbledMemory(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, let address = fault.address else { return nil }
    // The lower bytes may have an offset.
    let is32Bit = scene.facts.architecture?.is32Bit == true
    if address & 0xffff_ffff == 0xbbad_beef {
      return CauseFinding(
        .failedCheck, "WebKit's CRASH(), which writes to 0xbbadbeef: a failed check", .likely,
        fault.evidence)
    }
    // Up to version 4, from `abort()` and from the allocator's checks: android/platform/bionic,
    // libc/unistd/abort.c and libc/upstream-dlmalloc/malloc.c.
    if address == 0xdead_baad {
      return CauseFinding(
        .abort,
        "Android's C library ended the process: it writes to 0xdeadbaad in abort(), and if the heap is damaged",
        .likely, fault.evidence)
    }
    let upper = is32Bit ? address >> 8 : address >> 16
    if upper == (is32Bit ? 0x55_5555 : 0x5555_5555_5555) {
      return CauseFinding(
        .freedObject, "a pointer from freed memory (MallocScribble fills it with 0x55)", .likely,
        fault.evidence)
    }
    if upper == (is32Bit ? 0xaa_aaaa : 0xaaaa_aaaa_aaaa) {
      return CauseFinding(
        .uninitializedMemory,
        "a pointer from memory that was never written (MallocPreScribble fills it with 0xaa)",
        .likely, fault.evidence)
    }
    let digits = String(address, radix: 16)
    if let marker = markers.first(where: { digits.hasBytes(of: $0) }) {
      return CauseFinding(
        .freedObject,
        "a pointer with a marker in it (\(marker)), which programs write into memory that is freed or not in use",
        .likely, fault.evidence)
    }
    return nil
  }

  /// The runtime looked for who catches an exception, and came to memory that it may not read. The
  /// exception is what the program did wrong; the fault only kept it from being caught or reported.
  ///
  /// Source: Itanium C++ ABI, Exception Handling, 2.5.3 "Throwing the Exception Object";
  /// github.com/apple-oss-distributions/objc4, runtime/objc-exception.mm.
  static func faultInThrow(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.isMemoryFault, !scene.lacksInnermostFrames else { return nil }
    let throwing = scene.innermostFrames.prefix(16).prefix(while: isOfThrow)
    guard let thrown = throwing.last(where: TerminateHandler.throwsException) else { return nil }
    let thrower = scene.innermostFrames[throwing.endIndex...].first {
      !ThrownExceptionRules.isRaising($0)
    }
    let isOfObjectiveC = throwing.contains { $0.ownFunction?.hasPrefix("objc_exception_") == true }
    let kind = isOfObjectiveC ? "an Objective-C exception (NSException)" : "a C++ exception"
    let words = thrower?.ownFunction.map { " by \(FittedText.function($0, columns: 80))" } ?? ""
    return CauseFinding(
      .invalidAddress,
      "bad access while \(kind) was being thrown\(words); what the exception says is not on the stack",
      .likely, [scene.evidence(thrown), thrower.map(scene.evidence), scene.exceptionDetails])
  }

  private static func isOfThrow(_ frame: ShownFrame) -> Bool {
    if TerminateHandler.throwsException(frame) { return true }
    switch frame.imageFileName {
    case "libunwind.dylib", "libc++abi.dylib", "dyld", "libdyld.dylib": return true
    default: break
    }
    guard let function = frame.ownFunction else { return false }
    return ["_Unwind_", "unwind_phase", "libunwind::", "__gxx_personality_", "_dyld_find_unwind"]
      .contains { function.hasPrefix($0) }
  }

  /// Words that are no addresses.
  ///
  /// Source: the values that kernels, allocators and runtimes fill memory with;
  /// en.wikipedia.org/wiki/Magic_number_(programming), "Debug values".
  private static let markers = [
    "deadbeef", "deaddead", "deadc0de", "baadf00d", "feedface", "abad1dea", "abadcafe",
    "badc0ffee",
  ]

  /// A debugger shows no address, but the arguments.
  static func nullArgument(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, fault.address == nil,
      let name = scene.facts.nullArgument, let frame = scene.frames.first
    else { return nil }
    return CauseFinding(
      .nullPointer, "access through a null pointer, most likely: the argument \(name) is null",
      .possible, [scene.evidence(frame)] + fault.evidence)
  }

  /// The processor looks at the alignment of an address before it looks for the memory there: the
  /// address is that of nothing, too.
  ///
  /// Source: Arm Architecture Reference Manual, "Prioritization of Synchronous exceptions" and
  /// "MMU fault prioritization".
  static func misalignedNull(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, fault.isNull, let address = fault.address,
      address & 7 != 0,
      scene.exception.kernelCode == 0x101
        || ["EXC_ARM_DA_ALIGN", "UNKNOWN_0x101"].contains(where: { fault.details.hasBytes(of: $0) })
    else { return nil }
    return CauseFinding(
      .misalignedAddress,
      "\(scene.access) at a misaligned address, \(address.hexadecimal): a small number, or null with an odd offset, was used as a pointer",
      .likely, fault.evidence)
  }

  /// Source: XNU, osfmk/mach/arm/exception.h (`EXC_ARM_DA_ALIGN` 0x101, `EXC_ARM_SP_ALIGN` 0x103,
  /// `EXC_ARM_SWP` 0x104), bsd/dev/arm/unix_signal.c (`sendsig`); POSIX, signal.h (`BUS_ADRALN`).
  static func misaligned(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault else { return nil }
    let code = scene.exception.kernelCode
    func says(_ words: String...) -> Bool { words.contains { fault.details.hasBytes(of: $0) } }
    if code == 0x103 || says("EXC_ARM_SP_ALIGN", "UNKNOWN_0x103") {
      return CauseFinding(
        .misalignedAddress, "the stack pointer is misaligned", .likely,
        fault.evidence + [scene.register("sp", scene.registers.stackPointer)])
    }
    let isStated =
      code == 0x101 || code == 0x104
      || says("EXC_ARM_DA_ALIGN", "UNKNOWN_0x101", "UNKNOWN_0x104", "EXC_ARM_SWP")
    guard isStated || says("BUS_ADRALN") else { return nil }
    // Darwin gives every SIGBUS that code.
    if !isStated, scene.facts.system.name?.hasPrefix("Linux") != true,
      fault.address.map({ $0 & 3 == 0 }) ?? true
    {
      let words =
        fault.address.map { "to \($0.hexadecimal), which the memory there does not allow" }
        ?? "through a bad pointer: to memory that does not allow it, or misaligned"
      return CauseFinding(
        .invalidAddress, "\(scene.access) \(words)", .possible, fault.evidence)
    }
    let address = fault.address.map { ", \($0.hexadecimal)" } ?? ""
    return CauseFinding(
      .misalignedAddress, "\(scene.access) at a misaligned address\(address)", .likely,
      fault.evidence)
  }

  /// Intel processors do not say which address failed. Reports name it `EXC_I386_GPFLT` or by its
  /// number, with the address 0.
  ///
  /// Source: Intel Software Developer's Manual, volume 3, "Interrupt 13 - General Protection
  /// Exception": an address that is not canonical is one of several causes.
  static func generalProtection(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault,
      fault.details.hasBytes(of: "EXC_I386_GPFLT")
        || fault.details.hasPrefix("general protection")
        // Linux has no other words for it (arch/x86/kernel/traps.c, `exc_general_protection`).
        || fault.details == "SI_KERNEL"
          && (scene.facts.isOfIntel || scene.report.format == .goTrace)
        || fault.details.hasBytes(of: "UNKNOWN_0xD")
        || scene.exception.kernelCode == 0xd
    else { return nil }
    // The instruction used one of these, if it used an address that is none.
    let registers = scene.report.generalRegisters.filter { isNonCanonical($0.value) }
    let named = registers.prefix(3).map { "\($0.name) \($0.value.hexadecimal)" }
    let words = named.isEmpty ? "" : ": \(named.joined(separator: ", "))"
    return CauseFinding(
      .invalidAddress,
      "general protection fault: most often a pointer that was overwritten or freed (a non-canonical address\(words))",
      .possible, fault.evidence + registers.prefix(3).map { scene.register($0.name, $0.value) })
  }

  /// Whether bits 47 to 63 of an Intel processor's address are mixed.
  ///
  /// Source: Intel Software Developer's Manual, volume 1, "Canonical Addressing".
  static func isNonCanonical(_ address: UInt64) -> Bool {
    let top = address >> 47
    return top != 0 && top != 0x1_ffff
  }

  /// `KERN_INVALID_ADDRESS`, `SEGV_MAPERR`: nothing is mapped there.
  ///
  /// Source: XNU, osfmk/mach/kern_return.h; POSIX, signal.h.
  static func unmapped(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault,
      fault.details.hasBytes(of: "KERN_INVALID_ADDRESS")
        || fault.details.hasBytes(of: "SEGV_MAPERR")
        || scene.exception.kernelCode == 1
    else { return nil }
    guard let address = fault.address else {
      return fault.details.hasBytes(of: " at 0x")
        ? CauseFinding(
          .invalidAddress, "\(scene.access) where no memory is mapped; the address is cut off",
          .likely, fault.evidence) : nil
    }
    let words =
      "\(scene.access) \(scene.access == "read" ? "from" : "to") \(address.hexadecimal), "
    if address == .max {
      return CauseFinding(
        .invalidAddress,
        "\(words)which is -1: what mmap() and other calls return when they fail, or a pointer that was overwritten\(scene.linkerWork)",
        .likely, fault.evidence)
    }
    if let region = fault.overrunRegion {
      return CauseFinding(
        .bufferOverflow,
        words
          + "right behind a region of memory (\(region)): past the end of a buffer in it, most likely",
        .likely, fault.evidence)
    }
    return CauseFinding(
      .invalidAddress,
      words
        + (fault.mayBeForbidden
          ? "where no memory is mapped, or none that may be used" : "where no memory is mapped"),
      .likely, fault.evidence)
  }

  /// The innermost function is the allocator's, and nothing says how the process ended. It reads
  /// little but the heap, so that is damaged, or the pointer is that of no block. A stack without
  /// room may end there, too, and one that is not said to have crashed may be of an allocation.
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src.
  static func inAllocator(_ scene: CrashScene) -> CauseFinding? {
    guard scene.owners.isUnexplained, scene.facts.event == .crash, scene.frames.count < 512,
      scene.frames.count > 1, let first = scene.frames.first, first.index == 0,
      first.imageFileName == SignalHandler.allocator, let name = first.ownFunction,
      allocatorStarts.contains(where: { name.hasPrefix($0) })
    else { return nil }
    let called =
      scene.frames.prefix { $0.imageFileName == SignalHandler.allocator }
      .compactMap(\.ownFunction).last ?? name
    let function =
      ["free", "realloc", "calloc", "malloc", "size"].first { called.hasBytes(of: $0) } ?? "malloc"
    let takesPointer = ["free", "realloc", "size"].contains(function)
    let formats: [ReportFormat] = [.crashlytics, .callStack]
    guard
      scene.report.crashedThread != nil
        || takesPointer && first.address != nil && name != called
          && scene.report.backtraces.count == 1 && formats.contains(scene.report.format)
    else { return nil }
    let words = takesPointer ? "a bad pointer, or a damaged heap" : "the heap was damaged before"
    let inner = name == function ? "" : " (\(name))"
    return CauseFinding(
      .heapDamage,
      "crashed in \(function == "size" ? "malloc_size" : function)()\(inner): \(words)",
      .likely, [scene.evidence(first)])
  }

  private static let allocatorStarts = [
    "nanov2_", "nano_", "_nano_", "szone_", "tiny_", "small_", "medium_", "free_tiny",
    "free_small", "free_medium", "_xzm_", "xzm_", "mfm_", "_malloc_zone_", "malloc_zone_", "free",
    "malloc", "calloc", "realloc",
  ]
}
