// A study: what keyhole::studies is for.

#include <keyhole/store.h>

int main() {
  const keyhole::Store store = keyhole::Store::in_memory();
  keyhole::Study study = store.create("split", {.on = "simplex(3)"});
  for (int round = 0; round < 10; ++round) {
    const keyhole::StudyPlay play = study.ask();
    study.tell(play.id, play.point[0]);
  }
  return study.summary().told == 10 ? 0 : 1;
}
