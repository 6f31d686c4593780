import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

extension ShownFrame {
  /// Whether both frames wait for the same call, as far as the text says.
  fileprivate func isCalled(like other: ShownFrame) -> Bool {
    if let own = address?.value, let another = other.address?.value { return own == another }
    return function != nil && function == other.function && line != nil && line == other.line
  }
}

/// Stacks that have no room left, and what lies around them.
extension MemoryRules {
  /// The address is in the guard page of another thread than the one that crashed, as the regions
  /// of memory say: `STACK GUARD … for thread 12`. The guard of a stack is below it, so that of a
  /// neighbour is above. A region of the heap may be right below it, too.
  static func guardOfOtherStack(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault,
      let crashed = scene.facts.crashedThread ?? scene.facts.statedCrashedThread,
      let other = fault.guardedThread, other != crashed,
      Recursion(scene.frames).map({ $0.count >= 32 }) != true
    else { return nil }
    let isOwnStack = fault.regionBelow?.hasSuffix(" thread \(crashed)") == true
    let overrun =
      isOwnStack
      ? "past the upper end of thread \(crashed)'s stack, into the guard of thread \(other)'s"
      : fault.overrunHeap.map {
        "past the end of a region of the heap (\($0)), into the guard of thread \(other)'s stack"
      }
    let words =
      overrun.map { "\($0): a buffer there was overrun, or a stray pointer" }
      ?? "to the guard of thread \(other)'s stack by thread \(crashed): a stray pointer"
    return CauseFinding(
      .memoryProtection, "\(scene.access) \(words)", .likely, fault.evidence)
  }

  /// What lies beyond the upper end of the main thread's stack on Intel's processors of 64 bits,
  /// before it was at random places: dyld, and no guard page.
  ///
  /// Source: XNU of Mac OS X 10.5, osfmk/mach/i386/vm_param.h (`VM_USRSTACK64`).
  private static let beyondMainStack: Range<UInt64> = 0x7fff_5fc0_0000..<0x7fff_5fd0_0000

  /// Where the main thread's stack may end in macOS on Intel's processors, up to version 10.11 and
  /// later: 8 MB below its top, which is up to 256 MB lower by chance, and the guard below that.
  ///
  /// Source: XNU, osfmk/mach/i386/vm_param.h (`VM_USRSTACK64`), bsd/sys/resource.h and
  /// bsd/kern/kern_exec.c (`exec_…aslr`: 16 bits of pages).
  private static let mainStackEnds = [0x7fff_5fc0_0000, 0x7ffe_efc0_0000].map { (top: UInt64) in
    top - (8 << 20) - (256 << 20) - (64 << 10)..<top - (8 << 20)
  }

  /// Right below the main thread's stack of the usual size in a program that a debugger started in
  /// macOS, whose stack is at no random place: on Apple's processors, and on Intel's in macOS 10.12
  /// and later and before that. Functions that need no more than 64 kB reach no further.
  ///
  /// Source: XNU, bsd/arm/vmparam.h (`USRSTACK64`, less the 8176 kB that `ulimit -s` shows) and
  /// osfmk/mach/i386/vm_param.h (`VM_USRSTACK64`, less 8 MB); lldb's `target.disable-aslr`.
  private static let fixedStackEnds = [0x1_6f60_4000, 0x7ffe_ef40_0000, 0x7fff_5f40_0000].map {
    (end: UInt64) in end - (64 << 10)..<end
  }

  /// Whether an address is in the last pages of what may not be used below the main thread's stack,
  /// by the line above the regions, which may be all that is left of them: `0x16f07bfe0 is in
  /// 0x16b878000-0x16f07c000;  bytes after …`. That has as many bytes as the limit of 64 MB is more
  /// than the usual size: 8 MB, on Apple's processors less 16 kB.
  ///
  /// Source: XNU, bsd/arm/vmparam.h and bsd/i386/vmparam.h (`MAXSSIZ`, `DFLSSIZ`),
  /// bsd/kern/kern_exec.c (`create_unix_stack`).
  private static func isInMainGuard(_ address: UInt64, _ facts: ReportFacts) -> Bool {
    guard let line = facts.memoryRegion.first, line.utf8.count < 512,
      let start = line.firstRange(of: " is in 0x")?.upperBound
    else { return false }
    let ends = line[start...].prefix { $0 != ";" }.split(separator: "-")
    guard ends.count == 2, ends[1].hasPrefix("0x"), let first = UInt64(ends[0], radix: 16),
      let end = UInt64(ends[1].dropFirst(2), radix: 16), first < end
    else { return false }
    let size: UInt64 = facts.isOfIntel ? 0x380_0000 : 0x380_4000
    return end - first == size && address < end && end - address <= 64 << 10
  }

