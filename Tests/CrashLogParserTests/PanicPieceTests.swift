import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportFormats

/// Kernel panics as people paste, shorten and cut them.
struct PanicPieceTests {
  // MARK: Pasted and cut

  /// A word may be stuck to the first line, and prose may mention `panic()`.
  @Test func wordsAroundTheFirstLine() throws {
    for start in ["mac", "kernel[0]:", "Here: "] {
      let panic = try panic("```\n\(start)\(PanicReaderTests.text)\n```\n")
      expectEqual(panic.message, "x86 CPU CATERR detected", "\(start)")
    }
    for prose in ["It calls `panic()`. One of", "what panic(cpu means", "the panic(\"a\") of"] {
      let panic = try panic("\(prose) them\n\n\(PanicReaderTests.intel)")
      expectEqual(panic.message, "GPU Panic: mux-regs 2 \"a\"")
      expectEqual(panic.source, "Mux.cpp:127")
    }
    // No kernel that names the task, and a word at the first line.
    let lines = PanicReaderTests.intel.replacing("*** Panic Report ***\npanic", with: "ohpanic")
    expectEqual(try panic(lines).extensions.count, 2)
  }

  /// What the watchdog of services says in a line of its own is no part of the sentence above.
  @Test func watchdogOfServices() throws {
    let panic = try panic(
      """
      panic(cpu 1 caller 0x1): userspace watchdog timeout: no successful checkins from cardsd in 120 seconds
      service returned not alive with context : unresponsive dispatch queue(s): com.example.cards
      cardsd has not exited since first loaded
      service: cardsd, total successful checkins in 300 seconds: 30, last successful checkin: 120 seconds ago

      """)
    expectEqual(
      panic.message,
      "userspace watchdog timeout: no successful checkins from cardsd in 120 seconds; service returned not alive with context : unresponsive dispatch queue(s): com.example.cards"
    )
  }

  /// A mail program broke the sentence; the watchdog's panic is none of `panic()`.
  @Test func brokenSentence() throws {
    let text =
      "panic(cpu 8 caller 0x1): watchdog timeout: no checkins from\nwatchdogd in 93 seconds\n"
    expectEqual(
      try panic(text + "Debugger message: panic\nMemory ID: 0xff\n").message,
      "watchdog timeout: no checkins from watchdogd in 93 seconds")
    let report = try ParsedText(
      #"{"bug_type":"210"}\#n{"panicString" : "Debugger message: WDT timeout\n94s ago: 3100m0"}"#
    ).report
    expectEqual(report.facts.panic?.message, "WDT timeout")
  }

  /// Somebody broke the line in front of the words (XNU, osfmk/kern/debug.c, writes none there).
  @Test func wordsBelowTheFirstLine() throws {
    let first = "panic(cpu 2 caller 0xfffffe0031fe0074):\n"
    let found = try panic(
      "\(first)  os_deck: overflow (count=9, max=8) @deck.c:68\nPanicked task 0x1: 2 pages: pid 6: deckd\n"
    )
    expectEqual(found.message, "os_deck: overflow (count=9, max=8) @deck.c:68")
    expectEqual(found.task, "deckd")
    expectEqual(
      try panic("\(first)\"too many cards\" @deck.c:7\n").message, "too many cards")
    for line in [
      "Debugger message: panic\nIt came as I dealt", "Kernel version: Darwin Kernel Version 24", "",
      "Cards",
    ] {
      #expect(throws: CrashLogParseError.self) { try ParsedText("\(first)\(line)\n") }
    }
  }

