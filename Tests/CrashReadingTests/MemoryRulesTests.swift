import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// The rules about bad accesses: null pointers, freed objects, overruns, stacks.
///
/// What the numbers mean is from XNU's headers and Apple's documentation, as the rules name them;
/// the reports are built here, with the lines that real reports have.
struct MemoryRulesTests {
  private typealias Report = TrapReportFixture

  private func badAccess(
    _ subtype: String, codes: String, frames: [String]? = nil, state: String = "",
    regions: String = ""
  ) throws -> JsonReport.Crash {
    try Report.crash(
      frames ?? [Report.stated(0, 0x1_0000_1000, Report.own)],
      head: """
        Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
        Exception Subtype: \(subtype)
        Exception Codes: \(codes)
        \(regions)
        """,
      after: state.isEmpty
        ? "" : "\nThread 0 crashed with ARM Thread State (64-bit):\n\(state)\n")
  }

  @Test(
    arguments: [
      ("0x0000000000000000", "", "access", nil),
      ("0x0000000000000010", "", "access", "0x10"),
      ("0x0000000000003fff", "", "access", "0x3fff"),
      // WnR is bit 6 of a data abort's syndrome.
      (
        "0x0000000000000010", "   far: 0x0000000000000010  esr: 0x92000006 (Data Abort) byte read",
        "read", "0x10"
      ),
      (
        "0x0000000000000010", "   far: 0x0000000000000010  esr: 0x92000046 (Data Abort) byte write",
        "write", "0x10"
      ),
      // A system call's syndrome says nothing about the access.
      (
        "0x0000000000000010", "   far: 0x0000000000000010  esr: 0x56000080 (Data Abort) byte read",
        "access", "0x10"
      ),
    ] as [(String, String, String, String?)])
  func nullPointers(address: String, state: String, access: String, offset: String?) throws {
    let found = try badAccess(
      "KERN_INVALID_ADDRESS at \(address)", codes: "0x0000000000000001, \(address)", state: state)
    let reason = try require(found.reason)
    expectPrefix(reason, "\(access) ")
    expectTrue(offset.map { reason.hasSuffix(" \($0)") } ?? !reason.contains("0x"))
    expectEqual(found.kind, "nullPointer")
    expectEqual(found.confidence, "likely")
    expectEqual(found.reasonFrom, "exceptionType")
    expectEqual(found.evidence.first?.text, "KERN_INVALID_ADDRESS at \(address)")
  }

  /// Intel's error code of a page fault (Software Developer's Manual, volume 3, 4.7): bit 0 is set
  /// if the page is there, bit 1 for a write, bit 2 in a process, bit 4 for an instruction. It was
  /// no read if the region can be read, and the registers may be of another fault.
  @Test(
    arguments: [
      ("__TEXT", "r-x/rwx", "0x00000007", "0x10010c020", "write to memory that can only be read"),
      ("__TEXT", "r-x/rwx", "0x00000004", "0xfffffffffffffff0", "access to 0x10010c020 that"),
      ("__TEXT", "r-x/rwx", "0x00000006", "0xfffffffffffffff0", "access to 0x10010c020 that"),
      ("__TEXT", "r-x/rwx", "0x00000005", "0x10010c020", "access to 0x10010c020 that"),
      ("__TEXT", "r-x/rwx", nil, "0x10010c020", "access to 0x10010c020 that"),
      ("mapped file", "r--/rwx", nil, "0x10010c020", "access to 0x10010c020 that"),
      ("mapped file", "r--/rwx", "0x00000007", "0x10010c020", "write to memory that can only be"),
      ("VM_ALLOCATE", "---/rwx", "0x00000005", "0x10010c020", "read from 0x10010c020 that"),
      ("VM_ALLOCATE", "---/rwx", "0x00000007", "0x10010c020", "write to 0x10010c020 that"),
      ("MALLOC_TINY", "rw-/rwx", "0x00000015", "0x10010c020", "access to 0x10010c020 that"),
    ] as [(String, String, String?, String, String)])
  func protectionOfIntel(
    region: String, rights: String, error: String?, cr2: String, reason: String
  ) throws {
    let state = error.map { "\nLogical CPU:     1\nError Code:      \($0)\nTrap Number:     14\n" }
    let text = """
      Process:         Board [812]
      Code Type:       X86-64 (Native)
      Exception Type:  EXC_BAD_ACCESS (SIGBUS)
      Exception Codes: KERN_PROTECTION_FAILURE at 0x000000010010c020

      VM Regions Near 0x10010c020:
      --> \(region)    0000000100100000-0000000100110000 [  64K] \(rights) SM=COW

      Thread 0 Crashed:
      0   Board    0x0000000100001000 -[Board draw] + 12

      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000001  rip: 0x0000000100001000  cr2: \(cr2)
      \(state ?? "")
      """
    expectPrefix(try require(JsonFixture.report(text, with: []).crash.reason), reason)
  }

