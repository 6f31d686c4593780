import BinaryInput

/// The two names of a function.
package struct FunctionNames: Hashable, Sendable {
  /// `DW_AT_linkage_name`, or `DW_AT_MIPS_linkage_name` as Xcode 8 wrote it.
  package var linkageName: String?
  /// `DW_AT_name`.
  package var name: String?

  package init() {}

  /// Whether the function has a plain name alone, in a language whose symbols are mangled: then its
  /// symbol tells more.
  ///
  /// - Parameter language: the unit's `DW_AT_language`. A unit that does not tell it is taken for one of
  ///   C: compilers of others tell.
  package func mayHaveMangledSymbol(inLanguage language: UInt64?) -> Bool {
    guard let language, let name, linkageName == nil, DwarfLanguage.hasMethods(language),
      // The names of its methods are their symbols.
      language != DwarfLanguage.objectiveC
    else { return false }
    // Every report has it, and nobody mangles it. (In Swift it has a linkage name.)
    return name != "main" || language == DwarfLanguage.swift
  }
}

extension DwarfUnit {
  /// Real chains of references have up to three links.
  private static var referenceLimit: Int { 64 }

  /// The names of the function at `offset` of the unit's file: its own, else those of the entry it is
  /// an instance of (`DW_AT_abstract_origin`) or completes (`DW_AT_specification`), in whatever unit or
  /// file that stands. What was found until a fault is in `content`.
  func names(at offset: UInt64) -> WalkResult<FunctionNames> {
    var result = WalkResult(content: FunctionNames(), fault: nil)
    do throws(DwarfReadError) {
      guard let unit = holdsDie(at: offset) ? self : try file.unit(containing: offset) else {
        return result
      }
      var place: (unit: DwarfUnit, offset: UInt64) = (unit, offset)
      for _ in 0..<Self.referenceLimit {
        guard
          let next = try place.unit.readNames(at: place.offset, into: &result)
        else { return result }
        place = next
      }
      result.fault = .endlessReferences(offset: offset)
    } catch {
      result.fault = error
    }
    return result
  }

  /// Takes the names of one entry that are still missing, and returns the entry to go on with; nil
  /// where all are there, or it refers to none. A name or a reference that leads nowhere is a fault,
  /// and does not end the search for the other name.
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
    for place in abbreviations.abbreviations[index].attributes {
      let attribute = abbreviations.attributes[Int(place)]
      let value = DwarfValue(attribute.form, &cursor, in: format, implicit: attribute.implicit)
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
    // Types are not looked for by their signature.
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

  /// Whether `value` leads into the file that several files share, and that is not found.
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
  /// The entry at `offset` cannot be understood; of several the first counts.
  fileprivate mutating func markFault(at offset: UInt64) {
    if fault == nil { fault = .malformed(section: .info, offset: offset) }
  }
}
