// usage: page.mjs <keyhole program> [<step>...]
//
// The page in Chromium against the service: create a study by keyboard, run it, see its numbers
// change, pause exploring, download the report, reload, kill the service and start it again, stop
// it for a while, change the colours, ask what would be deployed in a context, see how a limit is
// kept, follow what a new study says, look at its plays, give it a wider space, delete it, a token,
// a narrow window, a browser that keeps nothing, axe. No error in the console and no request to
// another host. With names of steps only those are run.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {Load, Service, browser, sleep} from './service.mjs';

const [program, ...wanted] = process.argv.slice(2);
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

/** Limits and contexts in the form; what is wrong with one is said at its row. */
async function createWithLimits(page) {
  await page.goto(service.url + '/#/new');
  await page.locator('#name').fill('formed');
  const row = (name) => page.getByRole('group', {name, exact: true});
  const fill = async (name, fields) => {
    for (const [label, text] of Object.entries(fields)) {
      const field = row(name).locator('label', {hasText: new RegExp('^' + label + '\\b')}).locator('input, select');
      if (await field.evaluate((each) => each.tagName) === 'SELECT') await field.selectOption(text);
      else await field.fill(text);
    }
  };
  await fill('Parameter 1', {Name: 'threads', Type: 'integer', From: '1', To: '64', 'Value today': '16'});
  await page.getByText('Limits: what').click();
  const addLimit = page.getByRole('button', {name: 'Add a limit'});
  await addLimit.click();
  await fill('Limit 1', {Metric: 'p99', Unit: 'ms', 'With probability': '2'});
  await addLimit.click();
  await fill('Limit 2', {Metric: 'hits', Is: 'least', Bound: '0.5', 'With probability': '0.9', Kept: 'all'});
  assert.ok(await row('Limit 2').getByLabel('With probability').isHidden());
  await page.getByText('Contexts: what').click();
  const addContext = page.getByRole('button', {name: 'Add a context'});
  await addContext.click();
  await fill('Context 1', {Name: 'load', From: '1', To: '5000', Scale: 'log'});
  await addContext.click();
  await fill('Context 2', {Name: 'hour', Type: 'clock'});
  const create = page.getByRole('button', {name: 'Create the study'});
  await expecting(/status of 400/, async () => {
    await create.click();
    await row('Limit 1').getByText('give most or least').waitFor();
  });
  assert.equal(await row('Limit 1').getByLabel('Bound').getAttribute('aria-invalid'), 'true');
  await fill('Limit 1', {Bound: '200'});
  await expecting(/status of 400/, async () => {
    await create.click();
    await row('Limit 1').getByText('each must be a probability').waitFor();
  });
  await fill('Limit 1', {'With probability': '0.99'});
  await create.click();
  await page.getByRole('heading', {name: 'formed', exact: true}).waitFor();
  const {space} = await (await fetch(service.url + '/v1/studies/formed')).json();
  assert.deepEqual(space.limits, [{name: 'p99', most: 200, each: 0.99, unit: 'ms'}, {name: 'hits', least: 0.5, over: 'all'}]);
  assert.deepEqual(space.contexts, [{name: 'load', type: 'number', from: 1, to: 5000, scale: 'log'}, {name: 'hour', type: 'clock', clock: 'day'}]);
}

