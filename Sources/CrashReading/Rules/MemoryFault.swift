import CrashLogParser
import SymbolicationModel
import Wording

/// A bad access of a process that was not ended for another reason.
struct MemoryFault {
  /// The address that was accessed; nil if the report does not say.
  package let address: UInt64?
  /// The words of the report: `KERN_INVALID_ADDRESS at 0x0000000000000010`.
  let details: String
  package let evidence: [CauseEvidence?]
  /// The line of the memory regions that marks the address; nil if there is none.
  let markedRegion: String?
  /// The line above that one: the region below it in memory.
  let regionBelow: String?
  /// Whether that region allows nothing, and a stack follows it.
  let isBelowStack: Bool
  /// What failed, if only the registers say that there was a bad access.
  let access: CrashRegisters.DataAccess?

  init?(_ scene: CrashScene) {
    let lines = scene.facts.memoryRegion
    let near = scene.exception.faultAddress ?? scene.facts.addressOfRegions
    let marked = lines.firstIndex { line in
      let text = line.drop { $0 == " " || $0 == "\t" }
      return text.hasPrefix("-->") || text.hasPrefix("--->")
    }
    // A page may join the arrow between two regions with the one that follows.
    let isBetween = marked.map { ReportFacts.isBelowRegion(near, lines[$0]) } ?? false
    // Who shortens a report may leave no more than the kind of the region.
    markedRegion =
      marked.map { isBetween ? "-->" : lines[$0] }
      ?? Self.markedRegion(inLine: lines.first, near: near)
      ?? lines.first.flatMap { line in
        ["STACK GUARD", "VM Region Info: STACK GUARD"].contains { line.hasPrefix($0) }
          && !line.contains(where: \.isNumber) ? line : nil
      }
    regionBelow = marked.flatMap { $0 > 0 ? lines[$0 - 1] : nil }
    isBelowStack =
      marked.map { index in
        !isBetween && lines[index].hasBytes(of: " ---/") && index + 1 < lines.count
          && lines[index + 1].split(separator: " ").first == "Stack"
      } ?? false
    if scene.exception.isMemoryFault,
      scene.exception.signal != "SIGKILL" || scene.facts.endedForFetch
    {
      (access, mayBeForbidden) = (nil, false)
      let isOfProtection =
        scene.exception.details.hasBytes(of: "KERN_PROTECTION_FAILURE")
        || scene.exception.kernelCode == 2
      self.isOfProtection = isOfProtection
      // Who shows the type alone may show the regions, which begin with the address.
      if scene.exception.details.isEmpty, scene.exception.codes.isEmpty,
        let line = lines.first, let near = scene.facts.addressOfRegions,
        scene.facts.isOutsideRegions
      {
        (address, details) = (near, "KERN_INVALID_ADDRESS")
        evidence = [CauseEvidence(source: .information, text: line, byteRange: nil)]
      } else {
        (address, details) = (scene.exception.faultAddress, scene.exception.details)
        evidence = [scene.exceptionDetails]
      }
      return
    }
    // The head was cut off.
    guard scene.exception.type == nil, scene.exception.signal == nil, scene.facts.event == .crash
    else { return nil }
    if scene.report.hasThreadState, let fault = scene.registers.fault {
      let isOutside = scene.facts.isOutsideRegions
      (address, access) = (fault.address, fault.access)
      isOfProtection = fault.isOfProtection && !isOutside
      mayBeForbidden =
        !fault.isOfProtection && !isOutside && scene.registers.exceptionSyndrome == nil
      evidence = [scene.register("cr2 or far", fault.address)]
    } else if let line = lines.first, let near = scene.facts.addressOfRegions,
      // What can be read and written does not fail so.
      markedRegion?.hasBytes(of: " rw") != true
    {
      // Alone, the arrow stands between two regions, and so it does with the size of a gap.
      let isMapped =
        !scene.facts.isOutsideRegions && markedRegion?.contains { $0.isDecimalDigit } == true
      (address, access, isOfProtection) = (near, nil, isMapped)
      mayBeForbidden = false
      evidence = [CauseEvidence(source: .information, text: line, byteRange: nil)]
    } else {
      return nil
    }
    details = isOfProtection ? "KERN_PROTECTION_FAILURE" : "KERN_INVALID_ADDRESS"
  }

