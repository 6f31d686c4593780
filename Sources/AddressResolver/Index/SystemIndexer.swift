import ObjectFiles
import SymbolIndex
package import SymbolStore
import SymbolicationModel

/// Makes the index of a library of a system: names, without lines.
package struct SystemIndexer: Sendable {
  private let names: SystemNames

  /// Makes the folder of the indexes.
  package init(_ names: SystemNames) throws(ImageIndexer.Failure) {
    self.names = names
    do throws(IndexWriteError) {
      try names.prepare()
    } catch {
      throw ImageIndexer.Failure(error)
    }
  }

  /// Makes the index, unless there is one that was made from the file as it is now. It may be
  /// called from several threads.
  ///
  /// Throws `noFunctions` for a library without names.
  package func index(
    _ library: SystemLibraries.Library
  ) throws(ImageIndexer.Failure) -> ImageIndexer.Outcome {
    guard let identity = library.identity else { throw .noIdentity }
    let (file, source) = try open(library)
    if let path = names.upToDate(identity, source: source) {
      return ImageIndexer.Outcome(path: path, isNew: false, problems: [])
    }
    let found: SharedCacheImage.Names
    do throws(ObjectFileError) {
      found = try file.allNames()
    } catch {
      throw .symbolFile(SymbolFileProblem(error))
    }
    let problems = found.faults.map { SymbolFileProblem($0) }.withoutRepetitions
    guard found.table.count > 0 else { throw .noFunctions(problems) }
    let pieces: [[UInt8]]
    do throws(GsymLimitError) {
      var writer = try GsymWriter(uuid: identity.bytes)
      writer.add(IndexBuilder.symbolUnit(of: found.table, in: file, around: []))
      let layout = try writer.layout()
      pieces = try layout.assemble((0..<layout.partCount).map { layout.encodePart($0) })
    } catch {
      throw ImageIndexer.Failure(error)
    }
    do throws(IndexWriteError) {
      let path = try names.store(pieces, for: file, source: source)
      return ImageIndexer.Outcome(path: path, isNew: true, problems: problems)
    } catch {
      throw ImageIndexer.Failure(error)
    }
  }

  private func open(
    _ library: SystemLibraries.Library
  ) throws(ImageIndexer.Failure) -> (ObjectFile, SourceStamp) {
    do throws(SymbolFileProblem) {
      if let file = try library.open() { return (file, try file.systemSource()) }
    } catch {
      throw .symbolFile(error)
    }
    throw .changedMeanwhile
  }
}

extension ObjectFile {
  /// What its names are made from. All files of a shared cache count.
  fileprivate func systemSource() throws(SymbolFileProblem) -> SourceStamp {
    let stamp = try SourceStamp(ofFileAt: path)
    guard let cache = sharedCacheImage?.cache else { return stamp }
    return SourceStamp(
      size: cache.size, modificationSeconds: stamp.modificationSeconds,
      modificationNanoseconds: stamp.modificationNanoseconds, path: path)
  }
}
