// Crashes in the main thread, below many calls of one function: a read from a bad address.
@inline(__always) func read(_ address: Int) -> Int {
  UnsafePointer<Int>(bitPattern: address)!.pointee
}

@inline(never) func step(_ height: Int, _ rung: Int) -> Int { height == 7 ? rung : height &+ 1 }

@inline(never) func climb(_ rung: Int) -> Int {
  rung == 0 ? read(8) : step(climb(rung - 1), rung)
}

@inline(never) func start() -> Int { climb(CommandLine.arguments.count + 19) &* 2 }

print(start())
