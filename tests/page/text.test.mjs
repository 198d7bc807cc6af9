// usage: node --test text.test.mjs
//
// The pure parts of the page: numbers, times and sentences.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {pauses} from '../../src/service/page/charts.js';
import {ago, among, bandOf, change, count, duration, number, percent, plusMinus, valueAt} from '../../src/service/page/text.js';
import {recipes, verdict} from '../../src/service/page/words.js';

test('numbers have four digits, and none is not known', () => {
  assert.equal(number(1234.56), '1,235');
  assert.equal(number(0), '0');
  assert.equal(number(0.000123456), '0.0001235');
  assert.equal(number(0.00001), '1.000e-5');
  assert.equal(number(-12345678), '-1.235e+7');
  for (const none of [null, undefined, NaN, Infinity]) assert.equal(number(none), 'not known');
  assert.equal(count(1234.6), '1,235');
  assert.equal(percent(0.12345), '12.3 %');
  assert.equal(percent(null), 'not known');
});

test('an error has two digits, and its value is as exact', () => {
  assert.equal(plusMinus(0.41234, 0.0567), '0.412 ± 0.057');
  assert.equal(plusMinus(12345.678, 12.34), '12,346 ± 12');
  assert.equal(plusMinus(1.5, 234.5), '2 ± 230');
  assert.equal(plusMinus(0.5, 0.00001234), '0.5 ± 1.200e-5');
  assert.equal(plusMinus(0.5, NaN), '0.5');
  assert.equal(plusMinus(0.5, 0), '0.5 ± 0');
});

test('a band has what is not believed to cost more', () => {
  const values = among(0, 8, 4);
  assert.deepEqual(values, [0, 2, 4, 6, 8]);
  const costs = [9, 1, 0, 1.1, 9].map((excess) => ({loss: 3 + excess, excess, excess_error: 0.5}));
  assert.deepEqual(bandOf(4.5, values, costs), [2, 4.5]);
  assert.deepEqual(bandOf(7, values, costs), [2, 7]);
  const gains = costs.map(({excess}) => ({gain: -3 - excess, excess: -excess, excess_error: 0.5}));
  assert.deepEqual(bandOf(4.5, values, gains), [2, 4.5]);
  assert.equal(bandOf(4.5, values, [...costs.slice(1), {}]), null);
});

test('times are short', () => {
  assert.deepEqual([350, 12000, 180000, 7200000, 4 * 86400000].map(duration), ['350 ms', '12 s', '3 min', '2 h', '4 days']);
  assert.equal(ago(1000, 2000), 'now');
  assert.equal(ago(1000, 61000), '60 s ago');
  assert.equal(ago(null, 2000), 'never');
});

test('less is good of a loss, and bad of a gain', () => {
  assert.deepEqual(change(10, 9, false), {text: '10 % less', className: 'good'});
  assert.deepEqual(change(10, 9, true), {text: '10 % less', className: 'bad'});
  assert.deepEqual(change(-1, 1, false), {text: '2 more', className: 'bad'});
  assert.deepEqual(change(-1, 1, true), {text: '2 more', className: 'good'});
  assert.deepEqual(change(10, 10.001, false), {text: 'the same', className: ''});
  assert.equal(change(null, 1, false), null);
});

test('a context has values at shares of its range', () => {
  assert.equal(valueAt({type: 'number', from: 10, to: 30}, 0.25), 15);
  assert.equal(valueAt({type: 'number', from: 1, to: 10000, scale: 'log'}, 0.5), 100);
  assert.equal(valueAt({type: 'cyclic', period: 8}, 0.5), 4);
  assert.equal(valueAt({type: 'clock', clock: 'week'}, 1), 7);
});

test('pauses go from their mark to the next, or from and to the ends', () => {
  const marks = [[5, 'resume'], [10, 'pause'], [15, 'restart'], [20, 'resume'], [30, 'pause']];
  assert.deepEqual(pauses(marks.map(([at, kind]) => ({at, kind})), 99), [[-Infinity, 5], [10, 20], [30, 99]]);
  assert.deepEqual(pauses([], 99), []);
});

