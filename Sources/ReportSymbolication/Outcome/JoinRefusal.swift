package import SymbolStore
import SymbolicationModel
import Wording

/// Why an image's frames were not looked up.
package enum JoinRefusal: Error, Hashable, Sendable {
  case noSymbolFile
  /// Files with its name are from other builds.
  case otherBuild
  /// A file with its name is in a directory, where only a UUID finds it.
  case onlyInDirectory(SymbolCandidate)
  case otherArchitecture(SymbolCandidate)
  case severalFiles([SymbolCandidate])
  /// The file may be the right one, but nothing says where the image was loaded.
  case noLoadAddress(path: String)
  /// The file does not have the functions that frames name, or has several of these names.
  case unknownFunctions(path: String)
  /// A frame is said to be farther from the start of its function than the function is long.
  case outsideFunction(path: String, function: String, offset: UInt64)
  /// The functions of the file are not at the addresses that frames have.
  case otherAddresses(path: String)
  /// The frames name no image.
  case noImageName
}

extension JoinRefusal {
  /// The name in the JSON schema (`docs/report.schema.json`).
  package var schemaName: String {
    switch self {
    case .noSymbolFile: "noSymbolFile"
    case .otherBuild: "otherBuild"
    case .onlyInDirectory: "onlyInDirectory"
    case .otherArchitecture: "otherArchitecture"
    case .severalFiles: "severalFiles"
    case .noLoadAddress: "noLoadAddress"
    case .unknownFunctions: "unknownFunctions"
    case .outsideFunction: "outsideFunction"
    case .otherAddresses: "otherAddresses"
    case .noImageName: "noImageName"
    }
  }

  /// Whether a file that was given was not used.
  var isAboutFile: Bool {
    switch self {
    case .noSymbolFile, .otherBuild, .noImageName: false
    default: true
    }
  }

  /// The files that were not used.
  var paths: [String] {
    switch self {
    case .onlyInDirectory(let file), .otherArchitecture(let file): [file.path]
    case .severalFiles(let files): files.map(\.path)
    case .noLoadAddress(let path), .unknownFunctions(let path), .otherAddresses(let path),
      .outsideFunction(let path, _, _):
      [path]
    case .noSymbolFile, .otherBuild, .noImageName: []
    }
  }

  /// Why, and what to do about it.
  ///
  /// - Parameter name: what the image is called.
  func text(name: String) -> String {
    let remedy = "give -l '\(name)=0xADDRESS', where it was loaded"
    return switch self {
    case .noSymbolFile: "the report has no UUID of it: give the symbol file itself with -d"
    case .otherBuild: "the symbol file is from a different build"
    case .onlyInDirectory(let file):
      "the report has no UUID of it, so no directory is searched: give -d \(file.path)"
    case .otherArchitecture(let file): "\(file.path) is for \(file.architecture.name)"
    case .severalFiles(let files):
      "more than one file could be it: \(files.map(\.shown).joined(separator: ", "))"
    case .noLoadAddress(let path): "\(path) may be its symbol file; \(remedy)"
    case .unknownFunctions(let path):
      "\(path) does not have the functions that the report names, or has them more than once; \(remedy)"
    case .outsideFunction(let path, let function, let offset):
      "\(path) is from a different build: \(function) + \(offset) is outside of the function"
    case .otherAddresses(let path):
      "\(path) is from a different build: its functions are not at these addresses"
    case .noImageName: "give the symbol file with -d, and -l IMAGE=0xADDRESS, where it was loaded"
    }
  }
}

extension SymbolicatedReport {
  /// Why frames were not looked up though a file may be the right one, or though the report does
  /// not say where their image was: a sentence for each image that is not the system's.
  package var joinRefusals: [String] {
    let unplaced = unplacedFrames.filter { !$0.belongsToSystem }.map { frames in
      frames.imageName.map { "\($0): \(frames.refusal.text(name: $0))" }
        ?? "\(counted(frames.frameCount, "frame")) without an image: \(frames.refusal.text(name: ""))"
    }
    let missing = missingImages.filter { !$0.image.belongsToSystem && $0.reason.isAboutFile }.map {
      "\($0.image.name): \($0.reason.text(name: $0.image.name))"
    }
    return (unplaced + missing).map(\.withoutControlCharacters).withoutRepetitions
  }
}

extension SymbolCandidate {
  fileprivate var shown: String {
    architecture.knownName.map { "\(path) (\($0))" } ?? path
  }
}

/// Frames of a trace whose place in an image is not known.
package struct UnplacedFrames: Hashable, Sendable {
  /// What they call their image; nil if they name none.
  package let imageName: String?
  package let refusal: JoinRefusal
  package let belongsToSystem: Bool
  /// How many of them have no function.
  package internal(set) var frameCount = 0
  /// How many have a function without a line.
  package internal(set) var namedCount = 0
}
