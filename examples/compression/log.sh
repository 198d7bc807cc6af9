#!/bin/sh
# Prints the log of a web server: 2,000 lines, the same on every machine. A few users and a few pages
# are most of it.
awk 'function random() {  # from 0 to 1, by the generator of Park and Miller
       state = state * 16807 % 2147483647
       return state / 2147483647
     }
     function often_small(n) { return int(exp(log(n) * random())) - 1 }
     BEGIN {
       state = 7
       split("ab ein kor lum ta reo sin vel dra mo pif gus nek ola hib wen", sound, " ")
       for (k = 0; k < 3000; ++k) {
         for (j = 0; j < 2 + k % 3; ++j) word[k] = word[k] sound[1 + int(16 * random())]
       }
       for (line = 0; line < 2000; ++line) {
         time -= log(random()) / 8
         user = often_small(3000)
         printf "%.3f 10.0.%d.%d GET /%s/%s/%s %d %.1fms session=%08x\n",
                time, user % 7, user * 31 % 251,
                word[often_small(30)], word[often_small(300)], word[often_small(3000)],
                random() < .97 ? 200 : 404, 50 / random(), user * 40503 % 65536 * 32749
       }
     }'