  @Test(
    arguments: [("0x00000006", "write"), ("0x00000004", "read"), ("0x00000014", "access")])
  func nullPointersOfIntel(error: String, access: String) throws {
    let text = """
      Process:         Board [812]
      Code Type:       X86-64 (Native)
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010

      Thread 0 Crashed:
      0   Board    0x0000000100001000 -[Board draw] + 12

      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000000  rip: 0x0000000100001000  cr2: 0x0000000000000010

      Error Code:      \(error)
      Trap Number:     14

      """
    try expectReason(
      text, "\(access) through a null pointer, at offset 0x10", in: "-[Board draw]")
  }

  @Test func anAddressFromTheWordsAlone() throws {
    let text = "Exception Type:  SIGSEGV\nException Codes: SEGV_MAPERR at 0x8"
    let found = try Report.crash([Report.stated(0, 0x1_0000_1000, Report.own)], head: text)
    expectEqual(found.kind, "nullPointer")
    expectEqual(found.reason?.hasSuffix(" 0x8"), true)
  }

  @Test func anAddressAboveTheFirstPagesIsNoNullPointer() throws {
    let found = try badAccess("KERN_INVALID_ADDRESS at 0x10000", codes: "0x1, 0x10000")
    expectEqual(found.kind, "invalidAddress")
    expectEqual(found.confidence, "likely")
  }

  @Test func callsThroughBadPointers() throws {
    let null = try badAccess(
      "KERN_INVALID_ADDRESS at 0x0", codes: "0x1, 0x0",
      frames: [
        "0   ??? 0x0000000000000000 0 + 0", Report.stated(1, 0x1_0000_1000, Report.own),
      ])
    expectEqual(null.kind, "callThroughNullPointer")
    expectEqual(null.reason, "call through a null pointer")
    expectEqual(null.frame?.function, "-[Board draw]")
    let dead = try badAccess(
      "KERN_INVALID_ADDRESS at 0x5000000000", codes: "0x1, 0x5000000000",
      state:
        "    x0: 0x0000000000000000   lr: 0x0000000100001000\n    pc: 0x0000005000000000 cpsr: 0x0")
    expectEqual(dead.kind, "callThroughBadPointer")
    expectEqual(dead.reason?.hasPrefix("jump to 0x5000000000, where no code is"), true)
    expectTrue(dead.evidence.contains { $0.from == "register" && $0.name == "pc" })
  }

  /// Nothing but a method of an object is called there.
  @Test(
    arguments: [
      ("NSPopAutoreleasePool + 530", "0x2", "freedObject"),
      ("AutoreleasePoolPage::pop(void*) + 32", "0x0", "freedObject"),
      ("-[NSAutoreleasePool drain] + 130", "0x10", "freedObject"),
      ("CFArrayApplyFunction + 32", "0x2", "callThroughNullPointer"),
      ("NSPopAutoreleasePool + 530", "0x7a000000", "callThroughBadPointer"),
    ])
  func callsWhileAPoolIsEmptied(function: String, address: String, kind: String) throws {
    let found = try badAccess(
      "KERN_INVALID_ADDRESS at \(address)", codes: "0x1, \(address)",
      frames: [
        "0   ??? \(address) 0 + 2", Report.system(1, function),
        Report.stated(2, 0x1_0000_1000, Report.own),
      ])
    expectEqual(found.kind, kind)
  }

