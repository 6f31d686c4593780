/* The unit GameViewController.swift: frames 6, 7 and 8, and a method that is not on the stack.
   startRound() is inlined into viewDidLoad(): frame 7 is two functions. */

void *rounds_unsafeMutableAddressor(void)
    __asm__("_$s14Letter_Shuffle8GameDataC6roundsSayAA0C5RoundCGvau");
void swift_retain(void *object);
void swift_release(void *object);
void swift_superViewDidLoad(void *self);
void *swift_arrayElement(void *array, long index);
void swift_show(void *self, void *object);

struct GameViewController { void *isa; long level; long moves; };

void viewDidLoad_thunk(struct GameViewController *self)
    __asm__("_$s14Letter_Shuffle18GameViewControllerC11viewDidLoadyyFTo");
void viewDidLoad(struct GameViewController *self)
    __asm__("_$s14Letter_Shuffle18GameViewControllerC11viewDidLoadyyF");
static inline void startRound(struct GameViewController *self)
    __asm__("_$s14Letter_Shuffle18GameViewControllerC10startRoundyyF");
void loadRound(struct GameViewController *self, long number)
    __asm__("_$s14Letter_Shuffle18GameViewControllerC9loadRoundyySiF");
void shuffleTiles(struct GameViewController *self, long moves)
    __asm__("_$s14Letter_Shuffle18GameViewControllerC12shuffleTiles5movesySi_tF");

#line 47 "GameViewController.swift"
__attribute__((always_inline)) static inline void startRound(struct GameViewController *self) {
  self->moves = 0;
  long next = self->level + 1;
  self->level = next;
  loadRound(self, next);
  self->moves = 1;
}

#line 33 "GameViewController.swift"
void viewDidLoad(struct GameViewController *self) {
  swift_superViewDidLoad(self);
  self->level = 0;

  startRound(self);

  swift_show(self, 0);
}

#line 0 "<compiler-generated>"
void viewDidLoad_thunk(struct GameViewController *self) {
#line 0 "<compiler-generated>"
  swift_retain(self);
#line 0 "<compiler-generated>"
  viewDidLoad(self);
#line 0 "<compiler-generated>"
  swift_release(self);
#line 0 "<compiler-generated>"
}

#line 56 "GameViewController.swift"
void loadRound(struct GameViewController *self, long number) {
  swift_retain(self);

  void **rounds =
      rounds_unsafeMutableAddressor();
  void *round = swift_arrayElement(*rounds, number);
  swift_show(self, round);
  swift_release(self);
}

#line 71 "GameViewController.swift"
void shuffleTiles(struct GameViewController *self, long moves) {
  for (long move = 0; move < moves; move++) {
    swift_show(self, (void *)move);
    self->moves += 1;
  }
}
