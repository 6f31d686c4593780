extension FrameSignTable {
  /// What stops the allocator of iOS 17, macOS 14 and later, which traps where it finds damage and
  /// leaves its words to the report, which may be missing. The part of a function that hardly ever
  /// runs is one of its own: `xzm_malloc_zone_free_slow.cold.1`. In these functions it is the trap.
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src/xzone/xzone_malloc.c and
  /// xzone_inline_internal.h (`xzm_client_abort_with_reason`); for the names of the parts, the
  /// lists of symbols in github.com/blacktop/ipsw-diffs.
  static let xzone = [
    FrameSign(
      .heapDamage,
      "free() stopped the process: the block was freed before, was never allocated, or the heap is"
        + " damaged",
      "_xzm_free_abort", "xzm_*free*.cold.*", "_xzm_*free_*.cold.*", "xzm_*realloc*.cold.*",
      reach: .innermost, condition: .trap),
    FrameSign(
      .heapDamage,
      "malloc found a damaged heap: a free block was overwritten, often by other code than this",
      "_xzm_xzone_malloc*.cold.*", reach: .innermost, condition: .trap,
      elsewhere: "the allocator may find a mistake of its own"),
  ]
}
