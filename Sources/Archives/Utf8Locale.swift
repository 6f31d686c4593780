import Platform

/// libarchive converts names to the character set of the thread's locale. Ours is UTF-8, whatever
/// the user's is.
enum Utf8Locale {
  /// Calls `body` while the thread has a UTF-8 locale. If the system has none, names with other
  /// characters than ASCII come out with question marks.
  ///
  /// Soundness: the locale is this function's own, is in use on this thread only, and is freed when
  /// the thread has its former one again.
  static func perform<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let locale = unsafe newlocale(characterSetMask, "C.UTF-8", nil) else {
      return try body()
    }
    let former = unsafe uselocale(locale)
    defer {
      unsafe uselocale(former)
      unsafe freelocale(locale)
    }
    return try body()
  }
}

/// `LC_CTYPE_MASK`, which Swift does not import.
private let characterSetMask: CInt = 1 << LC_CTYPE
