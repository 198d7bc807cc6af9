// usage: page.mjs <keyhole program>
//
// The page in Chromium against the service: create a study by keyboard, run it, see its numbers
// change, pause exploring, download the report, reload, kill the service and start it again, ask what
// would be deployed in a context, see how a limit is kept, a token, a narrow window. No error in the
// console and no request to another host.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {Load, Service, browser, sleep} from './service.mjs';

const program = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'keyhole-page-'));
const service = new Service(program, join(folder, 'studies'));
const patience = 120000;  // milliseconds: what takes longer hangs, on a busy machine too
const errors = [];
const requests = new Set();
let expected = /nothing/;  // Chromium tells of every request that fails, and some must

/** A page whose errors and requests are noted. */
async function newPage(chromium, options = {}) {
  const context = await chromium.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) errors.push(message.text());
  });
  page.on('request', (request) => requests.add(new URL(request.url()).origin));
  return page;
}

/** Runs a step in which these errors must be. */
async function expecting(pattern, step) {
  expected = pattern;
  await step();
  expected = /nothing/;
}

/** What stands below a name, as "Asked". */
const fact = async (page, name) =>
  page.locator('dl.facts div', {has: page.getByText(name, {exact: true})}).locator('dd').first().textContent();

async function until(what, condition) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    if (await condition()) return;
    await sleep(100);
  }
  assert.fail('waited too long: ' + what);
}

const focused = (page) => page.evaluate(() => {
  const here = document.activeElement;
  return here.labels?.[0]?.textContent.trim() || here.textContent.trim();
});

/** Goes on by the tabulator until a field or link of that name has the focus. */
async function tabTo(page, name) {
  for (let k = 0; k < 40; ++k) {
    if ((await focused(page)).startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('the tabulator does not come to ' + name);
}

async function createByKeyboard(page) {
  await page.goto(service.url);
  await page.getByText('There is no study yet').waitFor();
  await tabTo(page, 'New study');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'New study'}).waitFor();
  await tabTo(page, 'Name');
  await page.keyboard.type('cache');
  await page.keyboard.press('Tab');
  await tabTo(page, 'Name');
  await page.keyboard.type('timeout');
  await tabTo(page, 'From');
  await page.keyboard.type('5');
  await expecting(/status of 400/, async () => {
    await page.keyboard.press('Enter');
    // The service says what is missing, at its place.
    await page.getByRole('alert').filter({hasText: "'to' is missing"}).waitFor();
  });
  const to = page.getByLabel('To', {exact: true});
  assert.equal(await to.getAttribute('aria-invalid'), 'true');
  await until('the focus', async () => (await focused(page)).startsWith('To'));
  await page.keyboard.type('500');
  await tabTo(page, 'Scale');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, 'Unit');
  await page.keyboard.type('ms');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'cache', exact: true}).waitFor();
  const made = await (await fetch(service.url + '/v1/studies/cache')).json();
  assert.deepEqual(made.space.parameters,
      [{name: 'timeout', type: 'number', from: 5, to: 500, scale: 'log', unit: 'ms'}]);
}

async function runAndWatch(page) {
  const odd = '<img/src=x/onerror=alert(1)>';
  const load = new Load(service, 'cache', {worker: odd, loss: ({timeout}) => Math.log(timeout / 20) ** 2});
  await until('alive', async () => await page.locator('.state').textContent() === 'alive');
  const before = Number((await fact(page, 'Asked')).replace(',', ''));
  await until('more plays', async () => Number((await fact(page, 'Asked')).replace(',', '')) > before);
  await until('a mean', async () => Number.isFinite(Number(await fact(page, 'Recent loss'))));
  assert.match(await fact(page, 'On the disk'), / bytes$/);
  await until('saved', async () => Number.isFinite(Number((await fact(page, 'Saved in all')).replace(',', ''))));
  assert.match(await page.getByRole('row', {name: /^timeout/}).textContent(), /ms/);
  await page.getByRole('rowheader', {name: odd}).waitFor();  // a text, and no element
  const plots = page.getByRole('img');
  assert.equal(await plots.count(), 3);
  await load.stop();
  assert.ok(load.steps > 0);
}

async function copy(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await Promise.all([
    page.getByText('Copied').waitFor(),  // it is there for seconds only
    page.getByRole('button', {name: 'Copy as JSON'}).click(),
  ]);
  const recommended = await (await fetch(service.url + '/v1/studies/cache/recommendation')).json();
  assert.deepEqual(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())), recommended.values);
}