async function runAndWatch(page) {
  const odd = '<img/src=x/onerror=alert(1)>';
  const load = new Load(service, 'cache', {worker: odd, loss: ({timeout}) => Math.log(timeout / 20) ** 2});
  await until('alive', async () => await page.locator('.state').textContent() === 'alive');
  const before = Number((await fact(page, 'Asked')).replace(',', ''));
  await until('more plays', async () => Number((await fact(page, 'Asked')).replace(',', '')) > before);
  await until('a mean', async () => Number.isFinite(Number(await fact(page, 'Recent loss'))));
  assert.match(await fact(page, 'On the disk'), / bytes$/);
  // Whether it pays is the first that is said, with an error.
  await until('a verdict', async () => /pays: .* ± .* \(95 %\)/.test(await page.locator('.verdict').textContent()));
  assert.equal(await page.locator('h1, h2, .verdict').nth(1).getAttribute('class'), await page.locator('.verdict').getAttribute('class'));
  assert.equal(await page.locator('h2').first().textContent(), 'Is it paying?');
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

/** A service that says nothing any more is as good as none, though its connection stands. */
async function fallSilent(page) {
  const lost = page.getByRole('status').filter({hasText: 'Connection lost, trying again'});
  service.process.kill('SIGSTOP');
  await lost.waitFor();
  service.process.kill('SIGCONT');
  await lost.waitFor({state: 'hidden'});
}

/** Charts are drawn in the colours of the theme, also of one that was chosen later. */
async function recolour(page) {
  const drawn = () => page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    const wanted = style.getPropertyValue('--series-1').match(/\w\w/g).map((part) => parseInt(part, 16));
    let count = 0;
    for (const canvas of document.querySelectorAll('canvas')) {
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) {
        count += data[i + 3] >= 250 && wanted.every((part, c) => Math.abs(data[i + c] - part) <= 2);
      }
    }
    return [wanted.join(), count > 30];
  });
  const colours = new Set();
  for (let k = 0; k < 2; ++k) {
    await page.getByRole('button', {name: /^Switch to/}).click();
    await until('curves in the colours of the theme', async () => (await drawn())[1]);
    colours.add((await drawn())[0]);
  }
  assert.equal(colours.size, 2);
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
  await page.getByRole('button', {name: 'Nothing is known'}).click();
  const moves = page.locator('.moves tbody tr');
  await until('the table', async () => await moves.count() === 3);
  await until('what the load does', async () =>
    /^load0?.* ± .*threads, [\d.]+ to [\d.]+( \(not sure\))?$/.test(await moves.first().textContent()));
  assert.match(await moves.nth(1).textContent(), /^segment.* ± .*nothing$/);
  assert.match(await charts.first().locator('.u-legend').textContent(), /least.*most.*threads/);
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

/** A table of the plays that were told last, and of those with the best losses. */
async function plays(page) {
  await service.post('/v1/studies', {name: 'played', space: {
    parameters: [{name: 'codec', type: 'choice', names: ['zstd', 'lz4']}, {name: 'parts', type: 'shares', names: ['a', 'b']}],
    limits: [{name: 'p99', most: 200}]}});
  const step = async (losses) => {
    const {plays} = await service.post('/v1/studies/played/asks', {count: losses.length});
    await service.post('/v1/studies/played/tells',
        {tells: plays.map(({play}, k) => ({play, loss: losses[k], metrics: {p99: 100 + play}}))});
    return plays;
  };
  const [, best] = await step([...Array(30).keys()].map((k) => k === 1 ? -7 : k));
  await page.goto(service.url + '/#/studies/played');
  const rows = page.locator('.plays tbody').first().getByRole('row');
  await rows.nth(5).waitFor();
  const cells = async (row) => row.getByRole('cell').allTextContents();
  assert.deepEqual(await page.locator('.plays thead').getByRole('columnheader').allTextContents(), ['Play', 'Loss', 'codec', 'parts', 'p99']);
  assert.equal(await rows.nth(1).getByRole('rowheader').textContent(), '2');
  const [loss, codec, , p99] = await cells(rows.nth(1));
  assert.deepEqual([loss, codec, p99], ['-7', best.values.codec, '102']);
  assert.equal(await rows.count(), 6);
  assert.equal(await page.locator('.plays tbody').last().getByRole('row').count(), 11);
  await step([-8]);  // it is read again
  await until('the new best', async () => (await cells(rows.nth(1)))[0] === '-8');
}

/** A new study says how to ask and tell it. What it says is run as it was copied, without the
 *  clipboard that browsers give to secure pages alone. */
