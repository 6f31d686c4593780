import CrashLogParser
import Wording

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
