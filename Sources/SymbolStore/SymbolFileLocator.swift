/// One kind of place where symbol files lie.
///
/// Each kind is a type of its own in `Locators/`, and `SymbolStore` asks them in the order of one
/// list. A locator knows a file by its identity (UUID, build-id, checksum) and never by its name
/// alone, unless a report states no identity. It answers requests that its place may serve and
/// passes on all others with an empty answer. It may be asked from several threads.
///
/// Cost: nothing is opened before the first request that the place may serve. Answers are
/// remembered by the store, so the same request is usually asked once; two threads may ask the same
/// request at the same time.
package protocol SymbolFileLocator: Sendable {
  /// Looks for the file.
  ///
  /// - Parameter known: paths that other places named for the same request and that were refused.
  ///   They are neither looked at nor reported again.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer
}