  @Test func pointersThatAreText() throws {
    // “un l” in the memory of a 32-bit process, “overflow” in that of a 64-bit one.
    let words = try badAccess(
      "KERN_INVALID_ADDRESS at 0x6f6c66726576", codes: "0x1, 0x6f6c66726576")
    expectEqual(words.kind, "pointerIsText")
    expectEqual(words.reason?.contains("“verflo”"), true)
    // Four letters of 64 bits are a coincidence.
    let number = try badAccess("KERN_INVALID_ADDRESS at 0x6c206e75", codes: "0x1, 0x6c206e75")
    expectEqual(number.kind, "invalidAddress")
  }

  @Test(
    arguments: ["objc_msgSend", "objc_release", "objc_msgSend$VARIANT$up", "swift_retain"])
  func objectsThatWereFreed(function: String) throws {
    let found = try badAccess(
      "KERN_INVALID_ADDRESS at 0xbc73f448b4b0", codes: "0x1, 0xbc73f448b4b0",
      frames: [
        Report.system(0, "\(function) + 8"), Report.stated(1, 0x1_0000_1000, Report.own),
      ])
    expectEqual(found.kind, "freedObject")
    expectEqual(found.confidence, "possible")
    expectEqual(found.evidence.first?.from, "frame")
    expectEqual(found.evidence.first?.text, function)
  }

  /// The innermost function says what was done with the address, if it is not the place.
  @Test(
    arguments: [
      ("memcpy + 8", ", in memcpy"), ("sqlite3_finalize + 39", ", in sqlite3_finalize"),
      // What ends processes, calls the kernel, or starts code.
      ("mach_msg_trap + 8", ""), ("abort + 8", ""), ("_pthread_start + 8", ""),
    ])
  func functionsThatFailed(function: String, words: String) throws {
    for (address, start) in [
      ("0x10", "access through a null pointer, at offset 0x10"),
      ("0x7a000000", "access to 0x7a000000, where no memory is mapped"),
    ] {
      let found = try badAccess(
        "KERN_INVALID_ADDRESS at \(address)", codes: "0x1, \(address)",
        frames: [Report.system(0, function), Report.stated(1, 0x1_0000_1000, Report.own)])
      expectEqual(found.reason, start + words)
      expectEqual(found.frame?.function, "-[Board draw]")
      expectEqual(found.evidence.contains { $0.from == "frame" }, !words.isEmpty)
    }
  }