  /// The region that is marked in a line with all of them, which somebody joined. Behind it, the
  /// next one begins, with the size in brackets too. An arrow between two regions marks neither.
  private static func markedRegion(inLine line: String?, near address: UInt64?) -> String? {
    guard let line, line.utf8.count < 2048, line.hasBytes(of: "-> "),
      let arrow = line.firstRange(of: "--> "),
      let size = line[arrow.upperBound...].firstIndex(of: "[")
    else { return nil }
    if let address, let bounds = ReportFacts.bounds(ofRegion: line[arrow.upperBound..<size]),
      !bounds.contains(address)
    {
      return String(line[arrow])
    }
    let next = line[line.index(after: size)...].firstIndex(of: "[") ?? line.endIndex
    let isGuard = line[arrow.upperBound..<size].drop { $0 == " " }.hasPrefix("STACK GUARD")
    return String(line[arrow.lowerBound..<(isGuard ? next : size)])
  }

  /// Whether that region is the guard page of a stack.
  var isInGuard: Bool {
    markedRegion.map { $0.hasBytes(of: "STACK GUARD") || $0.hasBytes(of: "Stack Guard") } ?? false
  }

  /// The kind of the region of data that ends where the address is or a few bytes before it: who
  /// reads or writes one element after the other comes there. Nil if there is none.
  ///
  /// ```text
  ///     MALLOC_LARGE           00000001135cb000-0000000113e3d000 [ 8648K] rw-/rwx SM=PRV
  /// -->
  /// ```
  var overrunRegion: String? {
    guard let address, let words = regionBelow?.split(separator: " "), let kind = words.first,
      ["MALLOC_", "VM_ALLOCATE", "mapped"].contains(where: { kind.hasPrefix($0) }),
      let range = words.first(where: { $0.contains("-") })?.split(separator: "-"),
      range.count == 2, let end = UInt64(range[1], radix: 16), address >= end, address - end < 64
    else { return nil }
    return kind == "mapped" ? "mapped file" : String(kind)
  }

  /// That region, if malloc gave it out: what is written behind it was meant for a block in it.
  var overrunHeap: String? {
    overrunRegion.flatMap { kind in
      kind.hasPrefix("MALLOC_") && regionBelow?.hasBytes(of: " rw") == true ? kind : nil
    }
  }

  /// The kind of the region that the address is in, if it is one of memory that programs fill, and
  /// not one of a file.
  var dataRegion: String? {
    guard let words = markedRegion?.split(separator: " "), words.count > 1,
      Self.dataRegions.contains(where: { words[1].hasPrefix($0) })
    else { return nil }
    return String(words[1])
  }

  /// Source: vmmap(1); XNU, osfmk/mach/vm_statistics.h (`VM_MEMORY_…`).
  private static let dataRegions = [
    "MALLOC", "VM_ALLOCATE", "Stack", "STACK", "IOKit", "IOSurface",
  ]

  /// The thread whose guard page the address is in; nil if the report does not say.
  var guardedThread: Int? {
    let words = isInGuard ? markedRegion : details
    let start = isInGuard ? "for thread " : "stack guard region for thread "
    return words?.word(after: start, of: \.isDecimalDigit).flatMap { Int($0) }
  }

  /// Nothing is mapped below it: the first page of arm64, and a few of Intel processors. An address
  /// there is a null pointer with an offset, or another small number.
  static let nullLimit: UInt64 = 0x4000

  /// The address, where no line of the report says it: ` (0x7ff84c630be8)`.
  var unsaid: String { access == nil ? "" : address.map { " (\($0.hexadecimal))" } ?? "" }

  /// Whether only Intel's registers show the fault. A page that allows nothing then looks like one
  /// that is not mapped: the kernel gives the processor neither.
  ///
  /// Source: Intel Software Developer's Manual, volume 3, "Page-Fault Exception": bit 0 of the
  /// error code is clear for a page that is not present.
  let mayBeForbidden: Bool

  var isNull: Bool { address.map { $0 < Self.nullLimit } ?? false }

  let isOfProtection: Bool
}

extension ReportFacts {
  /// Whether the kernel ended the process because an instruction could not be fetched: the address
  /// is that of the instruction. Where a monitor of the system checks all code (on Apple's own
  /// processors), it gives the reason of a page that does not match its signature for every such
  /// fault, with that reason's number, 2, as the exception's code; reports show it as
  /// `KERN_PROTECTION_FAILURE`, or keep `KERN_INVALID_ADDRESS` if nothing is mapped there. A page
  /// that was found and does not match has the code 50.
  ///
  /// Source: XNU, osfmk/arm64/sleh.c (`handle_user_abort`), bsd/sys/code_signing.h and
  /// bsd/kern/code_signing (`csm_code_signing_violation`), osfmk/mach/kern_return.h.
  var endedForFetch: Bool {
    termination.namespace == "CODESIGNING" && termination.code ?? 2 == 2
      && exception.type?.hasPrefix("EXC_BAD_ACCESS") == true
      && (exception.kernelCode == 1 || exception.kernelCode == 2
        || ["KERN_PROTECTION_FAILURE", "KERN_INVALID_ADDRESS"].contains {
          exception.details.hasBytes(of: $0)
        })
  }

