import CrashLogParser
package import SymbolStore
package import SymbolicationModel

/// The result of symbolicating an input: everything that is reported besides the report itself.
package struct SymbolicationOutcome: Sendable {
  /// The frames that the options ask for.
  package var counts = FrameCounts()
  /// All frames of the reports.
  var statedFrameCount = 0
  /// Frames whose image is unknown.
  package internal(set) var framesWithoutImage = 0
  /// Whether a report lists images.
  var hasImageList = false
  /// Whether a report with such frames lists no images, as Swift's runtime can be told to do.
  package internal(set) var lacksImageList = false
  /// The offsets in the input at which the JSON of a report breaks off, because it was cut or is
  /// damaged.
  package internal(set) var breakOffsets: [Int] = []
  /// The limits that an input exceeds, so that a part of it was left out.
  package internal(set) var exceededLimits: [ResourceLimit] = []
  /// How many frames got a short answer, because of `ResourceLimits.answerSize`.
  package internal(set) var shortenedCount = 0
  /// What the answers were allowed to take, in bytes.
  package internal(set) var answerSize: UInt64 = 0
  /// Those limits.
  var limits = ResourceLimits()
  /// The parts of the reports that cannot be read.
  package internal(set) var damage: ReportDamage?
  /// Frames that were cut because their lines were broken at a column.
  package internal(set) var broken: BrokenReport?
  /// Threads that were asked for by number and are in no report of the input, ascending.
  package internal(set) var absentThreads: [Int] = []
  /// Processes that were asked for and that no report of the input is about, ascending.
  package internal(set) var absentProcesses: [String] = []
  /// If there are any, the processes of the reports, in the order of the input.
  var presentProcesses: [ReportFacts.ProcessReference] = []
  /// Images with frames to resolve but without a symbol file, in the order of the report.
  package internal(set) var missingImages: [MissingImage] = []
  /// Frames of traces that are in no image.
  package internal(set) var unplacedFrames: [UnplacedFrames] = []
  /// Images whose symbol file has no name for some frames' addresses.
  package internal(set) var silentFiles: [SilentFile] = []
  /// Images with frames that contradict themselves.
  package internal(set) var contradictedImages: [ContradictedImage] = []
  /// Images whose file was matched only by name.
  package internal(set) var nameMatches: [NameMatch] = []
  /// Files that the user named and that belong to no image of the input.
  package internal(set) var unfitFiles: [UnfitFile] = []
  /// What is wrong with symbol files that the user named or that were used.
  package internal(set) var symbolFileProblems: [SymbolFileProblem] = []
  /// What is wrong with files that were found in directories.
  package internal(set) var searchProblems: [SymbolFileProblem] = []
  /// What is wrong with servers and with what they delivered.
  package internal(set) var serverProblems: [ServerProblem] = []
  var usedFiles: Set<String> = []

  /// Whether every frame has a name now. Of frames that were left out that is not known.
  package var isComplete: Bool { counts.unresolved == 0 && exceededLimits.isEmpty }

  /// Whether every frame has a name, other than those in libraries of the operating system, for
  /// which no one has symbols.
  package var isCompleteOutsideSystem: Bool {
    counts.isCompleteOutsideSystem && exceededLimits.isEmpty
  }

  /// Whether an image that is not the operating system's has no symbol file.
  package var missesSymbols: Bool { missingImages.contains { !$0.image.belongsToSystem } }

  /// Notes which of `processes` no report is about.
  mutating func noteAbsentProcesses(
    _ processes: Set<String>, among present: [ReportFacts.Process]
  ) {
    var absent = processes
    for process in present {
      if let name = process.name { absent.remove(name) }
      if let identifier = process.identifier { absent.remove(String(identifier)) }
    }
    guard !absent.isEmpty else { return }
    absentProcesses = absent.sorted()
    presentProcesses = present.map {
      ReportFacts.ProcessReference(name: $0.name, identifier: $0.identifier)
    }
  }

  /// Finds the files that the user named and that belong to no image of the reports.
  mutating func compare(_ givenFiles: [GivenSymbolFile], with reports: [Report]) {
    // Reading the identities of all images takes longer than everything else here.
    guard !givenFiles.isEmpty else { return }
    let identities = Set(reports.flatMap { $0.images.compactMap(\.identity) })
    // A message says already why these were not used.
    let refused = Set(
      missingImages.flatMap(\.reason.paths) + unplacedFrames.flatMap(\.refusal.paths))
    for file in givenFiles {
      let fits = file.candidates.contains { candidate in
        usedFiles.contains(candidate.path) || refused.contains(candidate.path)
          || candidate.identity.map { identities.contains($0) } == true
      }
      guard !fits else { continue }
      let names = Set(file.candidates.map(\.name))
      let image = missingImages.map(\.image).first { !$0.description.names.isDisjoint(with: names) }
      guard image != nil || !reports.contains(where: { $0.hasNamed(names) }) else { continue }
      unfitFiles.append(
        UnfitFile(path: file.path, candidates: file.candidates, imageOfSameName: image))
    }
  }
}

