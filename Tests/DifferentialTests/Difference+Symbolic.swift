extension Difference {
  /// Why an answer of ours differs from symbolic's; nil where nothing explains it.
  static func between(
    _ own: Answer, symbolic: Answer, llvm: Answer, _ evidence: Evidence
  ) -> Difference? {
    let undoubled = symbolic.withoutRepeatedDirectories(as: own)
    if undoubled != symbolic {
      return Comparison.agree(own, undoubled)
        ? .symbolicRepeatsDirectory
        : between(own, symbolic: undoubled, llvm: llvm, evidence)
    }
    // It says what llvm says, and for the same reason.
    if Comparison.agree(symbolic, llvm.inTermsOfSymbolic) {
      return between(own, llvm: llvm, evidence)
    }
    // It takes the same liberties with the symbol table, perhaps where llvm does not.
    let difference = between(own, llvm: symbolic, evidence)
    if difference == .symbolPastItsSection { return difference }
    guard let ours = own.frames.last else { return nil }
    if let start = ours.start, evidence.stubNames[start] == ours.function { return .symbolStub }

    // What remains is told by symbolic alone.
    guard Comparison.agree(own, llvm.inTermsOfSymbolic) || between(own, llvm: llvm, evidence) != nil
    else { return nil }
    guard let theirs = symbolic.frames.last else { return .symbolicKnowsNothing }
    if symbolic.frames.count == own.frames.count,
      zip(own.frames, symbolic.frames).dropLast().allSatisfy({ Comparison.agree($0, $1) }),
      Comparison.agreeOnPlace(ours, theirs), theirs.function.hasPrefix(ours.function + ".")
    {
      return .symbolicNamesAnotherPart
    }
    if let theirs = symbolic.onlyFrame, own.onlyFrame != nil, theirs.isOfSymbol,
      theirs.function == ours.function, theirs.start == ours.start,
      evidence.llvmWithoutSymbols?.onlyFrame?.function == ""
    {
      return .symbolicHasNoLineWithoutFunction
    }
    if ours.start == 0, theirs.start == 0, symbolic.frames.count == 1, theirs.file.isEmpty {
      return .symbolicAtZero
    }
    return nil
  }
}

extension Answer {
  /// `elf/elf/rtld.c` is `elf/rtld.c`, where `other` has it so.
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