  /// Whether the report says that the process ran on a processor of Intel, or as one.
  var isOfIntel: Bool { [.x86_64, .x86_64h, .i386].contains(architecture) }
}

extension ReportFacts {
  /// The address that was accessed, by the line above the regions of memory around it:
  /// `VM Regions Near 0x21:`, `VM Region Info: 0x21 is not in any region.` ReportCrash writes that
  /// line for bad accesses; for others it names the register that it took the address from
  /// (`VM Regions Near 0 (cr2):`). Nil if there is none.
  ///
  /// Source: developer.apple.com/documentation/xcode/examining-the-fields-in-a-crash-report, "VM
  /// Region Info".
  fileprivate var addressOfRegions: UInt64? {
    guard termination.namespace == nil || termination.namespace == "SIGNAL", exception.name == nil,
      let line = memoryRegion.first,
      let title = ["VM Regions Near ", "VM Region Info: "].first(where: { line.hasPrefix($0) })
    else { return nil }
    let words = line.dropFirst(title.utf8.count).split { $0 == " " || $0 == ":" }
    guard let digits = words.first, words.count == 1 || words[1] == "is" || words[1].hasPrefix("//")
    else { return nil }
    return UInt64(digits.hasPrefix("0x") ? digits.dropFirst(2) : digits, radix: 16)
  }

  /// The addresses in the line of a region: `__TEXT 10f96f000-110085000 [ 7256K] r-x/rwx`. Nil if
  /// it has none.
  static func bounds(ofRegion line: some StringProtocol) -> Range<UInt64>? {
    guard line.utf8.count < 2048 else { return nil }
    for word in line.split(separator: " ") {
      let ends = word.split(separator: "-")
      if ends.count == 2, let start = UInt64(ends[0], radix: 16),
        let end = UInt64(ends[1], radix: 16)
      {
        return start < end ? start..<end : nil
      }
    }
    return nil
  }

  /// Whether the region in a line begins above an address, so that an arrow in front of it stands
  /// between two regions.
  package static func isBelowRegion(_ address: UInt64?, _ line: some StringProtocol) -> Bool {
    guard let address, let bounds = bounds(ofRegion: line) else { return false }
    return address < bounds.lowerBound
  }

  /// Whether the lines about memory say that nothing is mapped at the address: `0x21 is not in any
  /// region`, or an arrow to a gap (`--->  GAP OF 0x1a0000 BYTES`) or to the space before the first
  /// region.
  ///
  /// Source: vmmap(1); developer.apple.com/documentation/xcode/investigating-memory-access-crashes.
  fileprivate var isOutsideRegions: Bool {
    memoryRegion.prefix(8).contains { line in
      line.hasBytes(of: " is not in any region") || line.hasBytes(of: "-> GAP OF ")
        || line.hasBytes(of: "->  GAP OF ")
    }
  }
}

extension ReportFacts.CrashException {
  /// What the kernel says about a bad access: 1 for `KERN_INVALID_ADDRESS`, 2 for
  /// `KERN_PROTECTION_FAILURE`, ….
  var kernelCode: UInt64? {
    type?.hasPrefix("EXC_BAD_ACCESS") == true && codes.count > 1 ? codes.first : nil
  }

  /// The words about the exception, in one line.
  var details: String {
    [subtype, message].compactMap(\.self).joined(separator: " ")
  }

  /// The second code of `EXC_BAD_ACCESS`, or what the words say (`at 0x8`). Nil for an address that
  /// stands for one that nobody knows.
  var faultAddress: UInt64? { standIn == nil ? statedAddress : nil }

  /// Who wrote an address that stands for one that nobody knows; nil if the address is that of the
  /// fault.
  ///
  /// Source: github.com/golang/go, src/runtime/signal_darwin_amd64.go (`fixsigcode`): the kernel
  /// says no more of a malformed address than of a signal that somebody sent, and Go makes both a
  /// `SEGV_MAPERR` at an address that is none.
  var standIn: String? {
    statedAddress == 0xb01_dfac_edeb_ac1e && details.hasBytes(of: "SEGV_")
      ? "Go writes 0xb01dfacedebac1e in its place" : nil
  }

