import CrashLogParser

/// The rules that find the reason of a crash, most informative first: the first finding is shown.
///
/// To add a rule, write a function from a scene to a finding in the file of its kind in `Rules`,
/// name a public source for it there, and give it a place in this list.
enum CauseRules {
  struct Rule: Sendable {
    /// Where the reason comes from, if this rule finds one.
    package let source: ReasonSource
    let find: @Sendable (CrashScene) -> CauseFinding?
  }

  static let all: [Rule] = [
    Rule(source: .termination, find: EventRules.memory),
    Rule(source: .panic, find: EventRules.panic),
    Rule(source: .thrownException, find: WrittenRules.thrownException),
    Rule(source: .applicationSpecificInformation, find: WrittenRules.failure),
    Rule(source: .function, find: RuntimeRules.rustPanic),
    Rule(source: .function, find: RuntimeRules.managedException),
    Rule(source: .function, find: RuntimeRules.nativeModule),
    Rule(source: .function, find: RuntimeRules.javaScriptError),
    Rule(source: .termination, find: TerminationRules.codeSignature),
    Rule(source: .exceptionType, find: MemoryRules.codeSignature),
    Rule(source: .termination, find: TerminationRules.explained),
    Rule(source: .applicationSpecificInformation, find: WrittenRules.information),
    Rule(source: .function, find: ThrownExceptionRules.thrower),
    Rule(source: .function, find: FatalFunction.called),
    Rule(source: .exceptionType, find: MemoryRules.pointerAuthentication),
    Rule(source: .exceptionType, find: MemoryRules.stackOverflow),
    Rule(source: .exceptionType, find: AddressRules.scribbledMemory),
    Rule(source: .exceptionType, find: MemoryRules.callThroughBadPointer),
    Rule(source: .exceptionType, find: MemoryRules.nullPointer),
    Rule(source: .exceptionType, find: MemoryRules.fileGone),
    Rule(source: .exceptionType, find: MemoryRules.pointerIsText),
    Rule(source: .exceptionType, find: MemoryRules.freedObject),
    Rule(source: .exceptionType, find: MemoryRules.protection),
    Rule(source: .exceptionType, find: AddressRules.misaligned),
    Rule(source: .exceptionType, find: AddressRules.generalProtection),
    Rule(source: .exceptionType, find: AddressRules.unmapped),
    Rule(source: .exceptionType, find: ResourceRules.guardedResource),
    Rule(source: .exceptionType, find: ResourceRules.limit),
    Rule(source: .exceptionType, find: TrapRules.failedCheck),
    Rule(source: .termination, find: TerminationRules.earlyCode),
    Rule(source: .termination, find: TerminationRules.unexplained),
    Rule(source: .applicationSpecificInformation, find: WrittenRules.abortNote),
    Rule(source: .function, find: SignalRules.sentByItself),
    Rule(source: .exceptionType, find: WrittenRules.exceptionType),
  ]

  package static func reason(of scene: CrashScene, trap: CauseFinding?) -> CrashCause.Reason? {
    if let trap { return CrashCause.Reason(trap, .trapMessage) }
    for rule in all {
      if let finding = rule.find(scene) { return CrashCause.Reason(finding, rule.source) }
    }
    return nil
  }
}
