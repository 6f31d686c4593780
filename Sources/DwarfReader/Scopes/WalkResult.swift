/// What a walk over entries gathered, and why it did not reach the end.
struct WalkResult<Content> {
  var content: Content
  var fault: DwarfReadError?
}