  /// The kernel's own memory ran out: without its caller, with a letter for the processor, broken,
  /// or in prose. The words are those of XNU, osfmk/kern/zalloc.c.
  @Test(arguments: [
    "panic(cpu N): @ [data.kalloc.1024],\nlikely due to memory leak in zone [data.kalloc.1024] (20G, 21188208 elements allocated)\n",
    "panic(cpu 8): @\n[data.kalloc.1024], likely due to memory leak in zone [data.kalloc.1024]\n(20G, 21188208 elements allocated)\n",
    "panic(cpu X caller 0xfffffe00288c9d54): @ [data.kalloc.1024], likely due to memory leak in zone [data.kalloc.1024] (20G, 21188208 elements allocated)\n",
    "Both say:\n\n> @ [data.kalloc.1024],\nlikely due to memory leak in zone [data.kalloc.1024]\n(20G, 21188208 elements allocated)\n",
  ])
  func exhaustedZones(text: String) throws {
    let words = "zalloc[3]: zone map exhausted while allocating from zone"
    expectEqual(
      try panic(text.replacing("@", with: words)).message,
      "\(words) [data.kalloc.1024], likely due to memory leak in zone [data.kalloc.1024] (20G, 21188208 elements allocated)"
    )
  }

  /// A log that begins below the words, with a list without addresses; prose is above it.
  @Test func extensionsWithoutAddresses() throws {
    let list = "Kernel Extensions in backtrace:\n    com.example.iokit.Deck(4.4.4f4)\n"
    let versions = "Mac OS version:\n15E65\n\nKernel version:\nDarwin Kernel Version 15.4.0: Fri\n"
    let found = try panic(
      "I have kernel panics a lot.\n\n\(list)    com.example.iokit.DeckTransport\n\n\(versions)")
    expectEqual(found.message, "")
    expectEqual(
      found.extensions.map { [$0.name, $0.version] },
      [["com.example.iokit.Deck", "4.4.4f4"], ["com.example.iokit.DeckTransport", nil]])
    expectEqual(found.systemBuild, "15E65")
    // Somebody explains what is in such a list.
    expectEmpty((try? ParsedText("\(list)\nIt names kexts.\n").reports) ?? [])
  }

  @Test(arguments: [
    "panic(cpu N caller 0x…): \"…\"\n", "panic(cpu N) means\n",
    "panic(\"zalloc: zone map exhausted while allocating from zone %s, likely\", a)\n",
    "the zone map exhausted while allocating from zone a\n",
  ])
  func noPanics(text: String) {
    expectEmpty((try? ParsedText(text).reports) ?? [])
  }

  /// The lines of a backtrace without addresses, behind the marks of comments.
  @Test(arguments: ["    #   ", "// ", " * ", "-- ", "; ", ""])
  func functionsWithoutAddresses(mark: String) throws {
    let lines = [
      "panic(cpu 6 caller 0xffffff8012345678): Kernel trap at 0xffffff8012345680, type 0=divide error, registers:",
      "CR0: 0x1, CR2: 0x2, CR3: 0x3, CR4: 0x4", "Panicked task 0x1: pid 149: WindowServer",
      "mach_kernel : _panic + 0x1", "com.example.driver.Board :",
      "  BoardController::setup(Timing const*, ...) + 0x19b",
      "com.example.driver.Board : BoardController::start() + 0x2b", "Kernel slide: 0x200000",
    ]
    let text = lines.map { mark + $0 + "\n" }.joined()
    let panic = try panic(text)
    expectEqual(
      panic.functions,
      ["_panic", "BoardController::setup(Timing const*, ...)", "BoardController::start()"])
    expectEqual(panic.extensions.map(\.name), ["com.example.driver.Board"])
    expectEqual(panic.task, "WindowServer")
  }

  /// What stands around a panic, or is missing of it.
  @Test func pasted() throws {
    func lines(_ start: String) -> String {
      PanicReaderTests.text.split(separator: "\n", omittingEmptySubsequences: false).map {
        start + $0
      }
      .joined(separator: "\n")
    }
    for text in [
      "My Mac:\n\n```\n\(PanicReaderTests.text)\n```\n",
      "My Mac:\n```\(PanicReaderTests.text)\n```\n",
      "<pre><code>\(PanicReaderTests.text)</code></pre>", lines("> "), lines("    "),
      lines("2018-06-10 19:29:54 kernel: "),
    ] {
      let panic = try panic(text)
      expectEqual(panic.message, "x86 CPU CATERR detected", "\(text.prefix(40))")
      expectEqual(panic.task, "kernel_task")
    }
  }