/// An image for which no symbol file was found.
package struct MissingImage: Hashable, Sendable {
  package let image: ReportImage
  /// How many frames stayed without a name for it.
  package internal(set) var frameCount: Int
  /// Files of that name, and of another build, that were found in the directories searched.
  package let sameNameFiles: [SymbolCandidate]
  private let refusal: JoinRefusal

  init(
    image: ReportImage, frameCount: Int, sameNameFiles: [SymbolCandidate],
    refusal: JoinRefusal = .noSymbolFile
  ) {
    self.image = image
    self.frameCount = frameCount
    self.sameNameFiles = sameNameFiles
    self.refusal = refusal
  }

  /// Why there is none.
  package var reason: JoinRefusal { sameNameFiles.isEmpty ? refusal : .otherBuild }
}

/// A symbol file that matches its image but has no name for some of the addresses.
package struct SilentFile: Hashable, Sendable {
  package let image: ReportImage
  package let path: String
  /// One for each frame, ascending.
  package let addresses: [LoadAddress]
  /// What to give instead, if the file is a program or library without debug information.
  var remedy: Remedy?

  enum Remedy: Hashable, Sendable {
    case dsym, debugFile
  }
}

/// A symbol file that was matched to an image only by its name.
package struct NameMatch: Hashable, Sendable {
  package let image: ReportImage
  package let path: String
}

/// A symbol file, given by name, that matches no image of the report.
package struct UnfitFile: Hashable, Sendable {
  /// As given.
  package let path: String
  package let candidates: [SymbolCandidate]
  /// An image of the same name that stayed without symbols: the file is most likely another build
  /// of it.
  package let imageOfSameName: ReportImage?
}

extension Report {
  /// Whether it is a stack trace that may have been completed with a file of one of these names
  /// before, which is joined by its name: the image has that name, and no UUID. If only frames name
  /// images, the name of a function may have taken the place of the distance in the image.
  fileprivate func hasNamed(_ names: Set<String>) -> Bool {
    if images.contains(where: { $0.identity == nil && $0.name.map(names.contains) ?? false }) {
      return true
    }
    guard format.has(.listsNoImages) else { return false }
    return backtraces.contains { backtrace in
      backtrace.frames.contains { frame in
        frame.symbol != nil && frame.values?.imageName.map { names.contains($0) } ?? true
      }
    }
  }

  /// The limits that it exceeds, so that a part of it was left out.
  package var exceededLimits: [ResourceLimit] { faults.compactMap(\.kind.exceededLimit) }

  /// Where its JSON breaks off, if it does.
  var breakOffsets: [Int] {
    guard json != nil else { return [] }
    return faults.filter { $0.kind == .damagedJson }.map(\.byteRange.lowerBound)
  }
}

extension ParseFault.Kind {
  /// The limit that left out a part of the report; nil for damage.
  package var exceededLimit: ResourceLimit? {
    switch self {
    case .tooManyThreads: .threads
    case .tooManyFrames: .frames
    case .tooManyImages: .images
    default: nil
    }
  }
}
