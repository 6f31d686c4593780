/// A place in which the path of a wanted file follows from the request alone.
protocol PathLocator: SymbolFileLocator {
  /// The paths at which the file may lie, best first; empty for requests that the place does not
  /// serve. Nothing is looked at. A path may occur twice.
  func paths(for request: SymbolFileRequest) -> [String]
}

extension PathLocator {
  package func locate(
    _ request: SymbolFileRequest, skipping known: Set<String>
  ) -> SymbolFileAnswer {
    request.firstFile(at: paths(for: request), skipping: known)
  }
}
