// clients/javascript against a service, from Node and from a browser, and through a proxy that fails.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';

import {KeyholeError, connect} from '../../clients/javascript/keyhole.js';
import {Service, browser} from './service.mjs';

const folder = mkdtempSync(join(tmpdir(), 'keyhole-'));
const service = new Service(process.env.KEYHOLE, join(folder, 'studies'));
const space = {
  parameters: [{name: 'timeout', type: 'number', from: 5, to: 500}],
  contexts: [{name: 'load', type: 'number', from: 0, to: 100}],
};

before(() => service.start());
after(async () => {
  await service.end('SIGTERM');
  rmSync(folder, {recursive: true});
});

test('a study does what it does by HTTP', async () => {
  const client = connect(service.url + '/');
  const study = await client.create({name: 'blocks', space});
  await client.create({name: 'blocks', space});
  const play = await study.ask('w1', {load: 12});
  assert.deepEqual(await study.ask('w1'), play);
  assert.equal(play.context.load, 12);
  assert.equal(await study.fate(play.play), 'pending');
  assert.equal(await study.tell(play.play, 0.5, {count: 3}), 'fresh');
  assert.equal(await study.tell(play.play, 0.5, {count: 3}), 'repeated');
  const {receipts, plays} = await study.step([{play: play.play, loss: 0.5, count: 3}], {asks: 3});
  assert.deepEqual([receipts, plays.length], [['repeated'], 3]);
  assert.deepEqual((await study.step([{play: plays[0].play, loss: 1}], {asks: 0})).receipts, ['fresh']);
  assert.deepEqual(await study.learn([{values: {timeout: 50}, loss: 0.5}], {id: 'past-1'}),
                   {learned: 1, projected: 0, skipped: 0});
  assert.ok((await study.recommend({load: 3})).values.timeout >= 5);
  assert.ok((await study.recommend()).values.timeout >= 5);
  assert.deepEqual(await study.recommend({load: null}), await study.recommend());
  await study.pause();
  assert.equal((await study.show()).paused, true);
  await study.pause(false);
  assert.equal((await client.open('blocks')).name, 'blocks');
  assert.deepEqual(await client.list(), ['blocks']);
  await study.label({note: 'for the disk', tags: ['prod', 'team:io']});
  const found = {name: 'blocks', note: 'for the disk', tags: ['prod', 'team:io']};
  assert.deepEqual(await client.find({tag: 'prod', text: 'DISK', prefix: 'b'}), [found]);
  assert.deepEqual(await client.find({tag: 'eu'}), []);
  await study.label({tags: ['eu']});
  assert.equal((await study.show()).note, undefined);
  await client.remove('blocks');
  assert.deepEqual(await client.list(), []);
  await assert.rejects(client.undelete('blocks'), {code: 'unknown_study'});
});

test('errors have the words of the service', async () => {
  const client = connect(service.url, {patience: 0.1});
  const code = async (promise) => {
    const error = await promise.then(() => assert.fail('it succeeded'), (found) => found);
    assert.ok(error instanceof KeyholeError, String(error));
    assert.ok(error.message.length > 10);
    return [error.status, error.code];
  };
  assert.deepEqual(await code(client.open('none')), [404, 'unknown_study']);
  assert.deepEqual(await code(client.create({name: 'x', set: 'nuclear_ball(4000, 4000)'})), [413, 'too_large']);
  const study = await client.create({name: 'split', set: 'simplex(3)'});
  const {play} = await study.ask();
  assert.deepEqual(await code(study.tell(play, NaN)), [0, 'invalid_argument']);
  assert.deepEqual(await code(study.tell(play, '1')), [400, 'invalid_argument']);
  await study.tell(play, 1);
  assert.deepEqual(await code(study.tell(play, 2)), [409, 'contradiction']);
  await client.remove('split');
  assert.deepEqual(await code(client.remove('split')), [404, 'unknown_study']);
  const closed = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
  assert.deepEqual(await code(connect('http://127.0.0.1:' + closed, {patience: 0.1}).list()), [0, 'unreachable']);
});

