/* The unit GameRound.swift: frame 0.
   Force-unwrapping nil ends in a trap that no line of the source stands for: Swift says
   `<compiler-generated>`, line 0. */

long swift_arrayCount(void *array);
void swift_storeInteger(void *object, long slot, long value);

void *init(void *self, long number, void *letters, void *phrase, long numRows, long numCols, long mixMoves)
    __asm__("_$s14Letter_Shuffle9GameRoundC6number7letters6phrase7numRows0H4Cols8mixMovesACSi_SaySSGSSS3itcfc");

#line 31 "GameRound.swift"
void *init(void *self, long number, void *letters, void *phrase, long numRows, long numCols, long mixMoves) {
  swift_storeInteger(self, 0, number);
  swift_storeInteger(self, 1, numRows);
  swift_storeInteger(self, 2, numCols);
  swift_storeInteger(self, 3, mixMoves);

  long letterCount = swift_arrayCount(letters);
  if (letterCount < numRows * numCols) {
#line 0 "<compiler-generated>"
    __builtin_trap();
#line 40 "GameRound.swift"
  }
  swift_storeInteger(phrase, 4, letterCount);
  return self;
}
