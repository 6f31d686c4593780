import TestSupport
import Testing

/// Whole reports in each layout. An independent translator, whose output is byte-identical with
/// Apple's on real reports, made the expected texts from the same JSON. They were compared with
/// those by eye.
struct TranslationLayoutTests {
  /// Registers of arm64, a line 0, a file without a line, a symbol with a line end.
  @Test func device() throws {
    let translation = try TranslationBody.letters.onDevice.setting("isCorpse", "1")
      .setting("ktriageinfo", #""VM - pmap_enter failed\n""#)
      .translation()
    let expected = """
      Incident Identifier: 0A1B2C3D-0000-4000-8000-001122334455
      CrashReporter Key:   c0ffee
      Hardware Model:      iPhone14,2
      Process:             Letters [812]
      Path:                /private/var/Letters.app/Letters
      Identifier:          org.example.letters
      Version:             1.4 (27)
      Code Type:           ARM-64 (Native)
      Role:                Foreground
      Parent Process:      launchd [1]
      Coalition:           org.example.letters [970]

      Date/Time:           2026-01-02 03:04:05.6789 +0100
      Launch Time:         2026-01-02 03:04:01.2345 +0100
      OS Version:          iPhone OS 16.0 (20A362)
      Release Type:        User
      Baseband Version:    1.61.00
      Report Version:      104

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000000
      Exception Codes: 0x0000000000000001, 0x0000000000000000
      Exception Note:  EXC_CORPSE_NOTIFY
      Termination Reason: SIGNAL 11 Segmentation fault: 11
      Terminating Process: exc handler [812]

      Triggered by Thread:  0

      Application Specific Information:
      Deck.swift:12: Fatal error: no cards
      abort() called

      Kernel Triage:
      VM - pmap_enter failed


      Thread 0 name:   Dispatch queue: com.apple.main-thread
      Thread 0 Crashed:
      0   libswiftCore.dylib            \t       0x1ad98ab74 _assertionFailure(_:_:) + 308
      1   Letters                       \t       0x1046904bc Deck.draw() + 20 (Deck.swift:12) [inlined]
      2   Letters                       \t       0x1046904bc Deck.deal() + 44
      3   Letters                       \t       0x1046905d0 trap\u{fffd}reason + 0
      4   Letters                       \t       0x1046964bc 0x104690000 + 25788
      5   ???                           \t       0x1024213d4 ???

      Thread 1 name:  reader Dispatch queue: org.example.cards
      Thread 1:
      0   Letters                       \t       0x104690008 start + 8

      Thread 2 name:  idle
      Thread 2:


      Thread 0 crashed with ARM Thread State (64-bit):
          x0: 0x0000000000000000   x1: 0x0000000000000001   x2: 0x0000000000000002   x3: 0x0000000000000003
          x4: 0x0000000000000004   x5: 0x0000000000000005   x6: 0x0000000000000006   x7: 0x0000000000000007
          x8: 0x0000000000000008   x9: 0x0000000000000009  x10: 0x000000000000000a  x11: 0x000000000000000b
         x12: 0x000000000000000c  x13: 0x000000000000000d  x14: 0x000000000000000e  x15: 0x000000000000000f
         x16: 0x0000000000000010  x17: 0x0000000000000011  x18: 0x0000000000000012  x19: 0x0000000000000013
         x20: 0x0000000000000014  x21: 0x0000000000000015  x22: 0x0000000000000016  x23: 0x0000000000000017
         x24: 0x0000000000000018  x25: 0x0000000000000019  x26: 0x000000000000001a  x27: 0x000000000000001b
         x28: 0x000000000000001c   fp: 0x000000016d9ebf30   lr: 0x00000001026c3e20
          sp: 0x000000016d9ebef0   pc: 0x000000010263d940 cpsr: 0x60001000
         far: 0x0000000000000000  esr: 0xf2000001 (Breakpoint) brk 1

      Binary Images:
             0x104690000 -        0x104697fff Letters arm64  <3d9e0ded2c6630eeac6c7c426246332e> /private/var/Letters.app/Letters
             0x1ad98a000 -        0x1ad98afff libswiftCore.dylib arm64e  <a49d560c13233bfba7e8762be0c1b2ef> /usr/lib/swift/libswiftCore.dylib
                     0x0 - 0xffffffffffffffff ??? unknown-arch  <00000000000000000000000000000000> ???

      EOF

      """
    expectEqual(translation, expected)
  }

  /// Registers of x86-64, translated code, an instruction stream.
  @Test func mac() throws {
    let translation = try TranslationBody.letters
      .setting("bridgeVersion", #"{"train":"7.0","build":"20P420"}"#)
      .setting("responsibleProc", #""Terminal""#).setting("responsiblePid", "630")
      .setting("vmRegionInfo", #""0 is not in any region.\n      REGION TYPE\n--->  ""#)
      .setting("isCorpse", "1")
      .setting("sleepWakeUUID", #""55667788-0000-4000-8000-001122334455""#)
      .setting("cpuType", #""X86-64""#).setting("translated", "true")
      .setting("threads", Self.x86Threads)
      .translation()
    let expected = """
      Process:               Letters [812]
      Path:                  /private/var/Letters.app/Letters
      Identifier:            org.example.letters
      Version:               1.4 (27)
      Code Type:             X86-64 (Translated)
      Parent Process:        launchd [1]
      Responsible:           Terminal [630]
      User ID:               501

      Date/Time:             2026-01-02 03:04:05.6789 +0100
      OS Version:            macOS 14.6 (23G80)
      Report Version:        12
      Bridge OS Version:     7.0 (20P420)
      Anonymous UUID:        c0ffee

      Sleep/Wake UUID:       55667788-0000-4000-8000-001122334455

      Time Awake Since Boot: 4100 seconds
      Time Since Wake:       907 seconds

      System Integrity Protection: enabled

      Crashed Thread:        0  main  Dispatch queue: com.apple.main-thread

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000000000000
      Exception Codes:       0x0000000000000001, 0x0000000000000000
      Exception Note:        EXC_CORPSE_NOTIFY

      Termination Reason:    Namespace SIGNAL, Code 11 Segmentation fault: 11
      Terminating Process:   exc handler [812]

      VM Region Info: 0 is not in any region.
            REGION TYPE
      --->  

      Application Specific Information:
      Deck.swift:12: Fatal error: no cards
      abort() called


      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   libswiftCore.dylib            \t       0x1ad98ab74 _assertionFailure(_:_:) + 308
      1   Letters                       \t       0x1046904bc Deck.draw() + 20 (Deck.swift:12) [inlined]
      2   Letters                       \t       0x1046904bc Deck.deal() + 44
      3   Letters                       \t       0x1046905d0 trap\u{fffd}reason + 0
      4   Letters                       \t       0x1046964bc 0x104690000 + 25788
      5   ???                           \t       0x1024213d4 ???

      Thread 1:: reader Dispatch queue: org.example.cards
      0   Letters                       \t       0x104690008 start + 8

      Thread 2:: idle


      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x00007ff800000000  rbx: 0x00007ff800000001  rcx: 0x00007ff800000002  rdx: 0x00007ff800000003
        rdi: 0x00007ff800000004  rsi: 0x00007ff800000005  rbp: 0x00007ff800000006  rsp: 0x00007ff800000007
         r8: 0x00007ff800000008   r9: 0x00007ff800000009  r10: 0x00007ff80000000a  r11: 0x00007ff80000000b
        r12: 0x00007ff80000000c  r13: 0x00007ff80000000d  r14: 0x00007ff80000000e  r15: 0x00007ff80000000f
        rip: 0x00007ff800000010  rfl: 0x00007ff800000011  cr2: 0x00007ff800000012
        
      Logical CPU:     2
      Error Code:      0x00000006 (no mapping for user data read)
      Trap Number:     14

      Thread 0 instruction stream:
        41 66 8b b0 d5 fa 1f 44-69 8e b3 d8 fd 22 47[6c]  Af.....Di...."Gl\t<==
        91 b6 db 00 25 4a 6f 94-b9 de 03 28 4d 72 97 bc  ....%Jo....(Mr..
        e1 06 2b 50 75 9a bf e4  ..+Pu...

      Binary Images:
             0x104690000 -        0x104697fff org.example.letters (1.4) <3d9e0ded-2c66-30ee-ac6c-7c426246332e> /private/var/Letters.app/Letters
             0x1ad98a000 -        0x1ad98afff libswiftCore.dylib (*) <a49d560c-1323-3bfb-a7e8-762be0c1b2ef> /usr/lib/swift/libswiftCore.dylib
                     0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???

      External Modification Summary:
        Calls made by other processes targeting this process:
          task_for_pid: 4
          thread_create: 2
          thread_set_state: 3
        Calls made by this process:
          task_for_pid: 2
          thread_create: 0
          thread_set_state: 1
        Calls made by all processes on this machine:
          task_for_pid: 3
          thread_create: 1
          thread_set_state: 2

      VM Region Summary:
      REGION TYPE       SIZE
      ===========     =======
      __TEXT             32K 



      """
    expectEqual(translation, expected)
  }

  /// A last exception; no bundle.
  @Test func mac26() throws {
    let translation = try TranslationBody.letters.onMac26.removing("bundleInfo")
      .setting(
        "lastExceptionBacktrace",
        """
        [{"imageOffset":2932,"symbol":"objc_exception_throw","symbolLocation":88,"imageIndex":1},\
        {"imageOffset":25788,"imageIndex":0}]
        """
      )
      .translation()
    let expected = """
      Process:             Letters [812]
      Path:                /private/var/Letters.app/Letters
      Identifier:          Letters
      Version:             ???
      Code Type:           ARM-64 (Native)
      Role:                Foreground
      Parent Process:      launchd [1]
      Coalition:           org.example.letters [970]
      User ID:             501

      Date/Time:           2026-01-02 03:04:05.6789 +0100
      Launch Time:         2026-01-02 03:04:01.2345 +0100
      Hardware Model:      Mac16,11
      OS Version:          macOS 26.1 (25B78)
      Release Type:        User

      Crash Reporter Key:  c0ffee
      Incident Identifier: 0A1B2C3D-0000-4000-8000-001122334455

      Time Awake Since Boot: 4100 seconds
      Time Since Wake:       907 seconds

      System Integrity Protection: enabled

      Triggered by Thread: 0  main, Dispatch Queue: com.apple.main-thread

      Exception Type:    EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000000
      Exception Codes:   0x0000000000000001, 0x0000000000000000

      Termination Reason:  Namespace SIGNAL, Code 11, Segmentation fault: 11
      Terminating Process: exc handler [812]


      Application Specific Information:
      Deck.swift:12: Fatal error: no cards
      abort() called


      Last Exception Backtrace:
      0   libswiftCore.dylib            \t       0x1ad98ab74 objc_exception_throw + 88
      1   Letters                       \t       0x1046964bc 0x104690000 + 25788

      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   libswiftCore.dylib            \t       0x1ad98ab74 _assertionFailure(_:_:) + 308
      1   Letters                       \t       0x1046904bc Deck.draw() + 20 (Deck.swift:12) [inlined]
      2   Letters                       \t       0x1046904bc Deck.deal() + 44
      3   Letters                       \t       0x1046905d0 trap\u{fffd}reason + 0
      4   Letters                       \t       0x1046964bc 0x104690000 + 25788
      5   ???                           \t       0x1024213d4 ???

      Thread 1:: reader Dispatch queue: org.example.cards
      0   Letters                       \t       0x104690008 start + 8

      Thread 2:: idle


      Thread 0 crashed with ARM Thread State (64-bit):
          x0: 0x0000000000000000   x1: 0x0000000000000001   x2: 0x0000000000000002   x3: 0x0000000000000003
          x4: 0x0000000000000004   x5: 0x0000000000000005   x6: 0x0000000000000006   x7: 0x0000000000000007
          x8: 0x0000000000000008   x9: 0x0000000000000009  x10: 0x000000000000000a  x11: 0x000000000000000b
         x12: 0x000000000000000c  x13: 0x000000000000000d  x14: 0x000000000000000e  x15: 0x000000000000000f
         x16: 0x0000000000000010  x17: 0x0000000000000011  x18: 0x0000000000000012  x19: 0x0000000000000013
         x20: 0x0000000000000014  x21: 0x0000000000000015  x22: 0x0000000000000016  x23: 0x0000000000000017
         x24: 0x0000000000000018  x25: 0x0000000000000019  x26: 0x000000000000001a  x27: 0x000000000000001b
         x28: 0x000000000000001c   fp: 0x000000016d9ebf30   lr: 0x00000001026c3e20
          sp: 0x000000016d9ebef0   pc: 0x000000010263d940 cpsr: 0x60001000
         far: 0x0000000000000000  esr: 0xf2000001 (Breakpoint) brk 1

      Binary Images:
             0x104690000 -        0x104697fff org.example.letters (1.4) <3d9e0ded-2c66-30ee-ac6c-7c426246332e> /private/var/Letters.app/Letters
             0x1ad98a000 -        0x1ad98afff libswiftCore.dylib (*) <a49d560c-1323-3bfb-a7e8-762be0c1b2ef> /usr/lib/swift/libswiftCore.dylib
                     0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???

      External Modification Summary:
        Calls made by other processes targeting this process:
          task_for_pid: 4
          thread_create: 2
          thread_set_state: 3
        Calls made by this process:
          task_for_pid: 2
          thread_create: 0
          thread_set_state: 1
        Calls made by all processes on this machine:
          task_for_pid: 3
          thread_create: 1
          thread_set_state: 2

      VM Region Summary:
      REGION TYPE       SIZE
      ===========     =======
      __TEXT             32K 



      """
    expectEqual(translation, expected)
  }

  private static let x86Threads: String = {
    let names = [
      "rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12",
      "r13", "r14", "r15", "rip", "rflags", "cr2",
    ]
    let registers = names.enumerated().map { index, name in
      "\"\(name)\":{\"value\":\(0x7ff8_0000_0000 + index)}"
    }
    let state = """
      {"flavor":"x86_THREAD_STATE",\(registers.joined(separator: ",")),"cpu":{"value":2},\
      "err":{"value":6,"description":"not this"},\
      "trap":{"value":14,"description":"(no mapping for user data read)"}}
      """
    let bytes = (0..<40).map { String(($0 * 37 + 65) % 256) }.joined(separator: ",")
    return TranslationBody.threads(
      state: state,
      more: """
        "instructionState":{"instructionStream":{"bytes":[\(bytes)],"offset":15}},
        """)
  }()

  /// 29 texts of TestFlight (iPhone OS 16.5 to 26.5) leave out the fault address and have two blank
  /// lines here. 11 texts with the address (15.2 to 18.5), and those of macOS 12 to 26, have one.
  @Test(arguments: [true, false])
  func blankLinesBeforeTheImages(hasFaultAddress: Bool) throws {
    let state = TranslationBody.arm64State
    let shown = hasFaultAddress ? state : state.replacing(#""far":{"value":0},"#, with: "")
    let threads = TranslationBody.threads(state: shown)
    let device = try TranslationBody.letters.onDevice.setting("threads", threads).translation()
    let blank = hasFaultAddress ? "\n\n" : "\n\n\n"
    expectContains(device, "esr: 0xf2000001 (Breakpoint) brk 1\(blank)Binary Images:")
    let mac = try TranslationBody.letters.setting("threads", threads).translation()
    expectContains(mac, "esr: 0xf2000001 (Breakpoint) brk 1\n\nBinary Images:")
  }
}
