import BinaryInput

/// The names of a function.
package struct FunctionNames: Hashable, Sendable {
  /// `DW_AT_linkage_name`, or `DW_AT_MIPS_linkage_name` as Xcode 8 wrote it.
  package var linkageName: String?
  /// `DW_AT_name`.
  package var name: String?

  /// No names yet.
  package init() {}

  /// Whether the function has only a plain name although its language mangles symbols. The symbol
  /// then has a better name.
  ///
  /// - Parameter language: `DW_AT_language` of the unit. A unit without it is assumed to be in C,
  ///   because compilers of other languages always write it.
  package func mayHaveMangledSymbol(inLanguage language: UInt64?) -> Bool {
    guard let language, let name, linkageName == nil, DwarfLanguage.hasMethods(language),
      // In Objective-C, the name of a method is its symbol.
      language != DwarfLanguage.objectiveC
    else { return false }
    // `main` occurs in every report and is never mangled. (In Swift, it has a linkage name.)
    return name != "main" || language == DwarfLanguage.swift
  }
}

extension DwarfUnit {
  /// Real chains of references have at most three links.
  private static var referenceLimit: Int { 64 }

  /// The names of the function whose DIE is at `offset` of the unit's file. A name that it lacks is
  /// that of the DIE it is an instance of (`DW_AT_abstract_origin`) or completes
  /// (`DW_AT_specification`), in any unit or file. If there is a fault, `content` holds the names
  /// found before it.
  func names(at offset: UInt64) -> WalkResult<FunctionNames> {
    var result = WalkResult(content: FunctionNames(), fault: nil)
    do throws(DwarfReadError) {
      guard let unit = holdsDie(at: offset) ? self : try file.unit(containing: offset) else {
        return result
      }
      var die: (unit: DwarfUnit, offset: UInt64) = (unit, offset)
      for _ in 0..<Self.referenceLimit {
        guard let next = try die.unit.readNames(at: die.offset, into: &result) else {
          return result
        }
        die = next
      }
      result.fault = .endlessReferences(offset: offset)
    } catch {
      result.fault = error
    }
    return result
  }

  /// Reads the missing names from the DIE at `offset`, and returns the DIE that it refers to; nil
  /// if no name is missing any more, or it refers to none. A name or reference that cannot be
  /// followed is a fault, but does not end the search for the other name.
  private func readNames(
    at offset: UInt64, into names: inout WalkResult<FunctionNames>
  ) throws(DwarfReadError) -> (unit: DwarfUnit, offset: UInt64)? {
    guard file.limits.dies.permitsMore else { throw .decodingLimit(section: .info) }
    let abbreviations = try abbreviations()
    var cursor = dieCursor(at: offset)
    let start = cursor.position
    defer { file.limits.dies.add(cursor.position - start) }
    let code = cursor.readUleb128()
    guard holdsDie(at: offset), let index = abbreviations.index(of: code) else {
      throw .malformed(section: .info, offset: offset)
    }
    var linkageName = DwarfValue.absent
    var name = DwarfValue.absent
    var origin = DwarfValue.absent
    var specification = DwarfValue.absent
    for attributeIndex in abbreviations.abbreviations[index].attributes {
      let attribute = abbreviations.attributes[Int(attributeIndex)]
      // Names and references are never implicit constants.
      let value = DwarfValue(attribute.form, &cursor, in: format)
      switch attribute.name {
      case DwarfAttribute.linkageName: linkageName = value
      case DwarfAttribute.mipsLinkageName where !linkageName.isPresent: linkageName = value
      case DwarfAttribute.name: name = value
      case DwarfAttribute.abstractOrigin: origin = value
      case DwarfAttribute.specification: specification = value
      default: break
      }
    }
    guard !cursor.hasFailed else { throw .malformed(section: .info, offset: offset) }
    guard file.limits.texts.permitsMore else { throw .decodingLimit(section: .strings) }
    take(linkageName, \.linkageName, at: offset, into: &names)
    take(name, \.name, at: offset, into: &names)
    if names.content.linkageName != nil, names.content.name != nil { return nil }
    let next = origin.isPresent ? origin : specification
    guard next.isPresent else { return nil }
    if let target = try reference(next) { return target }
    // Types are not looked up by signature.
    if next.form != DwarfForm.refSig8, try !isElsewhere(next) { names.markFault(at: offset) }
    return nil
  }

  private func take(
    _ value: DwarfValue, _ name: WritableKeyPath<FunctionNames, String?>, at offset: UInt64,
    into names: inout WalkResult<FunctionNames>
  ) {
    guard names.content[keyPath: name] == nil, value.isPresent else { return }
    names.content[keyPath: name] = string(value)
    if names.content[keyPath: name] == nil, (try? isElsewhere(value)) != true {
      names.markFault(at: offset)
    }
  }

  /// Whether `value` refers to the supplementary file, and that was not found.
  private func isElsewhere(_ value: DwarfValue) throws(DwarfReadError) -> Bool {
    switch value.form {
    case DwarfForm.gnuStrpAlt, DwarfForm.strpSup, DwarfForm.gnuRefAlt, DwarfForm.refSup4,
      DwarfForm.refSup8:
      return try file.supplementary() == nil
    default: return false
    }
  }
}

extension WalkResult {
  /// Records that the DIE at `offset` is malformed, unless there is a fault already.
  fileprivate mutating func markFault(at offset: UInt64) {
    if fault == nil { fault = .malformed(section: .info, offset: offset) }
  }
}
