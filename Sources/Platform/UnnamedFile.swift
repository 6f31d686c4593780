/// Makes a file in a directory that has no name there (`O_TMPFILE`), for reading and writing. It
/// ends with its last descriptor unless it gets a name.
///
/// - Returns: its descriptor, which another program does not inherit; -1 with `errno` if the file
///   system or the system has no such files.
@unsafe package func openUnnamedFile(
  in directory: UnsafePointer<CChar>, permissions: mode_t
) -> CInt {
  // `__O_TMPFILE`, which is the same number on x86 and ARM and not imported.
  let withoutName: CInt = 0o20_000_000
  return unsafe open(
    directory, withoutName | O_DIRECTORY | O_RDWR | O_CLOEXEC, permissions)
}