async function newStudy(page) {
  await service.post('/v1/studies', {name: 'fresh', space: {
    parameters: [{name: 'threads', type: 'number', from: 1, to: 64}],
    contexts: [{name: 'load', type: 'number', from: 0, to: 5000}, {name: 'day', type: 'choice', names: ["it's Monday", 'later']},
      {name: 'hour', clock: 'day'}],
    limits: [{name: 'p99', most: 200, unit: 'ms'}]}});
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', {value: undefined}));
  await page.goto(service.url + '/#/studies/fresh');
  await page.reload();  // only now the script is run
  await page.getByText('Nothing was told yet').waitFor();
  const copied = async (name) => {
    const recipe = page.locator('.recipe', {has: page.getByRole('heading', {name})});
    await recipe.getByRole('button').click();
    await recipe.getByText('Copied').waitFor();
    await page.evaluate(() => document.body.append(document.createElement('textarea')));
    const field = page.locator('body > textarea');
    await field.focus();
    await page.keyboard.press('Control+V');
    const text = await field.inputValue();
    await field.evaluate((area) => area.remove());
    return text;
  };
  assert.match(await copied('keyhole study drive'), /keyhole study drive fresh .*--context-from=.* -- /);
  const python = await copied('Python');
  assert.match(python, new RegExp(`connect\\("${service.url}"\\)\\.open\\("fresh"\\)`));
  assert.match(python, /"load": 2500, "day": "it's Monday".*\n.*\n.*metrics=\{"p99": 200\}/);
  execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', python]);
  execFileSync('sh', ['-e', '-c', await copied('curl')], {stdio: 'ignore'});
  const made = await (await fetch(service.url + '/v1/studies/fresh')).json();
  assert.deepEqual([made.asked, made.told, made.limits.p99.recent], [2, 1, 200]);
  await page.getByText('Nothing was told yet').waitFor({state: 'hidden'});
  await page.reload();  // it is not new any more
  await page.getByText('How to ask and tell it').waitFor();
  assert.ok(await page.locator('.recipe').first().isHidden());
}

/** Charts have titles, and what is marked in them is said; pauses look unlike restarts. */
async function marks(page) {
  await service.post('/v1/studies', {name: 'marked', set: 'simplex(3)'});
  const {plays: [{play}]} = await service.post('/v1/studies/marked/asks', {});
  await service.post('/v1/studies/marked/tells', {tells: [{play, loss: 1}]});
  for (const paused of [true, false]) {
    await fetch(service.url + '/v1/studies/marked/paused', {method: 'PUT', body: JSON.stringify({paused})});
  }
  await page.goto(service.url + '/#/studies/marked');
  const said = page.getByRole('list', {name: 'Marked in the charts'}).getByRole('listitem');
  await until('the marks', async () => await said.count() === 2);
  assert.match(await said.first().textContent(), /exploring went on/);
  assert.deepEqual(await said.evaluateAll((all) => all.map((each) => each.className)), ['mark-resume', 'mark-pause']);
  await page.getByText('Mean loss over time', {exact: false}).first().waitFor();
  assert.equal(await page.locator('.chart-title').count(), await page.getByRole('img').count());
  for (const name of ['All calls (OpenAPI)', 'How to use the service']) {
    const link = await page.getByRole('link', {name}).getAttribute('href');
    assert.equal((await fetch(service.url + link)).status, 200);
  }
}

/** A change of the space is said with its play, and is a line in the charts that is not dashed. */
async function changes(page) {
  const space = (to) => ({parameters: [{name: 'threads', type: 'integer', from: 1, to}]});
  await service.post('/v1/studies', {name: 'wider', space: space(16)});
  const play = async () => {
    for (let tells = [], k = 0; k <= 30; ++k) {
      const {plays: [{play, values: {threads}}]} = await service.post('/v1/studies/wider/steps', {asks: 1, tells});
      tells = [{play, loss: ((threads - 40) / 10) ** 2}];
    }
  };
  await play();
  await page.goto(service.url + '/#/studies/wider');
  await page.getByRole('row', {name: /^threads/}).waitFor();
  const seam = page.getByRole('list', {name: 'Marked in the charts'}).locator('.mark-change');
  // Columns of the first chart that have the colour of texts over more than half of their height.
  const lines = () => page.evaluate(() => {
    const wanted = getComputedStyle(document.documentElement).getPropertyValue('--text').match(/\w\w/g).map((part) => parseInt(part, 16));
    const {width, height} = document.querySelector('canvas');
    const {data} = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
    const drawn = Array(width).fill(0);
    for (let i = 0; i < data.length; i += 4) {
      drawn[i / 4 % width] += data[i + 3] > 100 && wanted.every((part, c) => Math.abs(data[i + c] - part) <= 2);
    }
    return drawn.filter((count) => count > height / 2).length;
  });
  assert.equal(await seam.count(), 0);
  assert.equal(await lines(), 0);
  await service.post('/v1/studies/wider/change', {space: space(64)});
  await play();
  await until('the seam', async () => await seam.count() === 1);
  assert.match(await seam.textContent(), /the study was changed after play 31: 30 losses taught, 0 dropped$/);
  assert.equal(await fact(page, 'Changed'), 'after play 31');
  await until('its line', async () => await lines() > 0);
}

