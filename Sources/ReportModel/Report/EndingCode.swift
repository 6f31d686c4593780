/// The codes that Apple's systems end processes with, in words. A code means something only within
/// its namespace.
package enum EndingCode {
  /// - Parameter namespace: who chose the code: `SPRINGBOARD`; nil in reports of iOS 7 and earlier.
  /// - Returns: nil for codes that are not documented.
  package static func meaning(of code: UInt64, namespace: String?) -> String? {
    switch namespace {
    // Who manages the life of apps. Each system names it in its own way.
    case nil, "SPRINGBOARD", "FRONTBOARD", "RUNNINGBOARD", "ASSERTIOND",
      "BACKBOARD", "CAROUSEL",
      "PINEBOARD", "WATCHDOG":
      return appCode(code)
    case "CODESIGNING": return codeSigning(code)
    case "JETSAM": return memory(code)
    case "OBJC": return objectiveC(code)
    case "DYLD": return dynamicLinker(code)
    case "LIBXPC": return xpc(code)
    case "LIBSYSTEM": return systemLibrary(code)
    case "EXEC": return program(code)
    case "PORT_SPACE": return "it ran out of Mach ports"
    default: return nil
    }
  }

  /// Source: developer.apple.com/documentation/xcode/sigkill. `0xdeadfa11` and `0x2bad45ec` are
  /// from older versions of that page (Technical Note TN2151).
  private static func appCode(_ code: UInt64) -> String? {
    switch code {
    case 0x8bad_f00d: "watchdog: it took too long"
    case 0xc000_10ff: "the device was too hot"
    case 0xdead_10cc: "held a file or database lock while suspended"
    case 0xbaad_ca11: "reported no call for a VoIP notification"
    case 0xbad2_2222: "resumed too often as a VoIP app"
    case 0xbadd_d15c: "its caches were deleted to free disk space"
    case 0xd00d_2bad: "used too much of the system's resources"
    case 0xdead_fa11: "the user ended it"
    case 0x2bad_45ec: "security violation"
    case 0xbaaa_aaad: "a stackshot that somebody asked for: not a crash"
    case 0x2182_bad2: "a background task did not end in time"
    case 0x2182_bad3: "a background URL session did not end in time"
    case 0x2182_bad4: "a background fetch did not end in time"
    case 0xc51b_ad01: "background task: too much processor time"
    case 0xc51b_ad02: "background task: took too long"
    case 0xc51b_ad03: "background task: took too long on a busy system"
    default: nil
    }
  }

  /// Source: XNU, bsd/sys/reason.h (`CODESIGNING_EXIT_REASON_…`).
  private static func codeSigning(_ code: UInt64) -> String? {
    switch code {
    case 1: "its code signature was refused at launch"
    case 2: invalidPage
    case 3: "it asked for another process's task port without permission"
    case 4: "a launch constraint forbids to start it in this way"
    default: nil
    }
  }

  /// What code 2 of `CODESIGNING` means if the page is one of a file.
  package static let invalidPage =
    "a page of code does not match its signature: the file changed after it was signed"

  /// What it means for the page that an arrow marks among the regions of memory: code that no file
  /// has, in memory that may be executed, was made while the process ran. Nil for other regions.
  ///
  /// Source: vmmap(1), the names of regions; developer.apple.com, "Porting just-in-time compilers
  /// to Apple silicon".
  package static func invalidPage(in regions: [String]) -> String? {
    let marked = regions.lazy.compactMap { line -> String? in
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard text.hasPrefix("-->") || text.hasPrefix("--->") else { return nil }
      return String(text.drop { $0 == "-" || $0 == ">" || $0 == " " || $0 == "\t" })
    }.first
    guard let marked, anonymousRegions.contains(where: { marked.hasPrefix($0) }),
      ["r-x/", "rwx/", "--x/"].contains(where: { marked.firstRange(of: $0) != nil }),
      marked.firstRange(of: " /") == nil
    else { return nil }
    return "a page of code that was made at run time has no valid signature"
  }

  private static let anonymousRegions = [
    "VM_ALLOCATE ", "MALLOC", "JS JIT", "WebKit ", "Memory Tag ",
  ]

  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-private.h
  /// (`OBJC_EXIT_REASON_…`).
  private static func objectiveC(_ code: UInt64) -> String? {
    switch code {
    case 1: "fatal error of the Objective-C runtime"
    case 2: "it needs garbage collection, which no longer exists"
    case 3: "class data that has to be signed is not"
    default: nil
    }
  }

  /// Source: github.com/apple-oss-distributions/dyld, include/mach-o/dyld_priv.h
  /// (`DYLD_EXIT_REASON_…`).
  private static func dynamicLinker(_ code: UInt64) -> String? {
    switch code {
    case 1: "a library is missing"
    case 2: "a library is for another architecture"
    case 3: "a library has another version than is needed"
    case 4: "a symbol is missing"
    case 5: "a library's code signature is refused"
    case 6: "the sandbox forbids a library"
    case 7: "a library is malformed"
    case 9: "the dynamic linker gave up"
    case 10: "dlsym() is blocked"
    default: nil
    }
  }

  /// Source: reports whose details say so.
  private static func xpc(_ code: UInt64) -> String? {
    switch code {
    case 3: "an extension took too long to start"
    case 4: "it did not end in time after it was asked to (SIGTERM)"
    default: nil
    }
  }

  /// Source: XNU, bsd/sys/reason.h (`OS_REASON_LIBSYSTEM_CODE_…`).
  private static func systemLibrary(_ code: UInt64) -> String? {
    switch code {
    case 1: "a thread ended, or waits for work, and still owns a workloop"
    case 2: "a library of the system found a fault of the app"
    case 3: "its security could not be set up at the start (secinit)"
    case 4: "the data of the threads library are damaged"
    default: nil
    }
  }

  /// Why the kernel could not start the program that the process asked for.
  ///
  /// Source: XNU, bsd/sys/reason.h (`EXEC_EXIT_REASON_…`).
  private static func program(_ code: UInt64) -> String? {
    switch code {
    case 1: "Bad Mach-O: the kernel could not load the program's file"
    case 2: "the rights of its owner (set-user-ID) could not be set up"
    case 3: "its first thread could not be set up"
    case 4: "there was no memory for its stack"
    case 5: "what the kernel tells it at its start could not be set up"
    case 6: "its arguments could not be copied to its stack"
    case 7: "the address of its header could not be copied to its stack"
    case 8: "a security policy forbids to run it"
    case 9: "taskgated could not check it"
    case 10, 11: "its encrypted code could not be decrypted"
    case 12: "it was packed with UPX, in a form that the kernel does not load"
    default: nil
    }
  }

  /// Source: XNU, bsd/sys/kern_memorystatus.h (`JETSAM_REASON_…`); doc/vm/memorystatus_kills.md.
  private static func memory(_ code: UInt64) -> String? {
    switch code {
    case 2: "used more memory than its high-water mark"
    case 3: "the system ran out of vnodes"
    case 4: "the system ran out of memory"
    case 5, 6: "the system was thrashing: too little memory for what was in use"
    case 7: "used more memory than its own limit"
    case 8: "the system ran out of disk space"
    case 9: "it was idle, and its memory was needed"
    case 10: "the kernel ran out of memory"
    case 11: "the system was thrashing: too little memory for what was in use"
    case 12: "there was no more space for compressed memory"
    case 13: "there was no more space to swap to"
    case 14: "the system was short of memory for long, and it was idle"
    case 15: "the system could not free memory fast enough"
    default: nil
    }
  }

  /// The words of `JETSAM` reports. A text may follow them.
  ///
  /// Source: XNU, bsd/kern/kern_memorystatus.c (`memorystatus_kill_cause_name`).
  package static func meaning(ofMemoryWord text: String) -> String? {
    memoryWords.first { text.hasPrefix($0.word) }?.meaning
  }

  private static let memoryWords: [(word: String, meaning: String)] = [
    ("per-process-limit", "used more memory than its own limit"),
    ("exceeded mem limit", "used more memory than its own limit"),
    ("jettisoned", "the system was short of memory"),
    ("highwater", "used more memory than its high-water mark"),
    ("vm-pageshortage", "the system ran out of memory"),
    ("fc-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("proc-thrashing", "processes that were ended for their memory came back at once"),
    ("vm-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("vm-compressor-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("vm-compressor-space-shortage", "there was no more space for compressed memory"),
    ("disk-space-shortage", "the system ran out of disk space"),
    ("vnode-limit", "the system ran out of vnodes"),
    ("zone-map-exhaustion", "the kernel ran out of memory"),
    ("idle-exit", "it was idle, and its memory was needed"),
    ("low-swap", "there was no more space to swap to"),
    ("sustained-memory-pressure", "the system was short of memory for long, and it was idle"),
    ("vm-pageout-starvation", "the system could not free memory fast enough"),
  ]
}

extension ReportFacts.Termination {
  /// Reads what RunningBoard says when it ends a process, wherever somebody shows it; nil if a text
  /// does not have it:
  ///
  /// ```text
  /// <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-create watchdog
  /// transgression: … reportType:CrashLog maxTerminationResistance:Interactive>
  /// ```
  ///
  /// The details are the explanation.
  ///
  /// Source: the description of RunningBoardServices' `RBSTerminateContext`, as reports show it.
  package init?(runningBoard text: String) {
    guard let start = text.firstRange(of: "RBSTerminateContext|")?.upperBound else { return nil }
    let context = text[start...]
    func word(after mark: String) -> Substring? {
      context.firstRange(of: mark).map { found in
        context[found.upperBound...].prefix { $0 != " " && $0 != ">" && $0 != "|" }
      }
    }
    self.init()
    namespace = word(after: " domain:").map { name in
      UInt64(name).flatMap { MachNames.terminationNamespace($0) } ?? String(name)
    }
    code = word(after: " code:").flatMap { text in
      let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
      return isHexadecimal ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
    guard namespace != nil || code != nil else { return nil }
    guard let words = context.firstRange(of: "explanation:")?.upperBound else { return }
    let end =
      [" reportType:", " maxTerminationResistance:"].lazy
      .compactMap { context[words...].firstRange(of: $0)?.lowerBound }.first ?? context.endIndex
    if words < end { details = [String(context[words..<end])] }
  }
}
