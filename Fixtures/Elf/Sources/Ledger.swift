struct Ledger<Entry: Comparable> {
  var entries: [Entry] = []

  @inline(never) mutating func add(_ entry: Entry) {
    entries.append(entry)
  }

  @inline(never) func largest() -> Entry {
    entries.max()!
  }
}

enum LedgerError: Error {
  case notANumber(String)
}

final class Clerk {
  var ledger = Ledger<Int>()

  @inline(never) func file(_ text: String) throws {
    guard let number = Int(text) else { throw LedgerError.notANumber(text) }
    ledger.add(number)
  }

  @inline(never) func work(_ texts: [String]) -> Int {
    texts.forEach { text in
      do { try file(text) } catch { print("cannot file \(text)") }
    }
    return ledger.largest()
  }
}
