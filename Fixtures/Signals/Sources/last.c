// Linked last: its last instruction, a call that never returns, is the last one of the code.

void note(int value);
_Noreturn void give_up(int code);

void last_words(int code) {
  note(code);
  give_up(code);
}
