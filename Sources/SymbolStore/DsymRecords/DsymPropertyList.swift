import BinaryInput
import FileSystem
import ObjectFiles
package import PropertyLists
package import SymbolicationModel
import SystemPackage

/// What a dSYM records about one of its images beside the DWARF: `Contents/Resources/UUID.plist`,
/// which `dsymForUUID` and Apple's symbol servers write.
package struct DsymPropertyList: Hashable, Sendable {
  package let path: String
  package let content: PropertyList

  package init(path: String, content: PropertyList) {
    self.path = path
    self.content = content
  }

  /// The property list for a DWARF file; nil if the file is not in a dSYM, or the dSYM has none.
  /// Throws `unusablePropertyList` if it cannot be read.
  package static func read(for file: AskingFile) throws(SymbolFileProblem) -> DsymPropertyList? {
    guard file.objectFile.format == .machO, let identity = file.objectFile.identity else {
      return nil
    }
    for resources in file.resourceFolders {
      let path = resources.appendingPath("\(identity).plist")
      do {
        let content = try PropertyList(contentsOfFile: path)
        return DsymPropertyList(path: path, content: content)
      } catch {
        switch error {
        case .inaccessible(let access):
          guard access.errno != .noSuchFileOrDirectory, access.errno != .notDirectory else {
            continue
          }
          throw SymbolFileProblem(
            path: path,
            kind: .unusablePropertyList(.inaccessible(errno: access.errno.rawValue)))
        case .malformed(_, let fault):
          throw SymbolFileProblem(
            path: path, kind: .unusablePropertyList(.damaged(offset: fault.offset)))
        }
      }
    }
    return nil
  }

  /// `DBGOriginalUUID`: the UUID that the image had before Apple compiled its bitcode again, by
  /// which its symbol map is known.
  package var originalIdentity: ImageIdentity? {
    content["DBGOriginalUUID"]?.string.flatMap { WrittenIdentity($0)?.identity }
  }

  /// Where the sources are now, in the order in which the mappings are tried.
  ///
  /// 1. `DBGSourcePathRemapping`, if `DBGVersion` is 2 or more: the longest path of the build
  ///    first.
  /// 2. With version 2, the same mappings without the last two components of both sides. A mapping
  ///    that becomes just the root is dropped.
  /// 3. The pair of `DBGBuildSourcePath` and `DBGSourcePath`.
  ///
  /// Of more than 256, the last are left out.
  ///
  /// LLDB's `SymbolVendorMacOSX` is the reference. It tries the dictionary in no certain order.
  package var sourceMappings: [RecordedSourceMapping] {
    var mappings: [RecordedSourceMapping] = []
    if let version, version >= 2 {
      let written = (content["DBGSourcePathRemapping"]?.dictionary ?? [:])
        .compactMap { old, new in RecordedSourceMapping(old: old, new: new.string ?? "") }
        .sorted()
      mappings = written
      if version == 2 {
        mappings += written.compactMap { mapping in
          guard let old = mapping.old.withoutLastTwoComponents,
            let new = mapping.new.withoutLastTwoComponents
          else { return nil }
          return RecordedSourceMapping(old: old, new: new)
        }
      }
    }
    if let old = content["DBGBuildSourcePath"]?.string, let new = content["DBGSourcePath"]?.string,
      let pair = RecordedSourceMapping(old: old, new: new)
    {
      mappings.append(pair)
    }
    return Array(mappings.withoutRepetitions.prefix(Self.mappingLimit))
  }

  /// Every mapping may be tried for every file.
  private static let mappingLimit = 256

  /// `DBGVersion`: a number, or a text that begins with one.
  private var version: Int? {
    if let number = content["DBGVersion"]?.integer { return Int(exactly: number) }
    let digits = content["DBGVersion"]?.string?.utf8.prefix { $0.isDecimalDigit }
    return digits.flatMap { Int(Substring($0)) }
  }
}

/// A folder of source files: where it was when the image was built, and where it is now.
package struct RecordedSourceMapping: Hashable, Sendable, Comparable {
  package let old: String
  package let new: String

  /// Nil if one of them is empty.
  init?(old: String, new: String) {
    guard !old.isEmpty, !new.isEmpty else { return nil }
    self.old = old
    self.new = new
  }

  /// The longest old path first.
  package static func < (first: Self, second: Self) -> Bool {
    (second.old.utf8.count, first.old, first.new) < (first.old.utf8.count, second.old, second.new)
  }
}

extension String {
  /// Nil if nothing or only the root is left.
  fileprivate var withoutLastTwoComponents: String? {
    let rest = split(separator: "/").dropLast(2).joined(separator: "/")
    return rest.isEmpty ? nil : (isAbsolutePath ? "/" : "") + rest
  }
}
