import Core
import Tiles

@inline(never) func play(_ size: Int) -> Int {
  let board = Board(size: size)
  let score = board.shuffle(size * 2)
  let doubled = board.undo.map { weight in weight &* 2 }
  let counters = [Counter(count: size), Counter(count: doubled.items.count)]
  return mix(score, total(of: counters)) &+ board.ranked(3).count &+ board.walk(2)
}

@main struct App {
  static func main() {
    let bytes = [UInt8](repeating: 7, count: play(12) & 15)
    _ = checksum(bytes)
  }
}
