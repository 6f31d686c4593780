extension FrameSignTable {
  /// What a process does first that has windows or asks about other programs. Without a session at
  /// the screen, as over ssh or as a daemon of the system, the window server does not take it.
  ///
  /// Source: the words that the function logs before it ends the process, as people show them
  /// (`_RegisterApplication(), FAILED TO establish the default connection to the WindowServer`;
  /// github.com/Shufflepuck/cdef, issue 9).
  static let windowServer = [
    FrameSign(
      .failedCheck,
      "the process could not register with the window server: no session at the screen, most"
        + " likely", "_RegisterApplication", beside: "abort",
      elsewhere: "the function may end the process for another reason")
  ]
}
