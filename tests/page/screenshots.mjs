// usage: screenshots.mjs <keyhole program> <folder> [<seconds>]
//
// Runs a study with late and missing feedback for some seconds and leaves pictures of its page.

import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {Load, Service, sleep} from './service.mjs';
import {shoot} from './shoot.mjs';

const [program, out, seconds = '90'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'keyhole-page-'));
const service = new Service(program, folder);
mkdirSync(out, {recursive: true});
await service.start();

await service.post('/v1/studies', {
  name: 'web-cache',
  space: {
    parameters: [
      {name: 'timeout', type: 'number', from: 5, to: 500, scale: 'log', unit: 'ms'},
      {name: 'batch', type: 'integer', from: 1, to: 64},
      {name: 'memory', type: 'shares', names: ['index', 'pages', 'spare']},
    ],
    constraints: ['memory.spare >= 0.05'],
  },
  start: {timeout: 300, batch: 4},
  window: 512,
});

// Milliseconds of a request, with noise; no generator of random numbers here needs to be good.
let state = 1;
const random = () => (state = (16807 * state) % 2147483647) / 2147483647;
const cost = ({timeout, batch, memory}) => 20 + 8 * Math.log(timeout / 40) ** 2 +
    ((batch - 24) / 16) ** 2 + 30 * (memory[0] - 0.5) ** 2 + 30 * (memory[1] - 0.4) ** 2 + 4 * random();
const late = () => random() < 0.01 ? null : 20 + 400 * random() ** 3;
const loads = [1, 2, 3].map((k) => new Load(service, 'web-cache',
    {worker: `frontend-${k}`, loss: cost, delay: () => 20 + 60 * random()}));
loads.push(new Load(service, 'web-cache', {loss: cost, delay: late}));
await sleep(1000 * Number(seconds));

await shoot(service.url + '/#/studies/web-cache', join(out, 'page-study'),
    {wait: 2500, fullPage: true});
await Promise.all(loads.map((load) => load.stop()));
await service.end('SIGTERM');
rmSync(folder, {recursive: true});
