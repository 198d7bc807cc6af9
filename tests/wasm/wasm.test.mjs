// The package of WebAssembly in Node.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {test} from 'node:test';

import {KeyholeError, load} from '../../build/wasm/package/keyhole.js';

const keyhole = await load();
const golden = new URL('../golden/', import.meta.url);

test('a learner finds the least of a loss', () => {
  const learner = keyhole.set('ball(2)').learner({seed: 7});
  const loss = ([x, y]) => (x - 0.5) ** 2 + (y + 0.25) ** 2;
  for (let round = 0; round < 1000; ++round) {
    const play = learner.ask();
    assert.equal(play.play, round + 1);
    assert.equal(learner.tell(play, loss(play.point)), 'fresh');
  }
  assert.ok(loss(learner.recommend()) < 1e-3);
  const status = learner.status();
  assert.equal(status.asked, 1000);
  assert.ok(Math.abs(status.gain - 0.3125) < 0.01);
  assert.ok(status.average < 0.05);
  const [{loss: believed, error}] = learner.estimate([learner.recommend()]);
  assert.ok(Math.abs(believed) < 0.01 && error < 0.01);
});

test('states of other builds are read, and written by the same bytes', () => {
  const gradients = /_(ogd|ocg|one_shot|stochastic_ocg)\.bin$/;  // which learners here are not told
  const all = readdirSync(golden);
  const revision = Math.max(...all.map((name) => Number(/^state_(\d+)_/.exec(name)?.[1] ?? 0)));
  const states = all.filter((name) => name.startsWith(`state_${revision}_`) && !gradients.test(name));
  assert.ok(states.length > 20);
  for (const name of states) {
    const bytes = new Uint8Array(readFileSync(new URL(name, golden)));
    const learner = keyhole.open(bytes);
    assert.deepEqual(learner.state(), bytes, name);
    const again = keyhole.open(bytes);
    const {play} = learner.ask();
    learner.restore(bytes);
    assert.equal(learner.ask().play, play);
    assert.deepEqual(learner.recommend(), (again.ask(), again.recommend()), name);
  }
});

test('a set answers', () => {
  const set = keyhole.set(' simplex( 3 ) ');
  assert.equal(set.spec, 'simplex(3)');
  assert.equal(set.dimension, 3);
  assert.deepEqual([...set.minimise([3, 1, 2])], [0, 1, 0]);
  assert.ok(set.contains(set.centre));
  assert.ok(!set.contains([1, 1, 0]));
  assert.ok(Math.abs(set.outerRadius - Math.sqrt(2 / 3)) < 1e-15);
});

test('what is measured before is learned', () => {
  const learner = keyhole.set('box(0, 1, 1)').learner({seed: 1});
  for (let k = 0; k <= 200; ++k) learner.learn([k / 200], (k / 200 - 0.8) ** 2);
  learner.ask();
  assert.ok(Math.abs(learner.recommend()[0] - 0.8) < 0.05);
  learner.explore(false);
  assert.deepEqual(learner.ask().point, learner.recommend());
});

test('memory is given back', () => {
  for (let round = 0; round < 600; ++round) {  // of 4.5 MB each: not all of them fit into 2 GB
    const set = keyhole.set('ball(2)');
    const learner = set.learner({window: 1e6 / 2});
    set.free();
    learner.ask();
    learner.free();
    learner.free();
    assert.throws(() => learner.ask(), /freed/);
  }
});

test('its version is that of the library', () => {
  const {version} = JSON.parse(readFileSync(new URL('../../build/wasm/package/package.json', import.meta.url)));
  assert.equal(version, keyhole.version);
});

test('what is refused says why, and loses nothing', () => {
  const learner = keyhole.set('ball(2)').learner();
  const {play} = learner.ask();
  for (const [call, what] of [
    [() => keyhole.set('bal(2)'), /did you mean 'ball'/],
    [() => keyhole.set('ball(2)').learner({algorithm: 'none'}), /none/],
    [() => learner.tell(9, 1), /9/],
    [() => learner.tell(play, NaN), /must be a number of magnitude up to/],
    [() => learner.tell(-1, 0), /whole number/],
    [() => learner.tell({}, 0), /whole number/],
    [() => learner.tell(play, null), /must be a number, not null/],
    [() => learner.learn([null, 0], 0), /must be a number/],
    [() => keyhole.set('ball(2)').minimise([NaN, 0]), /finite/],
    [() => keyhole.set('ball(2)').learner({window: 2 ** 32}), /memory|window/],
    [() => keyhole.set('ball(2)').learner({seed: 0.5}), /the seed must be a whole number/],
    [() => keyhole.set('ball(2)').learner({window: 0}), /window/],
    [() => learner.learn([1, 1], 0), /not in the set/],
    [() => learner.learn([1], 0), /2 numbers/],
    [() => learner.restore(new Uint8Array(3)), /state/],
    [() => keyhole.open(new Uint8Array(3)), /state/],
    [() => keyhole.set('polytope(file("none.csv"))'), /none.csv/],
  ]) {
    assert.throws(call, (error) => error instanceof KeyholeError && what.test(error.message));
  }
  assert.equal(learner.tell(play, 0.5), 'fresh');
  assert.equal(learner.tell(play, 0.5), 'repeated');
  assert.equal(learner.status().told, 1);
});