/** What the page must say of the plays asked. */
const asked = async () =>
  (await (await fetch(service.url + '/v1/studies/cache')).json()).asked.toLocaleString('en');

/** The button pauses exploring; plays are what is recommended until it is pressed again. */
async function pause(page) {
  await page.getByRole('button', {name: 'Pause exploring'}).click();
  await until('the pause', async () => /exploring paused/.test(await page.locator('.state').textContent()));
  const {plays: [play]} = await service.post('/v1/studies/cache/asks', {});
  assert.equal(play.recommended, true);
  await page.reload();
  await page.getByRole('button', {name: 'Explore again'}).click();
  await page.getByRole('button', {name: 'Pause exploring'}).waitFor();
  const made = await (await fetch(service.url + '/v1/studies/cache')).json();
  assert.equal(made.paused, false);
}

/** The report is a file with the losses; a loss that contradicts another is shown. */
async function reportAndContradiction(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', {name: 'Report (HTML)'}).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'cache.html');
  assert.match(readFileSync(await download.path(), 'utf8'), /cache/);
  const refused = await fetch(service.url + '/v1/studies/cache/tells',
      {method: 'POST', body: JSON.stringify({tells: [{play: 1, loss: 1e6}]})});
  assert.equal(refused.status, 409);
  await until('the contradiction', async () => await fact(page, 'Contradicting') === '1');
  await page.getByText('1 tell contradicted what was told before').waitFor();
}

async function reload(page) {
  await page.reload();
  const now = await asked();
  await until('the plays after a reload', async () => await fact(page, 'Asked') === now);
}

async function killAndBringBack(page) {
  const before = await asked();
  const lost = page.getByRole('status').filter({hasText: 'Connection lost, trying again'});
  await expecting(/net::ERR_/, async () => {
    await service.end('SIGKILL');
    await lost.waitFor();
    await service.start();
    await lost.waitFor({state: 'hidden'});
  });
  await until('the plays after a crash', async () => await fact(page, 'Asked') === before);
  await service.post('/v1/studies/cache/steps', {asks: 1});
  await until('one more', async () => await fact(page, 'Asked') !== before);
}

/** The list, and a name that does not exist. */
async function others(page) {
  await page.getByRole('link', {name: 'Studies'}).click();
  await page.getByRole('row', {name: /^cache/}).waitFor();
  await expecting(/status of 404/, async () => {
    await page.goto(service.url + '/#/studies/unknown');
    await page.getByText("there is no study 'unknown'").waitFor();
  });
}

/** Sliders and choices of contexts decide what is shown, copied and drawn. */
async function contexts(page) {
  await service.post('/v1/studies', {name: 'shop', space: {
    parameters: [{name: 'threads', type: 'number', from: 1, to: 64}],
    contexts: [{name: 'load', type: 'number', from: 0, to: 5000, unit: 'req/s'},
      {name: 'segment', type: 'choice', names: ['new', '100 % & more']}, {name: 'hour', clock: 'day'}]}});
  const losses = [...Array(200).keys()].map((k) => {
    const [threads, load] = [1 + k * 37 % 64, 25 * k];
    return {values: {threads}, context: {load}, loss: ((threads - load / 80) / 64) ** 2};
  });
  await service.post('/v1/studies/shop/past', {losses});
  await page.goto(service.url + '/#/studies/shop');
  const row = page.getByRole('row', {name: /^threads/});
  const charts = page.locator('.over-charts [role=img]');
  await until('the chart', async () => await charts.count() === 1);
  const shown = async (query) => {
    const {point: [x]} = await (await fetch(service.url + '/v1/studies/shop/recommendation?' + query)).json();
    const text = Number(x.toPrecision(4)).toLocaleString('en', {maximumSignificantDigits: 4});
    await until(query + ' gives ' + text, async () => (await row.locator('td').first().textContent()) === text);
    return x;
  };
  await page.getByRole('button', {name: 'Nothing is known'}).click();
  await shown('');
  const slider = page.getByRole('slider', {name: 'load'});
  await slider.fill('48');
  const low = await shown('load=500');
  await slider.fill('432');
  assert.ok(await shown('load=4500') > low + 20);
  assert.match(await slider.getAttribute('aria-valuetext'), /4,500 req/);
  await page.getByLabel('segment').selectOption('100 % & more');
  await page.getByRole('slider', {name: 'hour'}).fill('240');
  await shown('load=4500&segment=100%20%25%20%26%20more&hour=12');
  await page.getByLabel('Drawn over').selectOption('hour');
  await until('the name', async () => /hour/.test(await charts.first().locator('.u-legend').textContent()));
}

