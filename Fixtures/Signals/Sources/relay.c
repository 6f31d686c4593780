// What backtraces have trouble with: calls that never return at the very end of a function and of the
// code, functions that a signal interrupts, and a signal trampoline.
// `give_up` is elsewhere: in Mach-O in another library, in ELF in the last function of the code.

void note(int value);
_Noreturn void give_up(int code);

static inline __attribute__((always_inline)) int doubled(int value) {
  note(value);
  return value * 2;
}

// Its last instruction is the call of give_up; `measure` begins where that would return to.
void stop(int code) {
  note(code);
  give_up(code + 1);
}

// A call is inlined at its start.
int measure(int value) {
  int twice = doubled(value);
  note(twice);
  return twice + 1;
}

int relay(int value) {
  int result = measure(value);
  if (result > 100)
    stop(result);
  return result - 1;
}
