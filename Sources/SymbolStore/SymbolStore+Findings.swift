import FileSystem
import ObjectFiles
import SymbolicationModel

extension SymbolStore {
  /// Every candidate for the image that any place has, in the order of the places: the file that is
  /// used, the others that fit, and those that were refused, with the reason.
  ///
  /// Unlike `symbolFile(for:)`, it asks every place, even if an earlier one has the file. If the
  /// file that is used has no debug information, the search for its dSYM or its separate debug file
  /// is included, without the paths at which nothing is.
  ///
  /// Cost: all directories are searched.
  package func findings(for image: ImageDescription) -> [SymbolFinding] {
    let match = symbolFile(for: image)
    var findings: [SymbolFinding] = []
    for place in locators.compactMap({ $0 as? any ImagePlace }) {
      findings += place.findings(for: image)
    }
    guard let match else { return findings.withoutRepetitions }
    let used = findings.firstIndex {
      $0.candidate == match.candidate && $0.outcome == .fits(by: match.basis)
    }
    if let used {
      findings[used].outcome = .used(by: match.basis)
    } else {
      // Every other place says what it has.
      findings.insert(
        SymbolFinding(match.objectFile, place: .server, outcome: .used(by: match.basis)), at: 0)
    }
    return (findings + companions(of: match)).withoutRepetitions
  }

  /// The separate debug file, and the index in the user's cache, of a file that is used.
  private func companions(of match: SymbolMatch) -> [SymbolFinding] {
    let file = AskingFile(match.objectFile)
    var findings: [SymbolFinding] = []
    for (request, place) in [
      (SymbolFileRequest.separateDebugFile(of: file), SymbolPlace.companion),
      (SymbolFileRequest(.index(directory: nil), for: file), .indexCache),
    ] {
      guard let request else { continue }
      let answer = locate(request)
      // A debug file is at its own place for debug files.
      findings += answer.files.filter { $0.path != match.objectFile.path }.map {
        SymbolFinding($0, place: place, outcome: .used(by: .identity))
      }
      findings += answer.refused
        .filter { $0.finding != .absent && $0.path != match.objectFile.path }
        .map { SymbolFinding($0, place: place) }
    }
    return findings
  }
}

extension GivenFiles: ImagePlace {
  func findings(for image: ImageDescription) -> [SymbolFinding] {
    var findings: [SymbolFinding] = []
    for given in files(for: image) where findings.count < OtherBuilds.limit {
      let named = given.objectFiles.filter { image.names.contains($0.imageName) }
      for file in given.objectFiles {
        let fits: SymbolMatch.Basis? =
          if let identity = image.identity {
            file.belongs(to: identity) ? .identity : nil
          } else {
            named.contains { $0.architecture == file.architecture && $0.path == file.path }
              && image.accepts(file.architecture) ? .name : nil
          }
        if let fits {
          findings.append(SymbolFinding(file, place: .given, outcome: .fits(by: fits)))
        } else if image.names.contains(file.imageName), image.accepts(file.architecture) {
          findings.append(SymbolFinding(file, place: .given, outcome: .otherBuild))
        }
      }
      if let first = named.first, !named.contains(where: { image.accepts($0.architecture) }),
        image.identity == nil
          || !given.objectFiles.contains(where: { $0.belongs(to: image.identity) })
      {
        findings.append(
          SymbolFinding(
            first, place: .given, outcome: .otherArchitectures(named.map(\.architecture))))
      }
    }
    return findings
      + emptyBundles(of: image).map {
        SymbolFinding(path: $0.path, place: .given, outcome: .emptyBundle)
      }
  }
}
