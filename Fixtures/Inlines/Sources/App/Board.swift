import Core
import Tiles

public final class Board {
  var tiles: [Tile]
  var undo = Stack<Int>()
  var children: [Board] = []

  public init(size: Int) {
    tiles = []
    for index in 0..<size {
      tiles.append(index % 5 == 0 ? .blank : .letter(UInt8(truncatingIfNeeded: index)))
    }
  }

  @inline(never) public func shuffle(_ moves: Int) -> Int {
    var score = 0
    for move in 0..<moves {
      score = mix(score, turnTile(at: move % tiles.count))
    }
    return score
  }

  @inline(__always) func turnTile(at index: Int) -> Int {
    let weight = tiles[index].turn(index)
    remember(weight)
    return clamp(weight, to: 1000)
  }

  @inline(__always) func remember(_ weight: Int) {
    undo.push(weight)
  }

  @inline(never) public func ranked(_ least: Int) -> [Int] {
    let kept = tiles.filter { tile in
      tile.weight > least
    }
    return kept.map { mix($0.weight, least) }
  }

  @inline(never) public func walk(_ depth: Int) -> Int {
    var sum = total(of: tiles)
    for child in children where depth > 0 {
      sum = mix(sum, child.walk(depth - 1))
    }
    return sum
  }

  deinit {
    undo.items = []
  }
}