/** A study is deleted when that was said twice. */
async function deletes(page) {
  await service.post('/v1/studies', {name: 'gone', set: 'simplex(3)'});
  await page.goto(service.url + '/#/studies/gone');
  await page.getByRole('button', {name: 'Delete the study'}).click();
  await page.getByText('its log, is deleted. It cannot be brought back.').waitFor();
  await page.getByRole('dialog', {name: 'Delete gone?'}).getByRole('button', {name: 'Keep it'}).click();
  assert.equal((await fetch(service.url + '/v1/studies/gone')).status, 200);
  await page.getByRole('button', {name: 'Delete the study'}).click();
  await page.getByRole('button', {name: 'Delete it'}).click();
  await page.getByRole('heading', {name: 'Studies'}).waitFor();
  assert.equal((await fetch(service.url + '/v1/studies/gone')).status, 404);
}

/** A note and tags are written on a study, and studies are found by them. */
async function labels(page) {
  for (const name of ['note-1', 'note-2', 'without']) await service.post('/v1/studies', {name, set: 'simplex(3)'});
  await page.goto(service.url + '/#/studies/note-1');
  await page.getByRole('button', {name: 'Write a note or tags'}).click();
  const dialog = page.getByRole('dialog', {name: 'Note and tags'});
  await dialog.getByLabel('Note', {exact: true}).fill('for the <b>web</b> tier\nsince May');
  await dialog.getByLabel('Tags').fill('prod, team:web');
  await dialog.getByRole('button', {name: 'Leave it as it was'}).click();
  assert.equal((await (await fetch(service.url + '/v1/studies/note-1')).json()).note, undefined);
  await page.getByRole('button', {name: 'Write a note or tags'}).click();
  await dialog.getByLabel('Note', {exact: true}).fill('for the <b>web</b> tier\nsince May');
  await dialog.getByLabel('Tags').fill('prod, two!');
  await expecting(/status of 400/, async () => {
    await dialog.getByRole('button', {name: 'Save'}).click();
    await dialog.getByText('"two!" cannot be a tag').waitFor();
  });
  await dialog.getByLabel('Tags').fill('prod, team:web');
  await dialog.getByRole('button', {name: 'Save'}).click();
  await page.getByText('for the <b>web</b> tier').waitFor();
  await page.getByRole('button', {name: 'Edit the note and tags'}).waitFor();
  await page.getByRole('link', {name: 'team:web'}).click();
  const rows = page.locator('.studies tbody tr');
  await until('one study', async () => await rows.count() === 1);
  assert.match(await rows.first().textContent(), /note-1.*prod.*team:web.*for the <b>web<\/b> tier/);
  await page.getByText('with the tag team:web').waitFor();
  const field = page.getByLabel('Find in names and notes');
  await field.fill('no such');
  await page.getByText('No study fits.').waitFor();
  assert.match(page.url(), /#\/\?tag=team%3Aweb&search=no\+such$/);
  await page.reload();
  await page.getByText('No study fits.').waitFor();
  assert.equal(await field.inputValue(), 'no such');
  await page.getByRole('link', {name: 'Show all'}).click();
  await field.fill('NOTE-');
  await until('two studies', async () => await rows.count() === 2);
  assert.equal(await field.evaluate((input) => input === document.activeElement), true);
  await field.fill('');
  await until('all studies', async () => await rows.count() > 2);
  assert.match(page.url(), /#\/$/);
}

/** An address that is no code is a study that there is not. */
async function oddAddress(page) {
  await expecting(/status of 4/, async () => {
    await page.goto(service.url + '/#/studies/%');
    await page.getByText("there is no such study").waitFor();
  });
}

/** "Show more" goes on as long as there are more studies. */
async function moreStudies(page) {
  const names = [...Array(2500).keys()].map((k) => 'study-' + String(k).padStart(4, '0'));
  await page.route('**/v1/studies?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const from = names.filter((name) => name > (query.get('after') ?? ''));
    const studies = from.slice(0, Math.min(1000, query.get('limit'))).map((name) => ({name}));
    const next = studies.length < from.length ? studies.at(-1).name : undefined;
    return route.fulfill({json: {studies, next}});
  });
  await page.goto(service.url + '/#/');
  const rows = page.locator('.studies tbody tr');
  for (const shown of [100, 1000, 2000, 2500]) {
    await until(shown + ' studies', async () => await rows.count() === shown);
    if (shown < 2500) await page.getByRole('button', {name: 'Show more'}).click();
  }
  await page.getByRole('button', {name: 'Show more'}).waitFor({state: 'hidden'});
  await page.unroute('**/v1/studies?*');
}

/** No listener stays for each answer. */
async function listeners(page) {
  await page.addInitScript(() => {
    globalThis.listening = 0;
    const {addEventListener, removeEventListener} = EventTarget.prototype;
    const counted = (target) => target instanceof AbortSignal;
    EventTarget.prototype.addEventListener = function(...all) {
      if (counted(this)) ++globalThis.listening;
      return addEventListener.apply(this, all);
    };
    EventTarget.prototype.removeEventListener = function(...all) {
      if (counted(this)) --globalThis.listening;
      return removeEventListener.apply(this, all);
    };
  });
  let answers = 0;
  page.on('response', (response) => { answers += response.url().includes('/v1/studies?'); });
  await page.goto(service.url + '/#/');
  await page.reload();
  await until('some answers', () => answers > 4);
  assert.ok(await page.evaluate(() => globalThis.listening) <= 2);
}

/** A study that has all that the page can show: contexts, limits, charts, tables. */
async function postRichStudy() {
  await service.post('/v1/studies', {name: 'rich', space: {
    parameters: [{name: 'threads', type: 'number', from: 1, to: 64, unit: 'threads'},
      {name: 'codec', type: 'choice', names: ['zstd', 'lz4']}],
    contexts: [{name: 'load', type: 'number', from: 0, to: 5000, unit: 'req/s'},
      {name: 'segment', type: 'choice', names: ['new', 'old']}, {name: 'hour', clock: 'day'}],
    limits: [{name: 'p99', most: 200, unit: 'ms'}]}});
  const loss = (threads, load) => ((threads - load / 80) / 64) ** 2;
  const losses = [...Array(200).keys()].map((k) => {
    const [threads, load] = [1 + k * 37 % 64, 25 * k];
    return {values: {threads, codec: k % 2 ? 'zstd' : 'lz4'}, context: {load}, loss: loss(threads, load)};
  });
  await service.post('/v1/studies/rich/past', {losses});
  let tells = [];
  for (let load = 0; load < 5000; load += 50) {
    const {plays: [{play, values: {threads}}]} = await service.post('/v1/studies/rich/steps',
        {asks: 1, tells, context: {load, segment: 'new'}});
    tells = [{play, loss: loss(threads, load), metrics: {p99: 40 + threads ** 2 / 10 + load % 5}}];
  }
}

/** axe finds nothing that a screen reader cannot read, in both colours. */
async function isReadable(page) {
  const axe = readFileSync(new URL('../../.cache/npm/axe-core/axe.min.js', import.meta.url), 'utf8');
  const check = async (what) => {
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map(({id, nodes}) =>
      id + ': ' + nodes.map((node) => node.html).join(' ')));
    assert.deepEqual(found, [], what);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= page.viewportSize().width, `${what} is ${width} pixels wide`);
  };
  await service.post('/v1/studies', {name: 'loud', set: 'simplex(3)'});
  const {plays: [{play}]} = await service.post('/v1/studies/loud/asks', {});
  for (const loss of [1, 2]) {
    await fetch(service.url + '/v1/studies/loud/tells', {method: 'POST', body: JSON.stringify({tells: [{play, loss}]})});
  }
  await service.post('/v1/studies', {name: 'silent', set: 'simplex(3)'});
  await postRichStudy();
  for (const [colorScheme, width] of [['light', 1280], ['dark', 1400]]) {
    await page.emulateMedia({colorScheme});
    await page.setViewportSize({width, height: 800});
    for (const path of ['', 'new', 'studies/silent', 'studies/loud', 'studies/rich']) {
      await page.goto(service.url + '/#/' + path);
      await page.reload();
      await page.getByRole('heading', {level: 1}).waitFor();
      if (path.endsWith('silent')) await page.getByRole('heading', {name: 'curl'}).waitFor();
      if (path.endsWith('loud')) {
        const alarms = page.getByRole('list', {name: 'Alarms'}).getByRole('listitem');
        await until('the alarm', async () => /contradicted/.test((await alarms.allTextContents()).join()));
      }
      if (path.endsWith('rich')) {
        await until('what contexts do', async () => await page.locator('.moves tbody tr').count() === 3);
        await until('the plays', async () => await page.locator('.plays tbody').last().getByRole('row').count() > 5);
        for (const where of ['.over-charts', '.limits']) await page.locator(where).getByRole('img').first().waitFor();
      }
      await check(`${path} in ${colorScheme}`);
    }
    for (const [opens, name, closes] of [['Write a note or tags', 'Note and tags', 'Leave it as it was'],
      ['Delete the study', 'Delete rich?', 'Keep it']]) {
      await page.getByRole('button', {name: opens}).click();
      const dialog = page.getByRole('dialog', {name});
      await dialog.waitFor();
      await check(`${name} in ${colorScheme}`);
      await dialog.getByRole('button', {name: closes}).click();
    }
  }
  await page.setViewportSize({width: 1280, height: 800});
}

