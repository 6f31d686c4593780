/* Compiled without -g: the symbol table names these two, DWARF does not. */

void swift_release(void *object);

void layoutTiles(void *self) __asm__("_$s14Letter_Shuffle8TileViewC11layoutTilesyyF");
void layoutTiles(void *self) {
  swift_release(self);
}

unsigned letter_frequency(unsigned letter) {
  return letter * letter % 26;
}
