extern long early(long);
extern long statement(long);

/* A static function of early.c has the same name. */
static __attribute__((noinline)) long weigh(long value) {
  return value / 5;
}

int main(int argc, char **argv) {
  (void)argv;
  return (int)(weigh(argc) + early(argc) + statement(argc));
}