  /// The reason of a crash next to the stack pointer, with functions that call each other in turn.
  private func cycle(of names: [String], frameCount: Int) throws -> String? {
    let frames = (0..<frameCount).map {
      Report.stated($0, 0x1_0000_1000, "\(names[$0 % names.count]) + 1")
    }
    return try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16f4bbff0", codes: "0x2, 0x16f4bbff0", frames: frames,
      state: "    sp: 0x000000016f4bc010   pc: 0x0000000100001000 cpsr: 0x0"
    ).reason
  }

  /// Mac OS X 10.5 put the main thread's stack below 0x7fff5fc00000, and dyld above (XNU,
  /// osfmk/mach/i386/vm_param.h), so what runs over that end is no overflow of the stack.
  @Test(arguments: [("0x7fff5fc00000", false), ("0x7fff5f3ffff8", true)])
  func theUpperEndOfTheMainStack(address: String, isOverflow: Bool) {
    let text = """
      Process: Board [7]
      Code Type: X86-64 (Native)
      OS Version: Mac OS X 10.5 (9A581)
      Exception Type: EXC_BAD_ACCESS (SIGBUS)
      Exception Codes: KERN_PROTECTION_FAILURE at \(address)
      Crashed Thread: 0

      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000000  rsp: \(isOverflow ? "0x00007fff5f400010" : "0x00007fff5fbff160")
      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectEqual(summary.contains("stack overflow"), isOverflow)
  }

  @Test func stackOverflows() throws {
    // The marked region is a guard page.
    let guardPage = """
      VM Region Info: 0x16f4bbff0 is in 0x16bcb8000-0x16f4bc000;  bytes after start: 58736624
            REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
            VM_ALLOCATE              100e40000-100e44000 [   16K] rw-/rwx SM=PRV
      --->  STACK GUARD              16bcb8000-16f4bc000 [ 56.0M] ---/rwx SM=NUL  stack guard for thread 0
            Stack                    16f4bc000-16f5b8000 [ 1008K] rw-/rwx SM=PRV  thread 0
      """
    let frames = (0..<20).map { Report.stated($0, 0x1_0000_1000, "visit(_:) + 12 (Tree.swift:3)") }
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16f4bbff0", codes: "0x2, 0x16f4bbff0", frames: frames,
      regions: guardPage)
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.confidence, "likely")
    expectEqual(found.reason, "stack overflow: visit(_:) calls itself (× 20)")
    expectEqual(found.frame?.line, 3)
    // Next to the stack pointer, two functions in turn.
    let turns = (0..<40).map {
      Report.stated($0, 0x1_0000_1000, $0.isMultiple(of: 2) ? "a() + 1" : "b() + 1")
    }
    let near = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16f4bbff0", codes: "0x2, 0x16f4bbff0", frames: turns,
      state: "    sp: 0x000000016f4bc010   pc: 0x0000000100001000 cpsr: 0x0")
    expectEqual(near.reason, "stack overflow: a() and b() call each other (× 20)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()"], frameCount: 60),
      "stack overflow: a(), b() and c() call each other (× 20)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()", "d()"], frameCount: 40),
      "stack overflow: a(), b(), c() and d() call each other (× 10)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()", "d()", "e()", "f()", "g()"], frameCount: 70),
      "stack overflow: a(), b(), c() and 4 more call each other (× 10)")
    // More than are searched for a cycle.
    try expectEqual(
      cycle(of: ["a()"], frameCount: 9_000), "stack overflow: a() calls itself (× 9000)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()"], frameCount: 9_001),
      "stack overflow: a(), b() and c() call each other (× 3000)")
    // An ordinary recursion is none.
    let short = try badAccess(
      "KERN_INVALID_ADDRESS at 0xbc73f448b4b0", codes: "0x1, 0xbc73f448b4b0", frames: frames)
    expectEqual(short.kind, "invalidAddress")
  }

  @Test(
    arguments: [
      ("KERN_MEMORY_ERROR at 0x104f24000", "0xa, 0x104f24000", "fileGone"),
      (
        "KERN_INVALID_ADDRESS at 0x200000010201ddf8 -> 0x000000010201ddf8 (possible pointer authentication failure)",
        "0x1, 0x200000010201ddf8", "overwrittenPointer"
      ),
      ("UNKNOWN_0x32 at 0x10101c000", "0x32, 0x10101c000", "codeSignature"),
      ("KERN_PROTECTION_FAILURE at 0x104f24000", "0x2, 0x104f24000", "memoryProtection"),
      ("EXC_I386_GPFLT", "0xd, 0x0", "invalidAddress"),
      ("KERN_INVALID_ADDRESS at 0x104f24000", "0x1, 0x104f24000", "invalidAddress"),
      ("EXC_ARM_DA_ALIGN at 0x104f24001", "0x101, 0x104f24001", "misalignedAddress"),
      // The address of a misaligned access may be none at all.
      ("UNKNOWN_0x101 at 0xfffffffffffffffd", "0x101, 0xfffffffffffffffd", "misalignedAddress"),
      // malloc(3): MallocScribble and MallocPreScribble; an offset may be added.
      ("KERN_INVALID_ADDRESS at 0x5555555555555565", "0x1, 0x5555555555555565", "freedObject"),
      (
        "KERN_INVALID_ADDRESS at 0xaaaaaaaaaaaaaaaa", "0x1, 0xaaaaaaaaaaaaaaaa",
        "uninitializedMemory"
      ),
      ("KERN_NO_SPACE at 0x104f24000", "0x3, 0x104f24000", "exceptionType"),
    ])
  func otherFaults(subtype: String, codes: String, kind: String) throws {
    try expectEqual(badAccess(subtype, codes: codes).kind, kind)
  }

  @Test func writesToReadOnlyMemory() throws {
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x104f24000", codes: "0x2, 0x104f24000",
      state: "   far: 0x0000000104f24000  esr: 0x9200004f (Data Abort) byte write Permission fault")
    expectEqual(found.kind, "readOnlyMemory")
  }

  /// The first byte behind a region, as old and new reports show it, and one far behind it.
  @Test(
    arguments: [
      (
        "VM Regions Near 0x113e3d000:\n    MALLOC_LARGE   1135cb000-113e3d000 [ 8648K] rw-/rwx SM=PRV\n--> \n",
        "bufferOverflow"
      ),
      (
        "VM Region Info: 0x113e3d000 is not in any region.  Bytes after previous region: 1\n      REGION TYPE   START - END\n      mapped file   1135cb000-113e3d000 [ 8648K] r--/rwx SM=PRV\n--->\n",
        "bufferOverflow"
      ),
      (
        "VM Regions Near 0x113e3d000:\n    MALLOC_LARGE   1135cb000-113e2d000 [ 8584K] rw-/rwx SM=PRV\n--> \n",
        "invalidAddress"
      ),
      (
        "VM Regions Near 0x113e3d000:\n    __TEXT   1135cb000-113e3d000 [ 8648K] r-x/rwx SM=COW\n--> \n",
        "invalidAddress"
      ),
    ])
  func behindARegion(regions: String, kind: String) throws {
    let found = try badAccess(
      "KERN_INVALID_ADDRESS at 0x113e3d000", codes: "0x1, 0x113e3d000", regions: regions)
    expectEqual(found.kind, kind)
  }

  /// Writers put all digits of an address, or those that count: others were cut off.
  @Test(arguments: [
    ("0x0000000000000000", "nullPointer"), ("0x8", "nullPointer"), ("0x00", "invalidAddress"),
  ])
  func addressesThatWereCut(address: String, kind: String) throws {
    let found = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, Report.own)],
      head:
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Subtype: KERN_INVALID_ADDRESS at \(address)"
    )
    expectEqual(found.kind, kind)
    expectEqual(found.reason?.hasSuffix("; the address is cut off"), address == "0x00")
  }

  /// A guard page is below its stack, so another thread's is above a neighbour's.
  @Test(
    arguments: [
      (
        "Stack         16fe44000-16fecc000 [ 544K] rw-/rwx SM=PRV  thread 0",
        "access past the upper end of thread 0's stack, into the guard of thread 12's: a buffer there was overrun, or a stray pointer"
      ),
      (
        "VM_ALLOCATE   16fe44000-16fecc000 [ 544K] rw-/rwx SM=PRV",
        "access to the guard of thread 12's stack by thread 0: a stray pointer"
      ),
      // What ends there was given out by malloc, or is somewhere else.
      (
        "MALLOC_TINY   16fdcc000-16fecc000 [ 1024K] rw-/rwx SM=PRV",
        "access past the end of a region of the heap (MALLOC_TINY), into the guard of thread 12's stack: a buffer there was overrun, or a stray pointer"
      ),
      (
        "MALLOC_TINY   16fdcc000-16febc000 [ 960K] rw-/rwx SM=PRV",
        "access to the guard of thread 12's stack by thread 0: a stray pointer"
      ),
      (
        "MALLOC_TINY   16fdcc000-16fecc000 [ 1024K] ---/rwx SM=PRV",
        "access to the guard of thread 12's stack by thread 0: a stray pointer"
      ),
    ])
  func guardsOfOtherStacks(below: String, reason: String) throws {
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16fecc000", codes: "0x2, 0x16fecc000",
      regions: """
        VM Region Info: 0x16fecc000 is in 0x16fecc000-0x16fed0000;  bytes after start: 0
              REGION TYPE         START - END         [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
              \(below)
        --->  STACK GUARD   16fecc000-16fed0000 [  16K] ---/rwx SM=NUL  ...for thread 12
              Stack         16fed0000-16ff58000 [ 544K] rw-/rwx SM=PRV  thread 12
        """)
    expectEqual(found.kind, "memoryProtection")
    expectEqual(found.reason, reason)
  }

  /// malloc(3), `MallocGuardEdges`: guard pages before and after each large block.
  @Test(
    arguments: [
      ("16fecc000", "MALLOC guard page", "bufferOverflow"),
      ("16febc000", "MALLOC guard page", "memoryProtection"),
    ])
  func guardsBehindTheHeap(end: String, kind: String, expected: String) throws {
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16fecc000", codes: "0x2, 0x16fecc000",
      regions: """
        VM Regions Near 0x16fecc000:
            MALLOC_LARGE        16fdcc000-\(end) [ 1024K] rw-/rwx SM=PRV
        --> \(kind)   16fecc000-16fecd000 [    4K] ---/rwx SM=NUL
            MALLOC_SMALL        16fecd000-16ffcd000 [ 1024K] rw-/rwx SM=PRV
        """)
    expectEqual(found.kind, expected)
  }
}
