/* The unit GameData.swift: frames 1 and 5.
   A lazy static property: its accessor calls swift_once (libswiftCore), which calls
   dispatch_once_f (libdispatch), which calls the one-time initialiser below. */

void swift_once(long *predicate, void (*initialiser)(void *), void *context);
void *swift_allocObject(void *type, long size, long alignment);
void *swift_allocArray(long count);
void swift_arrayAppend(void *array, void *element);

void *GameRound_init(void *self, long number, void *letters, void *phrase, long numRows, long numCols, long mixMoves)
    __asm__("_$s14Letter_Shuffle9GameRoundC6number7letters6phrase7numRows0H4Cols8mixMovesACSi_SaySSGSSS3itcfc");
void rounds_initialisation(void *context)
    __asm__("_$s14Letter_Shuffle8GameDataC6rounds_WZ");
void *rounds_unsafeMutableAddressor(void)
    __asm__("_$s14Letter_Shuffle8GameDataC6roundsSayAA0C5RoundCGvau");

extern long rounds_token __asm__("_$s14Letter_Shuffle8GameDataC6rounds_Wz");
extern void *rounds __asm__("_$s14Letter_Shuffle8GameDataC6roundsSayAA0C5RoundCGvpZ");
extern void *letterLists[2];
long rounds_token;
void *rounds;
void *letterLists[2];

#line 14 "GameData.swift"
void rounds_initialisation(void *context) {
  void *array = swift_allocArray(2);
  void *object = swift_allocObject(0, 64, 7);
  void *round =
      GameRound_init(object, 1, letterLists[0], letterLists[1], 4, 4, 12);
  swift_arrayAppend(array, round);
  rounds = array;
}

#line 14 "GameData.swift"
void *rounds_unsafeMutableAddressor(void) {
  if (rounds_token != -1)
#line 14 "GameData.swift"
    swift_once(&rounds_token, rounds_initialisation, 0);
#line 14 "GameData.swift"
  return &rounds;
}
