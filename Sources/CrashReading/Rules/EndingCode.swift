/// The codes that Apple's systems end processes with, in words. A code means something only within
/// its namespace.
enum EndingCode {
  /// - Parameter namespace: who chose the code: `SPRINGBOARD`; nil in reports of iOS 7 and earlier.
  /// - Returns: nil for codes that are not documented.
  static func meaning(of code: UInt64, namespace: String?) -> String? {
    switch namespace {
    // Who manages the life of apps. Each system names it in its own way.
    // Writers that do not know a name write the number: XNU, bsd/sys/reason.h.
    case nil, "<0xA>", "<0xF>", "SPRINGBOARD", "FRONTBOARD", "RUNNINGBOARD", "ASSERTIOND",
      "BACKBOARD", "CAROUSEL",
      "PINEBOARD", "WATCHDOG":
      return appCode(code)
    case "CODESIGNING": return codeSigning(code)
    case "JETSAM": return memory(code)
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
    case 2: "a page of code does not match its signature: the file changed after it was signed"
    case 3: "it asked for another process's task port without permission"
    default: nil
    }
  }

  /// Source: XNU, bsd/sys/reason.h (`JETSAM_REASON_…`).
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
    default: nil
    }
  }

  /// The words of `JETSAM` reports. A text may follow them.
  ///
  /// Source: XNU, bsd/kern/kern_memorystatus.c (`memorystatus_kill_cause_name`).
  static func meaning(ofMemoryWord text: String) -> String? {
    memoryWords.first { text.hasPrefix($0.word) }?.meaning
  }

  private static let memoryWords: [(word: String, meaning: String)] = [
    ("per-process-limit", "used more memory than its own limit"),
    ("highwater", "used more memory than its high-water mark"),
    ("vm-pageshortage", "the system ran out of memory"),
    ("fc-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("vm-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("vm-compressor-thrashing", "the system was thrashing: too little memory for what was in use"),
    ("vm-compressor-space-shortage", "there was no more space for compressed memory"),
    ("disk-space-shortage", "the system ran out of disk space"),
    ("vnode-limit", "the system ran out of vnodes"),
    ("zone-map-exhaustion", "the kernel ran out of memory"),
    ("idle-exit", "it was idle, and its memory was needed"),
  ]
}
