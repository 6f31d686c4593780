import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization
import SystemPackage

/// Directories in which the path of a symbol file may follow from the identity of its image:
/// folders of build-ids, LLDB's folders of UUIDs, symbol stores, Sentry's unified layout.
///
/// Any directory may have one of these layouts, and looking is cheap: about fifteen questions to
/// the system for each image and directory, before anything is searched.
final class LayoutDirectories: ImagePlace {
  let place: SymbolPlace
  private let roots: [String]
  private let layouts: [Layout]
  private let found = Mutex(DistinctValues<SymbolFileProblem>())

  /// A layout, and the folder below the root in which it begins.
  struct Layout: Sendable {
    let layout: SymbolLayout
    let folder: String?
  }

  /// The layouts that a directory may have which a user names.
  static let all =
    [Layout(layout: .native, folder: ".build-id")]
    + [SymbolLayout.native, .symstore, .ssqp, .index2, .unified].map {
      Layout(layout: $0, folder: nil)
    }

  /// The layout of the system's debug directories.
  static let buildIds = [Layout(layout: .native, folder: ".build-id")]

  init(_ roots: [String], layouts: [Layout], place: SymbolPlace) {
    self.roots = roots
    self.layouts = layouts
    self.place = place
  }

  /// What is wrong with files in the places of images: they are damaged, they cannot be read, or
  /// they belong to other images.
  /// Threads ask in any order, so they are sorted.
  var problems: [SymbolFileProblem] {
    found.withLock { $0.values }.sorted { $0.path < $1.path }
  }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, let identity = image.identity,
      // No package installs symbols of Apple's libraries.
      place != .systemDebugDirectory || !image.isOfAppleSystem
    else { return SymbolFileAnswer() }
    var answer = SymbolFileAnswer()
    var known = known
    for root in roots {
      for layout in layouts {
        for path in layout.paths(for: image, root: root) where known.insert(path).inserted {
          look(at: path, for: identity, &answer)
        }
        // The program of a debug file lies in the same layout.
        if request.isSatisfied(by: answer.files) { return answer }
      }
    }
    return answer
  }

  private func look(at path: String, for identity: ImageIdentity, _ answer: inout SymbolFileAnswer)
  {
    do throws(SymbolFileProblem) {
      guard let file = try open(path, for: identity) else { return }
      answer.files.append(file)
    } catch {
      let finding: DebugFileSearch.Finding =
        if case .otherImage(let found, let expected) = error.kind {
          .otherIdentity(found: found, expected: expected)
        } else {
          .unreadable(error.kind)
        }
      answer.refused.append(DebugFileSearch.Attempt(path: path, finding: finding))
      _ = found.withLock { $0.insert(error) }
    }
  }

  /// The slice of that identity; nil if no symbol file is at `path`. Throws `otherImage` if the
  /// file there has none of that identity.
  private func open(
    _ path: String, for identity: ImageIdentity
  ) throws(SymbolFileProblem) -> ObjectFile? {
    do throws(FileSystemError) {
      guard try FileStatus(path: path).kind == .regularFile else { return nil }
    } catch {
      // Names of images come from reports and may be longer than the system allows.
      guard !error.isAbsence, error.errno != .fileNameTooLong else { return nil }
      throw SymbolFileProblem(error)
    }
    let container: ObjectContainer
    do throws(ObjectFileError) {
      container = try ObjectContainer.open(regularFileAt: path)
    } catch {
      if case .unrecognized = error.reason { return nil }
      throw SymbolFileProblem(error)
    }
    guard let slice = container.objectFile(identity: identity) else {
      throw SymbolFileProblem(
        path: path,
        kind: .otherImage(found: container.objectFiles.first?.identity, expected: identity))
    }
    return slice
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    let answer = locate(.image(image), skipping: [])
    return answer.files.map {
      SymbolFinding($0, place: place, outcome: .fits(by: .identity))
    } + answer.refused.map { SymbolFinding($0, place: place) }
  }
}

extension LayoutDirectories.Layout {
  func paths(for image: ImageDescription, root: String) -> [String] {
    // `.build-id` is the home of build-ids alone.
    let files =
      folder == nil
      ? layout.files(for: image) : image.identity.map(SymbolLayout.buildIdFiles) ?? []
    let folder = folder.map { root.appendingPath($0) } ?? root
    return files.map { folder.appendingPath($0.path) }
  }
}
