import TestSupport
import Testing

/// Paths that are not UTF-8: `q\377` in the shell's spelling. The shell makes and compares them, so
/// that no string of this test holds one.
struct BytePathTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// `$0` is the program, `$1` a report, `$2` its dSYM, `$3` the DWARF file in it, `$q` a folder
  /// whose name is not UTF-8.
  private func shell(_ script: String) async throws -> ProgramResult {
    try await Program.run(
      "/bin/sh",
      [
        "-ec",
        "q=$(printf 'q\\377'); mkdir \"$q\"; unset DEBUGINFOD_URLS; export XDG_CACHE_HOME=/dev/null; \(script)",
        Program.builtProgramPath, Fixtures.storyReport, Fixtures.storyBundle,
        Fixtures.storyDwarfFile,
      ],
      workingDirectory: directory.path)
  }

  /// What the program prints for the report and its dSYM.
  private func expected() async throws -> String {
    try await Program.symbolicate([Fixtures.storyReport, Fixtures.storyBundle]).outputText
  }

  @Test(arguments: [
    #"cp "$1" "$q/r"; "$0" "$q/r" -d "$2""#,
    #"cp -R "$2" "$q/X.dSYM"; "$0" "$1" -d "$q/X.dSYM""#,
    #"cp -R "$2" "$q/X.dSYM"; "$0" "$1" -d "$q""#,
    #"mkdir d; cp "$3" "d/$q"; "$0" "$1" -d d"#,
    #"cp "$3" "$q/f"; "$0" "$1" -s "$q""#,
    #"cp "$3" "$q/f"; SYMBOLICATE_SYMBOL_PATH="x:$q" "$0" "$1""#,
    #"cp "$3" "$q/f"; SWIFT_SYMBOLICATE_SYMBOL_PATHS="$q;x" "$0" "$1""#,
    #"cp "$1" "$q/r"; cp "$3" "$q/f"; "$0" "$q/r""#,
    #"ln -s "$3" "d$q"; "$0" "$1" "d$q""#,
    #"(cd "$2"; zip -qr - .) > "$q/a.zip"; XDG_CACHE_HOME="$PWD/$q/c" "$0" "$1" -d "$q/a.zip""#,
    #""$0" "$1" -d "$2" -o "$q/o"; cat "$q/o""#,
    #"cp "$1" "$q/r"; "$0" "$q/r" -d "$2" --in-place; cat "$q/r"; test "$(ls "$q")" = r"#,
    #"cp "$1" "r$q"; cp "$1" s; "$0" "r$q" s -d "$2" --output-dir "$q/o"; cat "$q/o/r$q""#,
    #""$0" index "$2" -o "$q/i" > list; test -f "$(cat list)"; "$0" "$1" -d "$2" --index-dir "$q/i""#,
    #"XDG_CACHE_HOME="$PWD/$q" "$0" index "$2" > list; test -f "$(cat list)"; "$0" "$1" -d "$2""#,
  ])
  func everyWayIn(script: String) async throws {
    let result = try await shell(script)
    expectEqual(result.status, 0)
    try await expectEqual(result.outputText, expected(), "\(result.standardError)")
  }

  @Test func atos() async throws {
    let result = try await shell(
      #"cp -R "$2" "$q/X.dSYM"; echo 0x10022d010 > "$q/a"; "$0" atos -o "$q/X.dSYM" -l 100228000 -f "$q/a""#
    )
    expectEqual(result.outputText, "main (in Letter Shuffle) (AppDelegate.swift:13)\n")
  }

  @Test func messagesShowTheBytesAsNumbers() async throws {
    let result = try await shell(#""$0" "$q/missing""#)
    expectEqual(result.status, 66)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot read the report q\\xff/missing: No such file or directory\n")
  }

  @Test func commandsToPasteIntoAShellWork() async throws {
    let result = try await shell(
      #"cp "$1" "$q/r"; cp -R "$2" "$q/X.dSYM"; "$0" doctor "$q/r" -d "$q/X.dSYM""#)
    expectContains(result.outputText, "q\\xff/X.dSYM/Contents")
    expectTrue(
      result.outputText.hasSuffix(#"Next: symbolicate $'q\377/r' -d $'q\377/X.dSYM'"# + "\n"))
  }

  /// The paths of source files, in every form of text. (`grep` counts lines with the bytes.)
  @Test(arguments: ["", "--format crash", "--summary"])
  func mappedSourcePathsAreBytes(options: String) async throws {
    let result = try await shell(
      #""$0" "$1" -d "$2" --map-path "/Users/builder=/$q" \#(options) > out; LC_ALL=C grep -c "(/$q/Letter Shuffle/GameData.swift:18)" out; ! LC_ALL=C grep -q "$(printf '\364')" out"#
    )
    expectEqual(result.outputText, "1\n", "\(result.standardError)")
    expectEqual(result.status, 0)
  }

  /// A symbol file whose sources are in the folder `/Users/b\377ilder`: `--map-path` matches it,
  /// text has the byte, with an index or without, and JSON has the character for it.
  @Test func sourcePathsOfSymbolFilesAreBytes() async throws {
    let result = try await shell(
      #"""
      b=$(printf 'b\377ilder'); LC_ALL=C sed "s/builder/$b/g" "$3" > f
      count() { LC_ALL=C grep -c "($1/Letter Shuffle/GameData.swift:18)" out; }
      "$0" "$1" -d f --map-path "/Users/$b=/src" > out; count /src
      "$0" "$1" -d f --full-path > out; count "/Users/$b"
      mv out plain; "$0" index f -o i > list
      "$0" "$1" -d f --full-path --index-dir i > out; cmp out plain
      "$0" atos -fullPath -o f -l 100228000 0x10022d010 | LC_ALL=C grep -c "/Users/$b/"
      "$0" "$1" -d f --format json
      """#)
    expectEqual(result.status, 0, "\(result.standardError)")
    let text = String(validating: result.standardOutput, as: UTF8.self)
    expectEqual(text?.hasPrefix("1\n1\n1\n{"), true, "\(result.standardError)")
    expectEqual(text?.contains("/Users/b\u{10feff}ilder/Letter Shuffle/GameData.swift"), true)
  }

  @Test func mappedSourcePathsInJsonAreUtf8() async throws {
    let result = try await shell(
      #""$0" "$1" -d "$2" --map-path "/Users/builder=/$q" --format json"#)
    let text = String(validating: result.standardOutput, as: UTF8.self)
    expectEqual(text?.contains("/q\u{10feff}/Letter Shuffle/GameData.swift"), true)
  }

  /// U+10FEFF is U+10FE00 plus the byte.
  @Test func jsonIsUtf8AndKeepsTheByte() async throws {
    let result = try await shell(#"cp "$3" "$q/f"; "$0" uuid --json "$q/f""#)
    expectEqual(result.status, 0)
    let text = String(validating: result.standardOutput, as: UTF8.self)
    expectEqual(text?.contains("\"q\u{10feff}/f\""), true)
  }
}