  /// The address is in the guard page below a stack, or next to the stack pointer, or functions
  /// call each other without end.
  static func stackOverflow(_ scene: CrashScene) -> CauseFinding? {
    // It touches each page of the room for a large frame, and nothing else, so it fails only at the
    // end of the stack.
    let growing = scene.frames.first.flatMap { frame in
      frame.function?.hasSuffix("_chkstk_darwin") == true ? frame : nil
    }
    guard let fault = scene.memoryFault else {
      // The message may be all that is left of the exception.
      let isSaid = scene.exception.details.hasBytes(of: "stack size exceeded")
      guard growing != nil || isSaid, scene.exception.type == nil, scene.exception.signal == nil
      else {
        return cutRecursion(scene)
      }
      let cycle = Recursion(scene.frames).map { ": \($0.text)" } ?? ""
      return CauseFinding(
        .stackOverflow, "stack overflow\(cycle)", .likely,
        [growing.map(scene.evidence), isSaid ? scene.exceptionDetails : nil])
    }
    // At the end of the stack a few rounds are enough.
    let isAtEnd =
      fault.isOfProtection
      && fault.address.map { address in mainStackEnds.contains { $0.contains(address) } } == true
    let isAtFixedEnd =
      fault.isOfProtection && fault.markedRegion == nil
      && fault.address.map { address in fixedStackEnds.contains { $0.contains(address) } } == true
    let words = fault.details + "\n" + scene.facts.memoryRegion.joined(separator: "\n")
    // It names another thread than the one that crashed.
    guard !words.hasBytes(of: "possible stray access") else { return nil }
    let isSaid =
      fault.details.hasBytes(of: ReportFacts.toldOverflow)
      || words.hasBytes(of: "Could not determine thread index for stack guard region")
      || words.hasBytes(of: "stack size exceeded")
    let recursion =
      Recursion(scene.frames)
      ?? (isAtEnd || isSaid ? Recursion(scene.frames, fewestRounds: 4) : nil)
    let cycle = recursion.map { ": \($0.text)" } ?? ""
    let isInGuardPage =
      isSaid || fault.isBelowStack || fault.isInGuard
      || fault.isOfProtection && fault.markedRegion == nil
        && fault.address.map { isInMainGuard($0, scene.facts) } == true
    // A frame larger than a page reaches beyond the guard page's edge.
    let isNearStack =
      fault.address.flatMap { address in
        scene.registers.stackPointer.map { pointer in
          let distance = address > pointer ? address - pointer : pointer - address
          return distance < 64 << 10 && !beyondMainStack.contains(address)
        }
      } ?? false
    let isOfStack =
      fault.isOfProtection && scene.facts.faultingInstruction.map(writesOnStack) == true
    // Below a page of the stack there is another one, which the kernel maps as it is used, or the
    // guard. Registers alone do not say which rights a page has.
    let isPush =
      fault.access == .write
      && fault.address.flatMap { address in
        scene.registers.stackPointer.map { pointer in
          pointer & 0xfff == 0 && pointer > address && pointer - address <= 16
        }
      } == true
    if isPush || isInGuardPage || growing != nil || isOfStack || isAtEnd && recursion != nil
      || isAtFixedEnd || isNearStack && (recursion != nil || fault.isOfProtection)
    {
      return CauseFinding(
        .stackOverflow, "stack overflow\(cycle)", .likely,
        fault.evidence + [scene.register("sp", scene.registers.stackPointer)]
          + [recursion.map { scene.evidence($0.first) }])
    }
    guard let recursion, recursion.count >= 32, !fault.isNull else { return nil }
    return CauseFinding(
      .stackOverflow, "stack overflow, most likely\(cycle)", .likely,
      [scene.evidence(recursion.first)] + fault.evidence)
  }

