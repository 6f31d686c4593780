import FileSystem
import LearntNames
import SymbolStore
import SymbolicationModel
import SystemPackage
package import Wording

/// Learns the names of system functions from reports, and adds them to what was learnt before.
///
/// One process at a time does that for a folder.
package struct LearningRun {
  private let folder: LearntFolder
  private let lock: FileLock?
  private var images: [ImageIdentity: LearntImage] = [:]
  /// In the order in which they were first met.
  private var order: [ImageIdentity] = []
  private var reportCount = 0
  private var newReportCount = 0
  /// What is wrong with files of earlier runs, a sentence each.
  package private(set) var problems: [String] = []

  /// Why nothing can be learnt, or not be kept: a sentence, and what it means for the exit status.
  package struct Failure: Error {
    package let message: String
    package let kind: IndexRun.FailureKind

    fileprivate init(_ error: IndexWriteError) {
      switch error {
      case .noIdentity: (message, kind) = ("an image has no UUID", .nothingUsable)
      case .exposedCache(let path, let exposure):
        (message, kind) = ("cannot create indexes in \(path): \(exposure.reason)", .cannotCreate)
      case .cannotCreate(let path, let errno):
        (message, kind) = ("cannot create \(path): \(Errno(rawValue: errno))", .cannotCreate)
      case .cannotWrite(let path, let errno):
        (message, kind) = ("cannot write \(path): \(Errno(rawValue: errno))", .cannotWrite)
      }
    }

    fileprivate init(message: String, _ kind: IndexRun.FailureKind) {
      (self.message, self.kind) = (message, kind)
    }
  }

  /// - Parameter directory: a directory of indexes; nil for the user's cache.
  package init(directory: String?) throws(Failure) {
    do throws(NoCacheDirectory) {
      folder = LearntFolder(in: try IndexCleaning.cache(at: directory, limit: nil))
    } catch {
      throw Failure(message: error.message, .cannotCreate)
    }
    do throws(IndexWriteError) {
      lock = try folder.prepare()
    } catch {
      throw Failure(error)
    }
  }

  package mutating func add(_ lesson: Lesson) {
    for report in lesson.reports {
      reportCount += 1
      var isNew = false
      for (identity, lesson) in report.images {
        // The image is changed in place.
        var image = images.removeValue(forKey: identity) ?? known(identity, lesson)
        if image.add(lesson.observations, incident: report.incident) { isNew = true }
        images[identity] = image
      }
      if isNew { newReportCount += 1 }
    }
  }

  private mutating func known(
    _ identity: ImageIdentity, _ lesson: Lesson.Image
  ) -> LearntImage {
    order.append(identity)
    var image: LearntImage?
    do throws(SymbolFileProblem) {
      image = try folder.image(for: identity)
    } catch {
      problems.append(error.message.withoutControlCharacters)
    }
    var known =
      image
      ?? LearntImage(
        identity: identity, architecture: lesson.architecture, name: lesson.name)
    if known.name.isEmpty { known.name = lesson.name }
    if known.architecture.isEmpty { known.architecture = lesson.architecture }
    return known
  }

  /// Writes what is new.
  ///
  /// - Parameter written: gets the path of each file. If it returns false, the others are not
  ///   written.
  package func finish(_ written: (String) -> Bool) throws(Failure) -> [Message] {
    for identity in order {
      guard let image = images[identity], image.isChanged else { continue }
      let path: String?
      do throws(IndexWriteError) {
        path = try folder.store(image)
      } catch {
        throw Failure(error)
      }
      if let path, !written(path) { break }
    }
    let functions = images.values.reduce(0) { $0 + $1.functions.count }
    let conflicts = images.values.reduce(0) { $0 + $1.conflictCount }
    withExtendedLifetime(lock) {}
    let known = reportCount - newReportCount
    let hint =
      reportCount == 0
      ? [
        Message.note(
          "names are learnt only from .ips reports in which frames of the system have names, not from reports as text"
        )
      ] : []
    return hint + [
      .plain(
        "\(counted(functions, "function")) of \(counted(images.count, "system image")) learnt from \(counted(newReportCount, "report"))"
          + (known > 0 ? "; \(known) more \(known == 1 ? "was" : "were") known" : "")
          + (conflicts > 0
            ? "; \(counted(conflicts, "function")) with several names: the most frequent one counts"
            : ""))
    ]
  }
}