/** Passes requests on, and fails at every third in one of four ways. */
async function failingProxy() {
  let count = 0;
  const failures = {lost: 0, cut: 0, busy: 0, rate: 0};
  const proxy = createServer(async (got, answer) => {
    const parts = [];
    for await (const part of got) parts.push(part);
    const way = ++count % 3 === 0 && ['lost', 'cut', 'busy', 'rate'][count / 3 % 4];
    if (way) ++failures[way];
    if (way === 'lost') return got.socket.destroy();
    if (way === 'busy' || way === 'rate') {
      answer.writeHead(way === 'busy' ? 503 : 429, {'Content-Type': 'application/problem+json'});
      return answer.end(`{"type": "urn:keyhole:${way}", "detail": "try again"}`);
    }
    const passed = request(service.url + got.url, {method: got.method}, (reply) => {
      const body = [];
      reply.on('data', (part) => body.push(part));
      reply.on('end', () => {
        if (way === 'cut') return got.socket.destroy();
        answer.writeHead(reply.statusCode, reply.headers);
        answer.end(Buffer.concat(body));
      });
    });
    passed.end(Buffer.concat(parts));
  });
  await new Promise((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  return {proxy, failures, url: 'http://127.0.0.1:' + proxy.address().port};
}

test('nothing is lost or done twice by a worker behind a proxy that fails', async () => {
  const {proxy, failures, url} = await failingProxy();
  const study = await connect(url).create({name: 'failing', set: 'simplex(3)'});
  let play = await study.ask('w1');
  for (let round = 1; round <= 60; ++round) {
    assert.equal(play.play, round);
    const {receipts, plays} = await study.step([{play: play.play, loss: play.point[0]}], {worker: 'w1'});
    assert.deepEqual(receipts, ['fresh']);
    [play] = plays;
  }
  const {crypto} = globalThis;
  delete globalThis.crypto;  // as in Node 18; a page by http has no randomUUID
  try {
    for (let k = 0; k < 9; ++k) await study.learn([{point: [1, 0, 0], loss: 1}]);
  } finally {
    Object.defineProperty(globalThis, 'crypto', {value: crypto, configurable: true});
  }
  const shown = await connect(service.url).open('failing').then((open) => open.show());
  assert.deepEqual([shown.asked, shown.told, shown.past], [61, 60, 9]);
  for (const [way, times] of Object.entries(failures)) assert.ok(times > 5, way);
  await connect(url).remove('failing');
  proxy.closeAllConnections();
  proxy.close();
});

test('a service that starts again is waited for', async () => {
  const study = await connect(service.url).create({name: 'again', set: 'simplex(3)'});
  await service.end('SIGTERM');
  const asked = study.ask();
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  await service.start();
  assert.equal((await asked).play, 1);
});

test('a browser uses it as it is', async () => {
  const source = readFileSync(new URL('../../clients/javascript/keyhole.js', import.meta.url));
  const chromium = await browser();
  try {
    const page = await chromium.newPage({bypassCSP: true});
    await page.goto(service.url);
    const result = await page.evaluate(async (module) => {
      const {connect: open} = await import('data:text/javascript;base64,' + module);
      const study = await open(location.origin).create({name: 'browsed', set: 'simplex(3)'});
      const {plays: [play]} = await study.step([], {worker: 'tab'});
      return [await study.tell(play.play, 1), (await study.recommend()).point.length];
    }, source.toString('base64'));
    assert.deepEqual(result, ['fresh', 3]);
  } finally {
    await chromium.close();
  }
});

test('the block of docs/clients.md finds the best value', () => {
  const path = (name) => new URL('../../' + name, import.meta.url).pathname;
  const [, block] = readFileSync(path('docs/clients.md'), 'utf8').match(/```javascript\n(.*?)```/s);
  const file = join(folder, 'block.mjs');
  writeFileSync(file, block.replace("'keyhole-client'", `'${path('clients/javascript/keyhole.js')}'`)
    .replace('http://127.0.0.1:8600', service.url));
  const printed = execFileSync('node', [file], {encoding: 'utf8'});
  const timeout = Number(printed.match(/timeout: ([\d.]+)/)[1]);
  assert.ok(Math.abs(timeout - 200) < 50, printed);
});

test('its types are those of openapi.yaml, and have what the block of docs/clients.md gives', () => {
  const text = (name) => readFileSync(new URL('../../' + name, import.meta.url), 'utf8');
  const [, parameter] = text('docs/clients.md').match(/parameters: \[\{(.*?)\}/);
  const [, type] = text('clients/javascript/openapi.d.ts').match(/ parameters: Array<\{(.*?)\}>/s);
  for (const [, name] of parameter.matchAll(/(\w+):/g)) assert.match(type, new RegExp(`\\b${name}\\??:`));
  execFileSync(new URL('../../scripts/javascript-types', import.meta.url).pathname, ['--check']);
});