/** The facts of a limit, what was told next to it, and the alarm where no point is within. */
async function limits(page) {
  assert.ok(await page.getByText('Is it within its limits?').isHidden());
  await service.post('/v1/studies', {name: 'limited', start: {threads: 16}, space: {
    parameters: [{name: 'threads', type: 'number', from: 1, to: 64}],
    limits: [{name: 'p99', most: 200, unit: 'ms'}, {name: 'never', most: 1}]}});
  let tells = [];
  const play = async (rounds) => {
    for (let k = 0; k < rounds; ++k) {
      const {plays: [{play, values: {threads}}]} = await service.post('/v1/studies/limited/steps', {asks: 1, tells});
      tells = [{play, loss: 100 - threads, metrics: {p99: 40 + threads ** 2 / 10 + k % 5, never: 5 + threads / 64 + k % 5 / 10}}];
    }
  };
  await play(1);
  await page.goto(service.url + '/#/studies/limited');
  const shown = page.locator('.limits > div', {has: page.getByRole('heading', {name: 'p99'})});
  await shown.getByText('nothing told yet').waitFor();
  assert.equal(await shown.locator('dd').first().textContent(), '200 ms');
  await play(100);
  await shown.getByText(/ ± .* ms/).waitFor();
  await shown.getByText(/would save .* a round|costs nothing/).waitFor();
  await page.getByText('no point is within the limit of never').waitFor();
  await until('the chart', async () => /limit/.test(await shown.locator('.u-legend').textContent()));
  assert.equal(await page.locator('.limits [role=img]').count(), 2);
}

async function isNarrow(chromium, colorScheme) {
  const page = await newPage(chromium, {viewport: {width: 360, height: 740}, colorScheme});
  for (const path of ['/#/', '/#/studies/cache', '/#/studies/shop', '/#/studies/limited', '/#/new']) {
    await page.goto(service.url + path);
    await page.getByText(/cache|shop|limited|New study/).last().waitFor();
    if (path.endsWith('cache')) await page.getByRole('row', {name: /^timeout/}).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${path} is ${width} pixels wide`);
  }
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
  await page.context().close();
}

async function asksForAToken(chromium) {
  const tokens = join(folder, 'tokens');
  writeFileSync(tokens, '');
  const token = execFileSync(program, ['token', 'new', 'acme', '--scope=admin', '--tokens=' + tokens],
      {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']})
      .match(/kh_\S+/)[0];
  const guarded = new Service(program, join(folder, 'guarded'));
  await guarded.start(['--tokens=' + tokens]);
  const page = await newPage(chromium);
  await page.goto(guarded.url);
  const field = page.getByRole('dialog').getByLabel('Token', {exact: true});
  await field.fill('kh_wrong');
  await field.press('Enter');
  await page.getByText('The service does not take this token.').waitFor();
  await field.fill(token);
  await field.press('Enter');
  await page.getByText('There is no study yet').waitFor();
  await page.reload();
  await page.getByText('There is no study yet').waitFor();
  // The stream of a study ends with its token.
  const made = await fetch(guarded.url + '/v1/studies', {method: 'POST', headers: {Authorization: 'Bearer ' + token},
    body: JSON.stringify({name: 'live', set: 'simplex(3)'})});
  assert.equal(made.status, 201);
  await page.goto(guarded.url + '/#/studies/live');
  await page.getByText('nothing written yet').waitFor();
  writeFileSync(tokens, '');
  guarded.process.kill('SIGHUP');
  await page.getByText('The service does not take this token.').waitFor();
  await page.context().close();
  requests.delete(guarded.url);
  assert.equal(await guarded.end('SIGTERM'), 0);
}

const chromium = await browser();
try {
  await service.start();
  const page = await newPage(chromium, {viewport: {width: 1280, height: 800}});
  for (const step of [createByKeyboard, runAndWatch, copy, pause, reportAndContradiction, reload, killAndBringBack,
    others, contexts, limits]) {
    const begin = Date.now();
    await step(page);
    console.log(`${step.name}: ${Date.now() - begin} ms`);
  }
  await page.context().close();
  await isNarrow(chromium, 'light');
  await isNarrow(chromium, 'dark');
  await expecting(/status of 401/, () => asksForAToken(chromium));
  assert.deepEqual(errors, []);
  assert.deepEqual([...requests], [service.url]);
} finally {
  await chromium.close();
  await service.end('SIGTERM');
  rmSync(folder, {recursive: true});
}
