/// What signals do to this process.
package enum Signals {
  package typealias Handler = @convention(c) (CInt) -> Void
  package typealias FaultHandler =
    @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  /// The signals by which a user or the system asks a process to end.
  package static var askingToEnd: [CInt] { [SIGINT, SIGTERM, SIGHUP] }

  /// `SA_RESETHAND`, which Swift does not import: the handler is called once.
  package static var resetsHandler: CInt { CInt(bitPattern: 0x8000_0000) }

  /// - Parameter flags: of `sigaction`.
  package static func handle(_ number: CInt, flags: CInt = 0, _ handler: Handler) {
    var action = sigaction()
    action.sa_flags = flags
    unsafe action.__sigaction_handler.sa_handler = handler
    unsafe sigaction(number, &action, nil)
  }

  /// Handles a signal unless it is ignored: whoever started this process with `nohup`, or in the
  /// background of a shell, wants it to go on.
  package static func handleUnlessIgnored(
    _ number: CInt, flags: CInt = 0, _ handler: Handler
  ) {
    var action = sigaction()
    action.sa_flags = flags
    unsafe action.__sigaction_handler.sa_handler = handler
    var before = sigaction()
    unsafe sigaction(number, &action, &before)
    let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafe unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == ignored {
      unsafe sigaction(number, &before, nil)
    }
  }

  /// Handles a signal that the processor causes; `faultAddress` says where.
  package static func handleFault(_ number: CInt, _ handler: FaultHandler) {
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    unsafe action.__sigaction_handler.sa_sigaction = unsafe handler
    unsafe sigaction(number, &action, nil)
  }

  /// The address that could not be read or written; nil if the system does not say.
  ///
  /// Soundness: `information` is what the handler got.
  @unsafe package static func faultAddress(
    _ information: UnsafeMutablePointer<siginfo_t>?
  ) -> UInt? {
    unsafe information.map { unsafe UInt(bitPattern: $0.pointee._sifields._sigfault.si_addr) }
  }

  package static func ignore(_ number: CInt) { signal(number, SIG_IGN) }

  /// Does to the process what the signal does without a handler; within a handler of the signal,
  /// as soon as that returns.
  package static func endProcess(by number: CInt) {
    setDefault(number)
    raise(number)
  }

  package static func setDefault(_ number: CInt) { signal(number, SIG_DFL) }
}
