import TestSupport
import Testing

import Wording

/// What files are that are neither symbol files nor reports. The first bytes are those that the
/// specifications of the formats state.
struct FileNatureTests {
  @Test(
    arguments: [
      ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0x34, 0, 0x10], "a Java class", nil),
      ([0x42, 0x43, 0xC0, 0xDE, 0x35, 0x14], "LLVM bitcode", nil),
      ([0xDE, 0xC0, 0x17, 0x0B, 0, 0, 0, 0], "LLVM bitcode", nil),
      ([0xE2, 0x9C, 0xA8, 0x0E, 3], "a Swift module", nil),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a picture (PNG)", nil),
      ([0, 0, 0, 0x20] + Array("ftypheic".utf8), "a picture or film (HEIC, MP4)", nil),
      (Array("NIBArchive".utf8) + [1, 0, 0, 0], "a compiled nib", nil),
      (Array("SQLite format 3\0".utf8), "an SQLite database", nil),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "a 7-Zip archive", "unpack it"),
      (Array("Rar!".utf8) + [0x1A, 7, 1, 0], "a RAR archive", "unpack it"),
      (Array("!<arch>\n".utf8), "a static library, whose object files have no UUID", nil),
      (
        [0, 1, 2, 0xFF, 9], "a binary file of an unknown format, which begins with 00 01 02 ff", nil
      ),
      ([], "empty", nil),
      (Array("\u{FEFF}{\"a\": 1}".utf8), "JSON", nil),
      (Array("#!/bin/sh\n".utf8), "a script", nil),
      (
        Array("BCSymbolMap Version: 2.0\n".utf8),
        "a symbol map of a build with bitcode (its name is the UUID)", nil
      ),
      (
        Array(
          "<?xml version=\"1.0\"?><document type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\">"
            .utf8),
        "an Interface Builder document", nil
      ),
      (Array("caf\u{E9} and more".utf8), "text", nil),
    ] as [([UInt8], String, String?)])
  func firstBytes(start: [UInt8], text: String, advice: String?) {
    let nature = FileNature(start, path: "folder.d/file")
    expectEqual(nature.text, text)
    expectEqual(nature.advice, advice)
  }

  /// Signed data (RFC 5652) with a property list in it, as Apple makes profiles.
  @Test func provisioningProfiles() {
    let head: [UInt8] = [
      0x30, 0x82, 0x2F, 0x91, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2, 0xA0, 0x82,
    ]
    let list = Array("<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\">".utf8)
    expectEqual(FileNature(head + list, path: "a").text, "a provisioning profile")
    expectEqual(FileNature(head + [1, 2, 3], path: "a").text, "signed data (CMS)")
  }

  @Test func namesOfText() {
    let text = Array("let a = 1\n".utf8)
    expectEqual(FileNature(text, path: "Sources/a.swift").text, "source code (.swift)")
    expectEqual(FileNature(text, path: "notes").text, "text")
    let list = Array("bplist00".utf8) + [0xD1, 1]
    expectEqual(FileNature(list, path: "Main.nib").text, "a compiled nib")
    expectEqual(FileNature(list, path: "Info.plist").text, "a binary property list")
  }

  /// A character that the end of the start cuts does not make it binary.
  @Test func cutCharacters() {
    expectEqual(FileNature(Array("text \u{20AC}".utf8.dropLast()), path: "a").text, "text")
  }
}
