import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// Lists of UUIDs.
@Suite struct UuidListTests {
  @Test func readsUuidsWithArchitecturesAndNames() {
    let list = UuidList(
      Array(
        """
        a4b1de4970b3301da64458d6bc22f513
        A4B1DE49-70B3-301D-A644-58D6BC22F513 arm64e
        UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (x86_64) Letter Shuffle.app/Letter Shuffle\r
          # a note

        0123456789abcdef0123456789abcdef01234567 libshapes.so
        """.utf8))
    expectEmpty(list.problems)
    expectEqual(list.entries.map(\.architecture?.name), [nil, "arm64e", "x86_64", nil])
    expectEqual(
      list.entries.map(\.name), [nil, nil, "Letter Shuffle.app/Letter Shuffle", "libshapes.so"])
    expectEqual(list.entries.map { $0.identity.identity.bytes.count }, [16, 16, 16, 20])
    expectEqual(list.entries[0].identity.identity.bytes.first, 0xa4)
  }

  @Test func namesTheLinesThatHoldNone() {
    let list = UuidList(Array("x\n\nUUID:\n12\n".utf8))
    expectEmpty(list.entries)
    expectEqual(list.problems.map(\.line), [1, 3, 4])
    expectEqual(
      list.problems.first?.message(path: "list"),
      "line 1 of list is 'x'; expected a UUID or a build-id, and maybe an architecture and a name")
  }
}