const told = (more) => ({told: 100, proof: '', belief: {gain: null, gain_error: null}, first: {}, recent: {}, ...more});
const losses = (mean, error) => ({count: 50, mean, error});

test('a verdict takes the coin, else the belief, else the losses', () => {
  const say = (status, maximize = false) => verdict(told(status), {maximize});
  assert.equal(say({told: 0}).text, 'Nothing was told yet.');
  assert.deepEqual(say({proof: 'better by 0.41 +- 0.06 (95 %, whenever you look), proven since play 349; 10 % of plays pay for this',
    proven: true, belief: {gain: -1, gain_error: 0.1}}), {className: 'good',
    text: 'It pays: what is played is better than the start by 0.41 ± 0.06 (95 %, whenever you look), proven since play 349.'});
  for (const [way, known] of [['better', false], ['worse', false], ['worse', true]]) {
    const {text, className} = say({proof: way + ' by 1 +- 2 (95 %, whenever you look), not proven; 10 %', worse: known});
    assert.match(text, known ? /^It does not pay: / : /^It is not known yet whether it pays: /);
    assert.ok(text.includes(way + ' than the start by 1 ± 2'), text);
    assert.equal(className, known ? 'bad' : '');
  }
  assert.deepEqual(say({belief: {gain: 0.4, gain_error: 0.1}}), {className: 'good',
    text: 'It pays: what it would deploy is better than the start by 0.4 ± 0.2 (95 %).'});
  // Within 1.96 errors, and not within one.
  assert.match(say({belief: {gain: 0.19, gain_error: 0.1}}).text, /^It is not known yet whether it pays/);
  assert.deepEqual(say({belief: {gain: -0.4, gain_error: 0.1}}).className, 'bad');
  assert.equal(say({belief: {gain: 0, gain_error: 0.5}}).text, 'Nothing better than the start is known yet; there may be up to 0.98 to gain.');
  assert.equal(say({proof: 'too few plays at the start yet; 10 %', belief: {gain: 0.4, gain_error: 0.1}}).className, 'good');
  assert.match(say({first: losses(5, null)}).text, /^Too few losses/);
  assert.deepEqual(say({first: losses(5, 0.3), recent: losses(4, 0.4)}), {className: 'good',
    text: 'It pays: recent losses are better than the first ones by 1 ± 0.98 (95 %).'});
  assert.equal(say({first: losses(5, 0.3), recent: losses(4, 0.4)}, true).className, 'bad');
});

test('what a storage does not take is kept as long as the page', async () => {
  globalThis.document = {getElementById: () => null};
  const {keeping} = await import('../../src/service/page/api.js');
  const kept = keeping(() => ({getItem: () => null, setItem() { throw new Error('it is full'); }}));
  assert.equal(kept.get('token'), null);
  kept.set('token', 'kh_1');
  assert.equal(kept.get('token'), 'kh_1');
});

test('a recipe has the name, the address, contexts, limits and a token', () => {
  const about = {on: 'space', maximize: true, contexts: [{name: 'load', type: 'number', from: 0, to: 10},
    {name: 'who', type: 'choice', names: ["it's", 'b']}, {name: 'hour', type: 'clock', clock: 'day'}],
  limits: [{name: 'p99', least: 3}]};
  const [curl, python, drive] = recipes('a.b', about, 'http://h:1', true).map(({text}) => text);
  assert.match(curl, /Bearer \$KEYHOLE_TOKEN.*"context":\{"load":5,"who":"it'\\''s"\}.*http:\/\/h:1\/v1\/studies\/a\.b\/asks/);
  assert.match(curl, /"play":1,"loss":0.5,"metrics":\{"p99":3\}/);
  assert.match(python, /context=\{"load": 5, "who": "it's"\}\)\n {4}gain = run\(play.values\)/);
  assert.match(drive, /^keyhole study drive a\.b .*--tenant=TENANT --context-from=/);
  const bare = recipes('a', {on: 'simplex(3)', contexts: [], limits: []}, 'http://h', false).map(({text}) => text).join();
  assert.doesNotMatch(bare, /context|metrics|TOKEN|tenant|undefined/);
  assert.match(bare, /loss = run\(play.point\)/);
});
