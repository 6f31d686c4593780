import SymbolicationModel
import TestSupport
import Testing

/// The rule of the root directory is Apple's: its `atos` prints `/<compiler-generated>` for newer
/// Swift, whose directory for such code is `/`, and `<compiler-generated>` for older, which had
/// none.
struct SourceLocationTests {
  @Test(arguments: [
    ("/Users/builder/App/Line.swift", "Line.swift"),
    ("Line.swift", "Line.swift"),
    ("/Users/builder/App/<compiler-generated>", "<compiler-generated>"),
    ("<compiler-generated>", "<compiler-generated>"),
    ("/<compiler-generated>", "/<compiler-generated>"),
    ("./a.c", "a.c"),
    ("", ""),
    ("/", "/"),
    (#"C:\src\a.c"#, "a.c"),
    (#"c:/src\sub/a.c"#, "a.c"),
    (#"\\server\share\a.c"#, "a.c"),
    // These are not absolute Windows paths.
    (#"/src/a\b.c"#, #"a\b.c"#),
    (#"C:a\b.c"#, #"C:a\b.c"#),
  ])
  func fileName(path: String, name: String) {
    expectEqual(SourceLocation(path: path, line: 1).fileName, name)
  }
}
