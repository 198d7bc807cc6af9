// A service to look at: started, stepped, killed; and the browser.

import {execFileSync, spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';

const {chromium} = createRequire(import.meta.url)('../../.cache/npm/playwright-core');

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const browser = () => chromium.launch({
  executablePath: execFileSync('which', ['chromium'], {encoding: 'utf8'}).trim(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});

/** `keyhole serve` on a port of this machine; 0 takes a free one. */
export class Service {
  constructor(program, store) {
    this.program = program;
    this.store = store;
    this.port = 0;
  }

  async start(options = []) {
    this.process = spawn(this.program, ['serve', '--store=' + this.store,
      '--listen=127.0.0.1:' + this.port, '--durability=process', ...options],
    {stdio: ['ignore', 'pipe', 'inherit']});
    for await (const line of createInterface({input: this.process.stdout})) {
      this.port = Number(line.match(/:(\d+)\/?$/)[1]);
      this.url = 'http://127.0.0.1:' + this.port;
      return;
    }
    throw new Error('the service did not start');
  }

  async end(signal) {
    const ended = new Promise((resolve) => this.process.on('exit', (code) => resolve(code)));
    this.process.kill(signal);
    return ended;
  }

  async post(path, body) {
    const response = await fetch(this.url + path, {method: 'POST', body: JSON.stringify(body)});
    if (!response.ok) throw new Error(path + ': ' + await response.text());
    return response.json();
  }
}

/** Asks and tells in a loop until it is stopped: loss(values) after `delay()` milliseconds, or never
 *  where that is null. A worker waits for its loss; without one, the next ask does not. */
export class Load {
  constructor(service, study, {worker, loss, delay = () => 0, pause = 20}) {
    this.on = true;
    this.steps = 0;
    this.done = (async () => {
      const path = `/v1/studies/${study}/steps`;
      let tells = [];
      while (this.on) {
        const due = tells;
        tells = [];
        const {plays: [play]} = await service.post(path, worker ? {tells: due, worker} : {tells: due});
        ++this.steps;
        const late = delay();
        const told = {play: play.play, loss: loss(play.values)};
        if (worker) await sleep(late ?? 0);
        if (worker || late === 0) tells.push(told);
        else if (late !== null) setTimeout(() => tells.push(told), late);
        await sleep(pause);
      }
    })();
  }

  async stop() {
    this.on = false;
    await this.done;
  }
}
