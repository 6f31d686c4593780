import Platform
package import SystemPackage

extension Errno {
  /// The reason why the last call of the C library failed.
  package static var current: Errno { Errno(rawValue: Platform.errno) }
}

/// The result of `call`, which is called again as long as a signal interrupts it. The manual pages
/// name few calls that can be interrupted, but on network file systems and FUSE others are, too.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

extension FileDescriptor {
  /// The first bytes of a file that was just opened: `count` of them, or fewer if it ends before.
  package func readStart(_ count: Int) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try unsafe readFully(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Reads until `buffer` is full or the file ends. One call may deliver less than there is.
  ///
  /// - Parameter offset: where in the file; nil to go on from the last read.
  /// - Returns: the number of bytes.
  @unsafe package func readFully(
    into buffer: UnsafeMutableRawBufferPointer, fromAbsoluteOffset offset: Int64? = nil
  ) throws -> Int {
    var count = 0
    while count < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read =
        if let offset {
          try unsafe self.read(fromAbsoluteOffset: offset + Int64(count), into: rest)
        } else {
          try unsafe self.read(into: rest)
        }
      if read == 0 { break }
      count += read
    }
    return count
  }

  /// Calls `body` and closes the file, also if `body` throws. An error of `close` is thrown: it may
  /// be the only sign that written bytes are lost. An interrupted `close` has closed the file on
  /// Linux, and is no error.
  package func closingAfter<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      try? close()
      throw error
    }
    do {
      try close()
    } catch Errno.interrupted {}
    return result
  }
}

/// The system refused something about one file.
package struct FileSystemError: Error, Hashable, Sendable {
  /// As it was passed to the function that throws.
  package let path: String
  /// C's `errno` of the call that failed.
  package let errno: Errno

  package init(path: String, errno: Errno) {
    self.path = path
    self.errno = errno
  }

  /// Whether there is nothing at the path.
  package var isAbsence: Bool { [.noSuchFileOrDirectory, .notDirectory].contains(errno) }

  /// Whether links lead to each other in a circle.
  package var isLinkLoop: Bool { errno == .tooManySymbolicLinkLevels }
}
