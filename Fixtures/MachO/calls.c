// Calls into another image, so that the linker makes symbol stubs. Nothing is run.
int sum_of_areas(int count);
int spread(int value);

__attribute__((noinline)) int twice(int value) { return spread(value) + spread(value + 1); }
int main(void) { return twice(3) + sum_of_areas(2); }
