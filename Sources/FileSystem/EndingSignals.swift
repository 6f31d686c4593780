import Platform

/// What signals do to this process. For programs; a library leaves signals alone.
///
/// The handlers only call what POSIX allows in a handler, and read memory that nothing frees.
package enum EndingSignals {
  /// - A signal that asks the process to end (SIGINT, SIGTERM, SIGHUP) first removes files that are
  ///   half written, and then ends the process as it would have.
  /// - SIGPIPE and SIGXFSZ are ignored: the call that caused it fails, and the error names the
  ///   file.
  /// - SIGBUS: a page of a mapped file is gone, because the file was cut or its disk fails. A
  ///   message names the file, files that are half written are removed, and the process ends with
  ///   `unreadableStatus`. Reading on would mean to answer from bytes that are not there.
  ///
  /// Cost: some microseconds.
  ///
  /// - Parameter lostPage: the words before and after the path in the message about a lost page.
  package static func handle(
    lostPage: (before: StaticString, after: StaticString), unreadableStatus: CInt
  ) {
    TemporaryFiles.prepare()
    LostPage.prepare(lostPage, status: unreadableStatus)
    Signals.ignore(SIGPIPE)
    Signals.ignore(SIGXFSZ)
    for number in Signals.askingToEnd {
      Signals.handleUnlessIgnored(number) { number in
        TemporaryFiles.removeAll()
        Signals.endProcess(by: number)
      }
    }
    unsafe Signals.handleFault(SIGBUS) { number, information, _ in
      if let address = unsafe Signals.faultAddress(information) { LostPage.end(at: address) }
      // Not a mapped file: the instruction fails again, and now ends the process.
      Signals.setDefault(number)
    }
  }

  /// Ends the process while other threads may be writing files.
  package static func endProcess(status: CInt) -> Never {
    TemporaryFiles.removeAll()
    _exit(status)
  }

  /// Opens closed standard streams as something that can neither be read nor written: otherwise the
  /// next file that is opened would be the stream, and a message would go into a result.
  package static func occupyStandardStreams() {
    var streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map {
      pollfd(fd: $0, events: 0, revents: 0)
    }
    let count = nfds_t(streams.count)
    guard uninterrupted({ unsafe poll(&streams, count, 0) }) != 0 else { return }
    for stream in streams where stream.revents & Int16(POLLNVAL) != 0 {
      // A file gets the lowest number that is free: this one.
      _ = unsafe open("/dev/null", stream.fd == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
