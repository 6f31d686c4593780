// Crashes in an asynchronous function: an index out of range, in a chain of inlined calls.
@inline(never) func entry(_ amounts: [Int], _ index: Int) -> Int { amounts[index] }

@inline(__always) func total(_ amounts: [Int], upTo index: Int) -> Int {
  entry(amounts, index) + 1
}

actor Account {
  var amounts = [4, 8, 15]

  @inline(never) func balance(_ index: Int) async -> Int {
    await Task.yield()
    return total(amounts, upTo: index)
  }
}

@inline(never) func transfer(_ index: Int) async -> Int {
  let account = Account()
  let balance = await account.balance(index)
  return balance &* 2
}

@main struct Bank {
  static func main() async {
    let task = Task { await transfer(CommandLine.arguments.count + 6) }
    print(await task.value)
  }
}
