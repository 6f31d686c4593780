import TestSupport
import Testing

/// A failure says where it is, what was wanted and what came instead.
struct ExpectationTests {
  /// What `body` records: the line within the body's first one, and the message.
  private func issues(_ body: () throws -> Void) -> [String] {
    let messages = Messages()
    try? withKnownIssue {
      try body()
    } matching: { issue in
      messages.add(issue)
      return true
    }
    return messages.texts
  }

  private final class Messages: @unchecked Sendable {
    var texts: [String] = []

    func add(_ issue: Issue) {
      #expect(issue.error is RequirementFailed || issue.sourceLocation?.fileName == Self.file)
      texts += issue.comments.map(\.rawValue)
    }

    private static let file = "ExpectationTests.swift"
  }

  @Test func nothingIsRecordedWhereAllIsRight() throws {
    expectEqual(1 + 1, 2)
    expectEqual([1].first, 1)
    expectNotEqual(1, 2)
    expectTrue(true)
    expectFalse(false)
    expectNil([Int]().first)
    expectEmpty([Int]())
    expectContains("abc", "b")
    expectContains(["a", "b"], "b")
    expectPrefix("abc", "ab")
    expectSuffix("abc", "bc")
    #expect(try require([1].first) == 1)
    try require(true)
  }

  @Test func valuesAreShownWithTheirExpression() {
    let sum = issues { expectEqual(1 + 1, 3, "sum") }
    let quoted = #"let sum = issues { expectEqual(1 + 1, 3, "sum") }"#
    #expect(sum == ["\(quoted) – got 2, expected 3\nsum"])
    #expect(issues { expectNotEqual(2, 2) }.first?.hasSuffix(" – both are 2") == true)
    #expect(issues { expectTrue(1 > 2) }.first?.hasSuffix(" – false") == true)
    #expect(issues { expectFalse(2 > 1) }.first?.hasSuffix(" – true") == true)
    #expect(issues { expectNil([7].first) }.first?.hasSuffix(" – got 7") == true)
    #expect(issues { expectEmpty([7]) }.first?.hasSuffix(" – got [7]") == true)
    #expect(issues { expectContains("abc", "x") }.first?.hasSuffix(" – got \"abc\"") == true)
    #expect(issues { expectContains(["a"], "x") }.first?.hasSuffix(" – got [\"a\"]") == true)
    #expect(issues { expectPrefix("abc", "x") }.first?.hasSuffix(" – got \"abc\"") == true)
    #expect(issues { expectSuffix("abc", "x") }.first?.hasSuffix(" – got \"abc\"") == true)
  }

  /// Of long texts, the first line that differs is what one looks for.
  @Test func linesOfTextsAreCompared() {
    let found = issues { expectEqual("a\nb\nc", "a\nx\nc") }
    #expect(found.first?.contains(" – line 2: got \"b\", expected \"x\"\n") == true)
    let shorter = issues { expectEqual(Array("a".utf8), Array("a\nb".utf8)) }
    #expect(shorter.first?.contains(" – line 2: got the end, expected \"b\"\n") == true)
  }

  @Test func aRequirementEndsTheTest() {
    var isReached = false
    let found = issues {
      try require([Int]().first)
      isReached = true
    }
    #expect(found.first?.hasSuffix(" – nil") == true)
    #expect(issues { try require(1 > 2) }.first?.hasSuffix(" – false") == true)
    #expect(!isReached)
  }
}
