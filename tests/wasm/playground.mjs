// usage: playground.mjs [FOLDER]
//
// The playground in Chromium: sets in two and three dimensions are played on, the digits are those
// of other builds, errors are shown. With a folder it leaves pictures there, at two widths and in
// both themes.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';

import {browser} from '../page/service.mjs';

const root = new URL('../..', import.meta.url).pathname;
const page = `<!doctype html><html lang="en"><title>Playground</title><link rel="stylesheet" href="/docs/site.css">
  <h1 id="playground">Playground</h1><div id="play"></div><script type="module" src="/docs/playground/playground.js"></script>`;
const types = {js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', bin: 'application/octet-stream'};

/** The pages as the site has them: the library lies next to the playground. */
const server = createServer((request, response) => {
  const path = request.url.split('?')[0];
  if (path === '/') {
    response.writeHead(200, {'Content-Type': 'text/html'}).end(page);
    return;
  }
  const packaged = path.replace(/^\/docs\/playground\/(?=keyhole\.)/, '/build/wasm/package/');
  try {
    const bytes = readFileSync(join(root, packaged));
    response.writeHead(200, {'Content-Type': types[path.split('.').at(-1)] ?? 'text/plain'}).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const url = `http://127.0.0.1:${server.address().port}/`;

const pictures = process.argv[2];
const chromium = await browser();
const errors = [];
try {
  for (const [width, colorScheme] of [[1200, 'light'], [1200, 'dark'], [400, 'light']]) {
    const tab = await (await chromium.newContext({viewport: {width, height: 1000}, colorScheme})).newPage();
    tab.setDefaultTimeout(120000);
    tab.on('pageerror', (error) => errors.push(error.message));
    for (const set of ['ball(2)', 'simplex(3)', 'box(0, 1, 3)']) {
      await tab.goto(url + '?set=' + encodeURIComponent(set));
      await tab.getByRole('button', {name: 'Run'}).click();
      await tab.waitForFunction(() => globalThis.played.run.regret.length > 20);
      await tab.getByRole('button', {name: 'Pause'}).click();
      const [regret, ofStaying] = await tab.evaluate(() => {
        const {run} = globalThis.played;
        while (run.regret.length < 2000) run.step();
        return [run.regret.at(-1), run.ofStaying.at(-1)];
      });
      assert.ok(regret < ofStaying / 3, `${set}: ${regret} and ${ofStaying} of staying`);
      // Where the loss is least moves to where the reader clicks, and the learner follows.
      await tab.locator('.play-map').click({position: {x: width < 500 ? 170 : 230, y: width < 500 ? 170 : 230}});
      const far = await tab.evaluate(() => {
        const {run} = globalThis.played;
        for (let k = 0; k < 4000; ++k) run.step();
        const found = run.body.seen(run.learner.recommend());
        return run.loss(found);
      });
      assert.ok(far < 0.02, `${set}: ${far} after a move`);
      if (set !== 'box(0, 1, 3)') await tab.getByLabel('show what it believes').check();
      if (pictures) await tab.screenshot({path: join(pictures, `${set.slice(0, 4)}-${width}-${colorScheme}.png`)});
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${set} is too wide`);
    }
    if (width === 1200 && colorScheme === 'light') {
      const links = readdirSync(join(root, 'docs/sets')).filter((name) => name.endsWith('.md')).flatMap((name) =>
        [...readFileSync(join(root, 'docs/sets', name), 'utf8').matchAll(/playground\.md\?set=([^)]*)\)/g)]
          .map((match) => decodeURIComponent(match[1])));
      assert.ok(links.length > 60);
      const wrong = await tab.evaluate(async (specs) => {
        const {Body, Run} = await import('/docs/playground/playground.js');
        const {load} = await import('/docs/playground/keyhole.js');
        const keyhole = await load();
        return specs.flatMap((spec) => {
          try {
            const run = new Run(new Body(keyhole.set(spec)));
            for (let k = 0; k < 20; ++k) run.step();
            return run.body.size === 2 || run.body.size === 3 ? [] : [`${spec}: ${run.body.size} dimensions`];
          } catch (error) {
            return [`${spec}: ${error}`];
          }
        });
      }, links);
      assert.deepEqual(wrong, []);
    }
    await tab.getByRole('textbox', {name: 'Set'}).fill('bal(2)');
    await tab.getByRole('button', {name: 'Begin again'}).click();
    await tab.getByText("did you mean 'ball'?").waitFor();
    await tab.getByRole('textbox', {name: 'Set'}).fill('ball(7)');
    await tab.getByRole('button', {name: 'Begin again'}).click();
    await tab.getByText('more than 3 dimensions').waitFor();
    const same = await tab.evaluate(async () => {
      const {load} = await import('/docs/playground/keyhole.js');
      const answer = await fetch('/tests/golden/state_11_posterior.bin');
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const state = (await load()).open(bytes).state();
      return bytes.length === state.length && bytes.every((byte, k) => byte === state[k]);
    });
    assert.ok(same, 'a state has other bytes in the browser');
  }
  assert.deepEqual(errors, []);
} finally {
  await chromium.close();
  server.close();
}
