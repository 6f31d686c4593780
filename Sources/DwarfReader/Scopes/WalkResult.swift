/// What a walk over DIEs found.
struct WalkResult<Content> {
  var content: Content
  /// The first thing that could not be read; nil if there was none.
  var fault: DwarfReadError?
}