  private var statedAddress: UInt64? {
    // Intel processors do not say which address failed a general protection check.
    if details.hasBytes(of: "GPFLT") || kernelCode == 0xd { return nil }
    // Linux knows no address for signals that it, or somebody else, sent so (`si_code`).
    if details.hasPrefix("SI_") { return nil }
    if kernelCode != nil || isAccessAsGuard, let address = codes.dropFirst().first {
      return address
    }
    return isAddressCut ? nil : details.addressDigits.flatMap { UInt64($0, radix: 16) }
  }

  /// Whether the text ends within the address, so that digits are missing:
  /// `KERN_INVALID_ADDRESS at 0x00`.
  var isAddressCut: Bool {
    guard let digits = details.addressDigits else { return false }
    return digits.count > 1 && digits.first == "0" && ![8, 16].contains(digits.count)
  }
}

extension String {
  /// `7f80` of `KERN_INVALID_ADDRESS at 0x7f80`.
  fileprivate var addressDigits: Substring? {
    guard hasBytes(of: " at 0x"), let start = firstRange(of: " at 0x")?.upperBound else {
      return nil
    }
    return self[start...].prefix { $0.isHexDigit }
  }
}

extension CrashScene {
  /// What failed, as far as the registers say: `read`, `write` or `access`.
  var access: String {
    let fault = memoryFault
    return switch registers.dataAccess(at: fault?.address) ?? fault?.access {
    case .read: "read"
    case .write: "write"
    case nil: "access"
    }
  }
}

// MARK: - Memory tagging

/// Memory tagging: the processor compares a tag in the pointer with that of the memory at each
/// access, so it finds uses of freed memory and overflows where they happen.
///
/// Source: XNU, osfmk/mach/arm/exception.h (`EXC_ARM_MTE_TAGCHECK_FAIL` 0x106,
/// `EXC_ARM_MTE_CANONICAL_FAIL` 0x107), bsd/sys/reason.h (`OS_REASON_MTE_FAIL`); Apple, "Enabling
/// enhanced security for your app" (iOS 26, processors from A19 and M5 on).
enum MemoryTagging {
  static func fault(_ scene: CrashScene) -> CauseFinding? {
    guard mayBeTagging(scene.exception, scene.facts.termination) else { return nil }
    let words = scene.exception.details + " " + (scene.facts.termination.indicator ?? "")
    func says(_ parts: String...) -> Bool { parts.contains { words.hasBytes(of: $0) } }
    let isTagCheck =
      scene.exception.isMemoryFault && scene.exception.kernelCode == 0x106
      || says("EXC_ARM_MTE_TAGCHECK_FAIL", "UNKNOWN_0x106")
    let isCanonical =
      scene.exception.isMemoryFault && scene.exception.kernelCode == 0x107
      || says("EXC_ARM_MTE_CANONICAL_FAIL", "UNKNOWN_0x107")
    let isGuard = scene.exception.type == "EXC_GUARD" && says("GUARD_EXC_MTE_")
    guard
      isTagCheck || isCanonical || isGuard || scene.facts.termination.namespace == "MTE_FAIL"
    else { return nil }
    let evidence = [scene.exceptionDetails, scene.terminationField, scene.exceptionField]
    if says("ASYNC") {
      return CauseFinding(
        .memoryTagging,
        "memory tagging found a use of freed memory or an overflow, some time before: the frames are near the place",
        .likely, evidence)
    }
    if isCanonical {
      return CauseFinding(
        .memoryTagging, "memory tagging: an access through a pointer with a tag where none may be",
        .likely, evidence)
    }
    return CauseFinding(
      .memoryTagging, "memory tagging found a use of freed memory or an overflow at this access",
      .likely, evidence)
  }

  /// A quick look: most reports name nothing of it.
  private static func mayBeTagging(
    _ exception: ReportFacts.CrashException, _ termination: ReportFacts.Termination
  ) -> Bool {
    if exception.kernelCode == 0x106 || exception.kernelCode == 0x107 { return true }
    let words = [exception.details, termination.namespace ?? "", termination.indicator ?? ""]
    return words.contains { text in
      ["MTE_", "UNKNOWN_0x10"].contains { text.hasBytes(of: $0) }
    }
  }
}