  /// The first line of a panic may be cut off, and nothing else is then known of its words.
  @Test func cutAbove() throws {
    let lines = PanicReaderTests.text.split(separator: "\n", omittingEmptySubsequences: false)
    for first in 1..<4 {
      let panic = try panic(lines[first...].joined(separator: "\n"))
      expectEqual(panic.message, "")
      expectEqual(panic.task, "kernel_task")
      expectEqual(panic.addresses.count, 2)
    }
    #expect(throws: (any Error).self) { try ParsedText("Debugger message: panic\n") }
  }

  /// Who leaves out the processor and the caller shows the words all the same. Prose does, too, but
  /// without the lines below.
  @Test(arguments: ["panic(…): ", "panic(...): "])
  func shortenedFirstLine(start: String) throws {
    let lines = PanicReaderTests.text.split(separator: "\n", omittingEmptySubsequences: false)
    let below = lines[1...].joined(separator: "\n")
    for above in ["", "It happens at night.\n\n```\n"] {
      let panic = try panic("\(above)\(start)\"no cards: 2\"@/Sources/Deck.cpp:12\n\(below)")
      expectEqual(panic.message, "no cards: 2")
      expectEqual(panic.source, "Deck.cpp:12")
      expectEqual(panic.task, "kernel_task")
    }
    expectEqual(try panic("\(start)\n\(below)").message, "")
  }

  /// On Intel, what follows the return addresses begins with the process. Source: XNU,
  /// osfmk/i386/AT386/model_dep.c (`panic_display_process_name`).
  @Test func cutAboveTheProcess() throws {
    let panic = try panic(
      """
      BSD process name corresponding to current thread: deckd

      Mac OS version:
      16C67

      Kernel version:
      Darwin Kernel Version 16.3.0
      last loaded kext at 4614784064: com.example.deck\t6.0.1 (addr 0xffffff7f97ffd000, size 126976)

      """)
    expectEqual(panic.message, "")
    expectEqual(panic.task, "deckd")
    expectEqual(panic.systemBuild, "16C67")
    expectEqual(panic.lastExtension?.name, "com.example.deck")
  }

  /// The body of an `.ips` alone, and one that ends in the text of the panic.
  @Test func pastedJson() throws {
    let escaped = PanicReaderTests.text.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    let body = """
      {
        "product" : "iBridge2,1",
        "panicString" : "\(escaped)"
      }
      """
    for text in [body, "My Mac:\n\n```\n\(body)\n```\n"] {
      let report = try ParsedText(text).report
      expectEqual(report.format, .ipsPanic)
      expectEqual(report.facts.hardwareModel, "iBridge2,1")
      expectEqual(report.facts.panic?.message, "x86 CPU CATERR detected")
    }
    let end = try require(body.firstRange(of: "Panicked thread")?.lowerBound)
    for text in ["{\"bug_type\":\"210\"}\n" + body[..<end], String(body[..<end])] {
      let panic = try panic(text)
      expectEqual(panic.message, "x86 CPU CATERR detected")
      expectEqual(panic.task, "kernel_task")
      expectEqual(panic.kernelSlide, "0x000000000e200000")
    }
  }

  /// Words that only resemble a panic.
  @Test(arguments: ["*** Panic Report ***\nnothing", "panic(cpu 0 caller 0x1): "])
  func noPanic(text: String) {
    #expect(throws: CrashLogParseError.noReportFound(.kernelPanic)) { try ParsedText(text) }
  }

  @Test func cut() throws {
    let bytes = Array(PanicReaderTests.intel.utf8)
    for end in bytes.indices {
      for report in (try? CrashLogParser.parse(Array(bytes[..<end]))) ?? [] {
        #expect(report.byteRange.upperBound <= end)
      }
    }
  }

