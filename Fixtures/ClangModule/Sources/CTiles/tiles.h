#ifndef TILES_H
#define TILES_H

struct tile { int letter; int value; };

static inline int tile_score(struct tile tile, int times) {
  int score = tile.value * times;
  return score > 50 ? 50 : score + tile.letter;
}

int tile_draw(int seed);

#endif
