import FileSystem
import ReportSymbolication
import SymbolStore
import SymbolicationModel

/// The files that might be those of an image, as the store finds them, with the builds that they
/// come from. This is the one place where a diagnosis asks for candidates.
struct DiagnosisCandidates {
  private let store: SymbolStore
  private var origins: BuildOrigins
  private var knownOrigins: [String: BuildOrigin?] = [:]
  /// The first problem with a file or dSYM of each name. Made when it is first needed.
  private var problemsByName: [String: (order: Int, problem: SymbolFileProblem)]?

  init(_ store: SymbolStore) {
    self.store = store
    origins = BuildOrigins(limits: store.limits)
  }

  /// Of so many candidates the builds are looked up.
  private static let originLimit = 50

  /// The place of the file that is used for the image.
  func place(of image: ReportImage) -> SymbolPlace? {
    store.findings(for: image.description).first {
      if case .used = $0.outcome { true } else { false }
    }?.place
  }

  /// Images of one name have the same candidates.
  mutating func origin(ofFileAt path: String) -> BuildOrigin? {
    if let known = knownOrigins[path] { return known }
    let origin = origins.origin(ofFileAt: path)
    knownOrigins[path] = .some(origin)
    return origin
  }

  /// Why the xcframework has no dSYM in which the file at `path`, or another copy of the image,
  /// lies; nil if there is none.
  mutating func xcframeworkGap(ofFileAt path: String, for image: ReportImage) -> XcframeworkGap? {
    let copies = store.findings(for: image.description).filter { finding in
      if case .fits = finding.outcome { true } else { false }
    }
    for path in [path] + copies.map(\.path) {
      if let gap = origins.xcframeworkGap(ofFileAt: path) { return gap }
    }
    return nil
  }

  /// Why no file is the image's own.
  mutating func cause(for image: ReportImage) -> ImageDiagnosis.Cause {
    let findings = store.findings(for: image.description)
    let others = findings.filter { $0.outcome == .otherBuild }.withoutRepeatedIdentities
    if image.identity != nil, !others.isEmpty {
      var candidates: [DiagnosedCandidate] = []
      for (index, finding) in others.prefix(ImageDiagnosis.candidateLimit).enumerated() {
        guard let candidate = finding.candidate else { continue }
        candidates.append(
          DiagnosedCandidate(
            candidate: candidate, place: finding.place,
            origin: index < Self.originLimit ? origin(ofFileAt: finding.path) : nil))
      }
      return .otherBuilds(candidates)
    }
    for finding in findings {
      switch finding.outcome {
      case .otherArchitectures(let found) where image.identity != nil:
        return .otherSlices(path: finding.path, found: found.withoutRepetitions)
      case .emptyBundle: return .emptyDsym(path: finding.path)
      default: continue
      }
    }
    if let problem = problem(namedLike: image) {
      return problem.kind == .empty || problem.kind == .emptyBundle
        ? .emptyDsym(path: problem.path) : .unreadable(problem)
    }
    for finding in findings {
      if case .refused(let reason) = finding.outcome {
        return .refused(path: finding.path, reason)
      }
    }
    if image.belongsToSystem { return .systemLibrary(image.system) }
    return image.identity == nil ? .unknownIdentity : .noCandidate
  }

  /// What is wrong with a file or dSYM of the image's name.
  private mutating func problem(namedLike image: ReportImage) -> SymbolFileProblem? {
    let problems = problemsByName ?? namedProblems()
    problemsByName = problems
    return image.description.names.compactMap { problems[$0] }.min { $0.order < $1.order }?.problem
  }

  private func namedProblems() -> [String: (order: Int, problem: SymbolFileProblem)] {
    var first: [String: (order: Int, problem: SymbolFileProblem)] = [:]
    for (order, problem) in (store.problems + store.searchProblems).enumerated()
    where problem.isAboutContent {
      let name = problem.path.lastPathComponent
      for name in [name] + (BundleName.isDsym(name) ? [BundleName.binaryName(ofBundle: name)] : [])
      where first[name] == nil {
        first[name] = (order, problem)
      }
    }
    return first
  }
}

extension SymbolFileProblem {
  /// Whether the file is damaged or empty, or cannot be read: not that it is another one.
  fileprivate var isAboutContent: Bool {
    switch kind {
    case .otherImage, .ambiguousIdentity, .noSymbolFiles, .notASymbolFile: false
    default: severity == .unusable || kind == .empty || kind == .emptyBundle
    }
  }
}

extension [SymbolFinding] {
  /// A program and its dSYM are one candidate: the dSYM, if it is there.
  fileprivate var withoutRepeatedIdentities: [SymbolFinding] {
    var known: Set<ImageIdentity> = []
    return (filter { $0.hasDebugInfo == true } + filter { $0.hasDebugInfo != true }).filter {
      $0.candidate?.identity.map { known.insert($0).inserted } ?? true
    }
  }
}
