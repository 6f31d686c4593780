import CTiles

public struct Rack {
  public var tiles: [tile]

  @inline(never) public mutating func fill(_ count: Int32) {
    for index in 0..<count {
      tiles.append(tile(letter: tile_draw(index), value: index))
    }
  }

  @inline(never) public func score(_ times: Int32) -> Int32 {
    var sum: Int32 = 0
    for tile in tiles {
      sum &+= tile_score(tile, times)
    }
    return sum
  }
}

@inline(never) public func play(_ count: Int32) -> Int32 {
  var rack = Rack(tiles: [])
  rack.fill(count)
  return rack.score(count)
}

@main struct App {
  static func main() {
    _ = play(7)
  }
}