  /// The secure page table monitor has the place in the line below the name of what it found.
  @Test func nameInALineOfItsOwn() throws {
    let facts = try ParsedText(
      """
      panic(cpu 0 caller 0xfffffe002c550010): [SPTM] VIOLATION_DECK:
      sptm_deal(sptm.c:31) - expected_cards(0)
      Debugger message: panic

      """
    ).report.facts
    expectEqual(
      facts.panic?.message, "[SPTM] VIOLATION_DECK: sptm_deal(sptm.c:31) - expected_cards(0)")
  }

  /// Only the frames and the list of extensions are left. Source: XNU, libkern/c++/OSKext.cpp
  /// (`OSKext::printKextsInBacktrace`).
  @Test func cutAboveTheExtensions() throws {
    let panic = try panic(
      """
      My Mac restarts:
      ```
      \t\t  lr: 0xfffffe004976da98  fp: 0xfffffe5b037e3a20
      \t\t  lr: 0xfffffe004976c178  fp: 0x0000000000000000
            Kernel Extensions in backtrace:
               org.example.deck(2.3)[F8287B3A-8CA2-3DB7-B123-2A3218172C76]@0xfffffe004f224000->0xfffffe004f45e5af
                  dependency: com.apple.iokit.IOStorageFamily(2.1)[3CC20805-6E02-3C35-9568-C2B099D9B3B8]@0xfffffe004c2a8c20->0xfffffe004c2ca993


      last started kext at 2221459306873: com.example.usb\t1.0 (addr 0xfffffe0048876180, size 3578)
      ```

      """)
    expectEqual(panic.message, "")
    expectEqual(panic.extensions.map(\.name), ["org.example.deck"])
    expectEqual(panic.addresses, [0xffff_fe00_4976_da98, 0xffff_fe00_4976_c178])
    expectEqual(panic.lastExtension?.name, "com.example.usb")
  }

  /// Words about such a list, and one of something else.
  @Test(arguments: [
    "Look for this:\n\nKernel Extensions in backtrace:\n\nand tell me.\n",
    "Kernel Extensions in backtrace:\n  org.example.deck(2.3)\n",
    "The part Kernel Extensions in backtrace:\n  a[F8]@0xfffffe00->0xfffffe01\n",
  ])
  func otherLists(text: String) {
    #expect(throws: (any Error).self) { try ParsedText(text) }
  }

  /// If the words are missing, ARM's syndrome says which abort it was. Source: Arm Architecture
  /// Reference Manual, ESR_EL1: class 0x25 is a data abort, 0x21 one of an instruction, 0x3c a
  /// breakpoint.
  @Test(
    arguments: [
      ("96000006", "data abort in the kernel", .read),
      ("96000046", "data abort in the kernel", .write),
      ("86000006", "instruction abort in the kernel", .execution), ("f2000001", nil, nil),
    ] as [(String, String?, PanicFault.Access?)])
  func registersOfACutPanic(syndrome: String, name: String?, access: PanicFault.Access?) throws {
    let panic = try panic(
      """
      \t  x28: 0x0000000000000000 fp:  0xfffffe701a63b660  lr:  0x30ae7e002e2ed61c  sp:  0xfffffe701a63b640
      \t  pc:  0xfffffe002e414d9c cpsr: 0x20401208         esr: 0x00000000\(syndrome)  far: 0x0000000000000068

      Debugger message: panic
      OS version: 24F74
      Kernel version: Darwin Kernel Version 24.5.0

      """)
    expectEqual(panic.message, "")
    expectEqual(panic.fault?.name, name)
    expectEqual(panic.fault?.access, access)
    expectEqual(panic.fault?.address, name == nil ? nil : 0x68)
    expectEqual(panic.fault?.programCounter, name == nil ? nil : 0xffff_fe00_2e41_4d9c)
    expectEqual(panic.fault?.isUnmapped, name == nil ? nil : true)
  }
}
