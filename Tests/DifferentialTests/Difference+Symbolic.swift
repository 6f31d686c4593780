extension Difference {
  /// The class of the difference between our answer and symbolic's; nil if none explains it.
  static func between(
    _ written: Answer, symbolic: Answer, llvm: Answer, _ evidence: Evidence
  ) -> Difference? {
    let own = written.inTermsOfSymbolic
    let undoubled = symbolic.withoutRepeatedDirectories(as: own)
    if undoubled != symbolic {
      return Comparison.agree(own, undoubled)
        ? .symbolicRepeatsDirectory
        : between(written, symbolic: undoubled, llvm: llvm, evidence)
    }
    // It agrees with llvm, and differs from us for the same reason.
    if Comparison.agree(symbolic, llvm.inTermsOfSymbolic) {
      return between(written, llvm: llvm, evidence)
    }
    // It interprets the symbol table in the same ways as llvm, perhaps at other addresses.
    let difference = between(own, llvm: symbolic, evidence)
    switch difference {
    case .symbolPastItsSection, .anotherSymbolAtThatAddress, .symbolPastFunctionStart, .symbolStub,
      .exportTrie, .miniDebugInfo:
      return difference
    default: break
    }
    guard let ours = own.frames.last else { return nil }

    // The remaining differences are specific to symbolic.
    guard
      Comparison.agree(own, llvm.inTermsOfSymbolic) || between(written, llvm: llvm, evidence) != nil
    else { return nil }
    guard let theirs = symbolic.frames.last else { return .symbolicKnowsNothing }
    if symbolic.onlyFrame?.isOfSymbol == true, let start = theirs.start,
      !evidence.isOneSection(start, evidence.address)
    {
      return .symbolPastItsSection
    }
    let outerFrames = zip(own.frames.suffix(symbolic.frames.count), symbolic.frames)
    let agreeOnLocations = outerFrames.allSatisfy { Comparison.agreeOnLocation($0, $1) }
    guard theirs.isNamed(as: ours, evidence.names.symbolNames) else {
      // The other part may be in code that has another function's name.
      return agreeOnLocations && symbolic.frames.count == own.frames.count
        && evidence.names.symbolNames.values.contains { $0.contains(theirs.function) }
        ? .symbolicNamesAnotherPart : nil
    }
    if agreeOnLocations {
      if symbolic.frames.count < own.frames.count { return .symbolicLosesInlinedFrames }
      return theirs.function.hasPrefix(ours.function + ".")
        ? .symbolicNamesAnotherPart : .nameFromSymbolTable
    }
    if let theirs = symbolic.onlyFrame, own.onlyFrame != nil, theirs.isOfSymbol,
      theirs.function == ours.function, theirs.start == ours.start,
      evidence.llvmWithoutSymbols?.onlyFrame?.function == ""
    {
      return .symbolicHasNoLineWithoutFunction
    }
    if evidence.refersToOtherFiles,
      let difference = betweenPartialReaders(own, symbolic)
    {
      return difference
    }
    if symbolic.onlyFrame?.isOfSymbol == true {
      return theirs.start == 0 ? .symbolicAtZero : .symbolicHasNoLine
    }
    return nil
  }
}

extension Answer.Frame {
  /// Whether the name is that of `other`, of a part of it (`.cold`), or of a symbol at its start.
  fileprivate func isNamed(as other: Self, _ symbolNames: [UInt64: Set<String>]) -> Bool {
    if function == other.function || function.hasPrefix(other.function + ".") { return true }
    guard let start, let names = symbolNames[start] else { return false }
    // The version of a symbol follows `@`.
    return names.contains { $0 == function || $0 == "_" + function || $0.hasPrefix(function + "@") }
  }
}

extension Answer {
  /// Treats `elf/elf/rtld.c` as `elf/rtld.c`, if `other` has that.
  fileprivate func withoutRepeatedDirectories(as other: Answer) -> Answer {
    guard frames.count == other.frames.count else { return self }
    return Answer(
      frames: zip(frames, other.frames).map { frame, other in
        var frame = frame
        if frame.file.hasSuffix("/" + other.file),
          other.file.hasPrefix(frame.file.dropLast(other.file.count))
        {
          frame.file = other.file
        }
        return frame
      })
  }
}