  /// The user's own functions call each other again and again from the same places, down to where
  /// the text breaks off. Walks through trees have such stacks, too, so it is only possible.
  private static func cutRecursion(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.exception
    guard exception.type == nil, exception.signal == nil, exception.name == nil,
      scene.facts.event == .crash, scene.facts.termination.namespace == nil
    else { return nil }
    if let found = deepRecursion(scene) ?? shownRecursion(scene) { return found }
    guard scene.report.crashedThread?.isCrashed == true,
      let recursion = Recursion(scene.frames, fewestRounds: 2, startLimit: 24),
      // The name in the last line may be cut.
      recursion.end + 1 >= scene.frames.count,
      // Functions that walk through trees call themselves, and few trees are so deep.
      recursion.cycle.count > 1 || recursion.count >= 10
    else { return nil }
    // Rounds count that the report leaves out, so there may be more of them than frames.
    let cycle = scene.frames[max(0, recursion.end - recursion.count)...]
    guard
      zip(cycle, cycle.dropFirst(recursion.cycle.count)).allSatisfy({ $0.isCalled(like: $1) }),
      cycle.contains(where: { scene.owners.owner(of: $0) == .user })
    else { return nil }
    return CauseFinding(
      .stackOverflow,
      "an endless recursion, possibly, as far as the text goes: \(recursion.text)", .possible,
      [scene.evidence(recursion.first)])
  }

  /// A thread without a stack has called nothing: a program fails so at its first instruction. With
  /// callers in the report, the register was overwritten.
  static func noStack(_ scene: CrashScene) -> CauseFinding? {
    guard let fault = scene.memoryFault, scene.registers.stackPointer == 0,
      scene.frames.count < 2,
      let counter = scene.registers.programCounter, counter != 0
    else { return nil }
    return CauseFinding(
      .launch, "the stack pointer is 0: the thread had no stack, so no function had run yet",
      .likely, fault.evidence + [scene.register("sp", 0)])
  }

  /// The only stack that somebody shows from a debugger, without a reason, has the same call of the
  /// user's own functions dozens of times. Few trees are so deep.
  private static func shownRecursion(_ scene: CrashScene) -> CauseFinding? {
    guard [.gdbBacktrace, .lldbBacktrace].contains(scene.report.format),
      scene.report.backtraces.count == 1,
      !WaitingFunctions.areBlocked(scene.frames.first?.function),
      let recursion = Recursion(scene.frames, fewestRounds: 32, startLimit: 64),
      case let cycle = scene.frames[..<recursion.end].suffix(recursion.count - 1),
      zip(cycle, cycle.dropFirst(recursion.cycle.count)).allSatisfy({ $0.isCalled(like: $1) }),
      cycle.contains(where: { scene.owners.owner(of: $0) == .user })
    else { return nil }
    return CauseFinding(
      .stackOverflow, "an endless recursion, most likely: \(recursion.text)", .likely,
      [scene.evidence(recursion.first)])
  }

  /// A part of a stack whose frames have numbers that no healthy stack has, and repeat. Reports
  /// show 512 frames of a thread, debuggers all.
  ///
  /// Source: lldb's `thread backtrace`; as in github.com/iabudiab/HTMLKit, issue 38.
  private static func deepRecursion(_ scene: CrashScene) -> CauseFinding? {
    guard let first = scene.frames.first?.index, first >= 512, let last = scene.frames.last,
      let recursion = Recursion(scene.frames, fewestRounds: 2)
    else { return nil }
    return CauseFinding(
      .stackOverflow,
      "a recursion of more than \(last.index) frames, most likely a stack overflow: \(recursion.text)",
      .likely, [scene.evidence(recursion.first)])
  }

  /// Whether an instruction writes where the stack pointer points, as a function does first to keep
  /// registers: `stp x28, x27, [sp, #0x190]`, `pushq %rbp`, `movq %rdi, 0x8(%rsp)`. The memory of a
  /// stack can be written, except for the guard page at its end.
  ///
  /// Source: the instruction sets, as lldb writes them; XNU, bsd/kern/kern_exec.c and libpthread,
  /// src/pthread.c, for the guard page.
  private static func writesOnStack(_ instruction: String) -> Bool {
    let words = instruction.split { $0 == " " || $0 == "\t" || $0 == "," }
    guard let name = words.first, let last = words.last, words.count > 1 else { return false }
    if name.hasPrefix("push") { return true }
    // Through a pointer in memory, the fault may be there.
    if name.hasPrefix("call") { return !last.contains { "*[(".contains($0) } }
    if name.hasPrefix("st") { return instruction.hasBytes(of: "[sp") }
    return name.hasPrefix("mov") && last.hasSuffix("(%rsp)")
  }
}