/** A browser that keeps nothing shows the page, in the colours that are asked for. */
async function withoutStorage(chromium) {
  const page = await newPage(chromium, {colorScheme: 'light'});
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(globalThis, name, {get() { throw new DOMException('no', 'SecurityError'); }});
    }
  });
  await page.goto(service.url);
  await page.getByRole('heading', {name: 'Studies'}).waitFor();
  await page.getByRole('button', {name: /dark/}).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.context().close();
}

async function isNarrow(chromium, colorScheme) {
  await service.post('/v1/studies', {name: 'bare', set: 'simplex(3)'});
  const page = await newPage(chromium, {viewport: {width: 360, height: 740}, colorScheme});
  for (const path of ['/#/', '/#/studies/cache', '/#/studies/shop', '/#/studies/limited', '/#/studies/bare', '/#/new']) {
    await page.goto(service.url + path);
    await page.getByRole('heading', {level: 1}).waitFor();
    if (path.endsWith('bare')) await page.getByRole('heading', {name: 'curl'}).waitFor();
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
    fallSilent, recolour, others, contexts, limits, createWithLimits, plays, newStudy,
    marks, changes, deletes, labels, oddAddress, moreStudies, isReadable, listeners]) {
    if (wanted.length && !wanted.includes(step.name)) continue;
    const begin = Date.now();
    await step(page);
    console.log(`${step.name}: ${Date.now() - begin} ms`);
  }
  await page.context().close();
  if (!wanted.length || wanted.includes('withoutStorage')) await withoutStorage(chromium);
  if (!wanted.length) {
    await isNarrow(chromium, 'light');
    await isNarrow(chromium, 'dark');
    await expecting(/status of 401/, () => asksForAToken(chromium));
  }
  assert.deepEqual(errors, []);
  assert.deepEqual([...requests], [service.url]);
} finally {
  await chromium.close();
  await service.end('SIGTERM');
  rmSync(folder, {recursive: true});
}
