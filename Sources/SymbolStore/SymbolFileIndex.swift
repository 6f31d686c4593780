import ObjectFiles
import SymbolicationModel

/// Opened files by what they are searched for. Files with the same key stay in their order.
struct SymbolFileIndex: Sendable {
  private let byIdentity: [ImageIdentity: [ObjectFile]]
  private let byName: [String: [ObjectFile]]

  init(_ files: [ObjectFile]) {
    var byIdentity: [ImageIdentity: [ObjectFile]] = [:]
    for file in files {
      if let identity = file.identity { byIdentity[identity, default: []].append(file) }
    }
    self.byIdentity = byIdentity
    self.byName = Dictionary(grouping: files, by: \.imageName)
  }

  /// The files with one of the image's names and an architecture that serves for it: of each name
  /// the first ones, at most `OtherBuilds.walkLimit`.
  func files(named image: ImageDescription) -> [ObjectFile] {
    let named = image.names.sorted().flatMap { (byName[$0] ?? []).prefix(OtherBuilds.walkLimit) }
    return named.filter { image.accepts($0.architecture) }
  }

  /// The files of that name and architecture that belong to another build of the image.
  func otherBuilds(of image: ImageDescription) -> [ObjectFile] {
    Array(
      files(named: image).lazy.filter { !$0.belongs(to: image.identity) }.prefix(OtherBuilds.limit))
  }

  private func files(of identity: ImageIdentity) -> [ObjectFile] {
    let exact = byIdentity[identity] ?? []
    guard let prefix = identity.debugIdPrefix else { return exact }
    return exact + (byIdentity[prefix] ?? []).filter { $0.belongs(to: identity) }
  }

  /// The files with the image's identity. Files of the same name with another one are refused.
  func answer(for image: ImageDescription) -> SymbolFileAnswer {
    guard let identity = image.identity else { return SymbolFileAnswer() }
    return SymbolFileAnswer(
      files: files(of: identity),
      refused: otherBuilds(of: image).map { file in
        DebugFileSearch.Attempt(
          path: file.path, finding: .otherIdentity(found: file.identity, expected: identity))
      })
  }
}

extension ImageIdentity {
  /// The first 16 bytes of a longer build-id: all that a Breakpad symbol file may state of it. Nil
  /// for an identity without more bytes.
  var debugIdPrefix: ImageIdentity? {
    bytes.count > 16 ? ImageIdentity(bytes: Array(bytes.prefix(16))) : nil
  }
}
