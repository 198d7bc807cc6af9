// One study, live.

import {Problem, follow, get, request, setConnected, token} from './api.js';
import {Chart} from './charts.js';
import {Contexts} from './contexts.js';
import {Label} from './label.js';
import {Limits} from './limits.js';
import {Plays} from './plays.js';
import {ago, change, copies, count, duration, element, fact, known, number, percent, plusMinus, setFacts, setText, view} from './text.js';
import {recipes, verdict} from './words.js';

const COLUMNS = ['asks', 'tells', 'mean', 'p10', 'p90', 'exploring'];
const MOST_POINTS = 6000;

function aliveFacts(status) {
  return [
    fact('Plays a second', number(status.rate ?? 0), 'over the last 10 seconds'),
    fact('Last ask', ago(status.last_ask, status.now)),
    fact('Last tell', ago(status.last_tell, status.now)),
    fact('Asked', count(status.asked), 'each is in the log'),
    fact('On the disk', status.durable_bytes ? count(status.durable_bytes) + ' bytes' : 'nothing written yet',
        `of a log of ${count(status.log_bytes)} bytes`),
    fact('Told', count(status.told)),
    fact('Watched for', duration(status.now - status.since),
        status.told_before ? count(status.told_before) + ' tells before are not shown' : ''),
  ];
}

function payingFacts(status, about) {
  const {first, recent, nearest, belief} = status;
  const word = about.maximize ? 'gain' : 'loss';
  const since = change(first.mean, recent.mean, about.maximize);
  const start = status.told_before ? 'since it is watched' : 'at the start';
  const facts = [
    fact('Recent ' + word, recent.count ? number(recent.mean) : 'nothing told yet',
        recent.count ? `${number(recent.p10)} to ${number(recent.p90)} for 8 of 10 of the latest ${count(recent.count)}` : ''),
    fact('First ' + word, first.count ? number(first.mean) : 'not known yet',
        first.count ? `mean of the first ${count(first.count)} ${start}` : ''),
    fact('Change', since?.text ?? 'not known yet', '', since?.className ?? ''),
    fact(about.maximize ? 'Gained in all' : 'Saved in all', known(status.saved) ? number(status.saved) : 'not known yet',
        'against the first ' + word + ' in every play'),
    fact('Near the recommendation', nearest.count ? number(nearest.mean) : 'not known yet',
        nearest.count ? `mean of the ${count(nearest.count)} nearest of recent plays` : ''),
  ];
  if (known(belief.gain)) {
    facts.push(fact('The learner believes', plusMinus(belief.gain, 1.96 * belief.gain_error), 'better than the start (95 %)'));
  }
  if (status.proof) {  // "better by 0.4 +- 0.1 (95 %, ...); 10 % ..."
    const end = status.proof.search(/ \(|;/);
    const rest = status.proof.slice(end).replace(/^; /, '').replace(/^ /, 'than the start ');
    facts.push(fact('Proof', status.proof.slice(0, end).replace('+-', '±'), rest, status.proven ? 'good' : ''));
  }
  return facts;
}

function exploringFacts(status, about) {
  const cost = status.recent.mean - status.nearest.mean;
  const facts = [
    fact('Plays that explore', known(status.exploring) ? percent(status.exploring) : 'the learner does not say'),
    fact('How far', known(status.reach) ? percent(status.reach) : 'the learner does not say', 'of the way to the edge'),
    fact('Distance of plays', known(status.distance) ? percent(status.distance) : 'not known yet',
        'from the recommendation, of the diameter'),
    fact('Cost of a play', status.nearest.count ? number(about.maximize ? -cost : cost) : 'not known yet',
        'recent mean against plays near the recommendation'),
  ];
  if (status.bound) facts.push(fact('Bound on that', number(status.bound.a_play), status.bound.note));
  return facts;
}

function feedbackFacts(status) {
  const bad = (value) => 10 * value > status.asked ? 'bad' : '';  // as the alarms
  return [
    fact('Pending', count(status.pending),
        status.pending ? `the oldest ${count(status.oldest_pending)} plays ago` +
            (known(status.oldest_pending_at) ? ', ' + ago(status.oldest_pending_at, status.now) : '') : ''),
    fact('Delay', known(status.delay.p50) ? duration(status.delay.p50) : 'not known yet',
        known(status.delay.p99) ? duration(status.delay.p99) + ' for 99 of 100' : ''),
    fact('Missing', count(status.missing), 'expired before they were told', bad(status.missing)),
    fact('Expired', count(status.expired), 'told after that', bad(status.expired)),
    fact('Late', count(status.late), 'told too late to learn from', bad(status.late)),
    fact('Repeated', count(status.repeated), 'told again and ignored'),
    fact('Contradicting', count(status.contradicting), 'another loss than before, refused'),
    fact('Restarts', count(status.restarts), 'of the learner'),
    fact('Past', status.past ? count(status.past) + (status.past === 1 ? ' loss' : ' losses') : 'none', 'learned, and not asked for here'),
    ...(status.changed ? [fact('Changed', ...status.changed.split(': '))] : []),
  ];
}

/** The history as columns that grow. */
class History {
  constructor() { this.clear(); }

  clear() {
    this.from = [];
    this.to = [];
    for (const name of COLUMNS) this[name] = [];
  }

  load(curve) {
    this.from = curve.from;
    this.to = curve.to;
    for (const name of COLUMNS) this[name] = curve[name];
  }

  add(second, span) {
    const from = 1000 * second;
    if (this.to.length && from < this.to.at(-1)) return;
    this.from.push(from);
    this.to.push(from + 1000);
    for (const name of COLUMNS) this[name].push(span[name]);
  }

  get length() { return this.to.length; }
  seconds() { return this.to.map((time) => time / 1000); }
  aSecond(name) { return this[name].map((value, k) => 1000 * value / (this.to[k] - this.from[k])); }
  percents(name) { return this[name].map((value) => value === null ? null : 100 * value); }
}

/** A coordinate as the user's value. */
function valueOf(axis, x) {
  let value = axis.log ? Math.exp(x) : x;
  if (axis.whole) {  // on a log scale the middle of two numbers is the root of their product
    const below = Math.floor(value + 1e-9);
    value = value < (axis.log ? Math.sqrt(below * (below + 1)) : below + 0.5) ? below : below + 1;
  }
  return (axis.levels ? axis.levels[value] : number(value)) + (axis.unit ? ' ' + axis.unit : '');
}

/** What to deploy: a row with a bar for each coordinate of a point, and how it differs from one before. */
function setBars(body, about, point, before) {
  about.axes.slice(0, point.length).forEach((axis, k) => {
    const x = point[k];
    let row = body.children[k];
    if (!row) {
      row = element('tr');
      const name = element('th', axis.name);
      name.scope = 'row';
      const bar = element('td', '', 'bar');
      const track = element('div', '', 'track');
      track.append(element('div'));
      bar.append(track);
      row.append(name, element('td', '', 'number'), bar, element('td', '', 'number change'));
      body.append(row);
    }
    const place = (at) => axis.to > axis.from ? (at - axis.from) / (axis.to - axis.from) : 0;
    const [, value, bar, moved] = row.children;
    setText(value, valueOf(axis, x));
    bar.firstChild.firstChild.style.width = 100 * Math.min(1, Math.max(0, place(x))) + '%';
    moved.hidden = !before;  // as in a context
    const by = before ? place(x) - place(before[k]) : 0;
    setText(moved, !before ? '' : Math.abs(by) < 0.0005 ? 'none' : (by > 0 ? '+' : '−') + percent(Math.abs(by)));
  });
}

function setWorkers(table, status) {
  table.hidden = status.workers.length === 0;
  const workers = [...status.workers].sort((a, b) => b.seen - a.seen);
  table.tBodies[0].replaceChildren(...workers.map((worker) => {
    const row = element('tr');
    const name = element('th', worker.name);
    name.scope = 'row';
    row.append(name, element('td', count(worker.asked), 'number'), element('td', count(worker.told), 'number'),
        element('td', ago(worker.seen, status.now), 'number'));
    return row;
  }));
}

function setAlarms(list, alarms) {
  if (list.dataset.shown === alarms.join('\n')) return;
  list.dataset.shown = alarms.join('\n');
  list.hidden = !alarms.length;
  list.replaceChildren(...alarms.map((alarm) => element('li', alarm)));
}

/** What the marks in the charts are of, the latest first. */
function setMarks(list, marks) {
  const said = JSON.stringify(marks);
  if (list.dataset.shown === said) return;
  list.dataset.shown = said;
  list.hidden = !marks.length;
  list.replaceChildren(...marks.slice(-5).reverse().map(({at, kind, text}) =>
    element('li', new Date(at).toTimeString().slice(0, 8) + ' ' + text, 'mark-' + kind)));
}

/** A button that deletes a study, once somebody has said so twice. */
function offerDeletion(main, name, path, signal) {
  const dialog = main.querySelector('.deletion');
  const error = dialog.querySelector('.error');
  setText(dialog.querySelector('h2'), `Delete ${name}?`);
  main.querySelector('.delete').addEventListener('click', async () => {
    setText(error, '');
    const {kept_if_deleted: kept} = await get(path, signal).catch(() => ({}));
    setText(dialog.querySelector('p'), 'All that it learned, and its log, is deleted. It ' +
        (kept ? `can be brought back within ${duration(1000 * kept)}.` : 'cannot be brought back.'));
    dialog.showModal();
  });
  dialog.querySelector('.danger').addEventListener('click', async () => {
    try {
      await request(path, {method: 'DELETE', signal});
      location.hash = '#/';
    } catch (problem) {
      if (!signal.aborted) setText(error, problem instanceof Problem ? problem.message : 'The service cannot be reached: try again.');
    }
  });
}

/** How to ask and tell a study: open for a new one. */
function showRecipes(details, name, about) {
  const made = recipes(name, about, location.origin, token() !== '');
  details.querySelector('.recipes').replaceChildren(...made.map(({title, text, note}) => {
    const recipe = view('recipe');
    const [heading, pre, below] = recipe.firstElementChild.children;
    setText(heading, title);
    setText(pre, text);
    pre.tabIndex = 0;  // it may be scrolled
    setText(below, note);
    copies(recipe.querySelector('button'), recipe.querySelector('.copied'), () => text);
    return recipe;
  }));
}

/** A link to a file; with a token it is fetched by the script, since a link cannot carry one. */
function fileLink(path, text, file) {
  const link = element('a', text);
  link.href = path;
  link.download = file;
  link.addEventListener('click', async (event) => {
    if (!token() || link.href.startsWith('blob:')) return;
    event.preventDefault();
    const blob = await (await request(path)).blob();
    const passing = element('a');
    passing.href = URL.createObjectURL(blob);
    passing.download = file;
    passing.click();
    setTimeout(() => URL.revokeObjectURL(passing.href), 60000);
  });
  return link;
}

export function showStudy(main, signal, name) {
  const path = '/v1/studies/' + encodeURIComponent(name);
  main.append(view('study-view'));
  const find = (selector) => main.querySelector(selector);
  const facts = (key) => find(`[data-facts=${key}]`);
  setText(find('h1'), name);
  find('.files').append(fileLink(path + '/log', 'Log (JSON lines)', name + '.jsonl'), ' · ',
      fileLink(path + '/state', 'State', name + '.state'), ' · ',
      fileLink(path + '/report', 'Report (HTML)', name + '.html'));

  offerDeletion(main, name, path, signal);
  new Label(main, path, signal);
  const history = new History();
  let about = null;
  let status = null;
  let since = null;
  let busy = false;
  const contexts = new Contexts(find('[aria-labelledby=deploy]'), path, signal, () => showDeployed());
  const limits = new Limits(find('.limits'));
  const plays = new Plays(find('.plays'), path, signal);
  /** What would be deployed now, or where something else is known. */
  const showDeployed = async () => {
    const body = find('.bars tbody');
    if (!contexts.any()) return setBars(body, about, status.point, status.before?.point);
    if (busy) return;
    busy = true;
    try {
      for (let said = ''; said !== (said = JSON.stringify(contexts.known));) {
        const {point} = await contexts.recommend();
        if (!signal.aborted && contexts.any()) setBars(body, about, point, null);
      }
      setText(find('.context-error'), '');
    } catch (error) {
      if (error instanceof Problem) setText(find('.context-error'), error.message);
    } finally {
      busy = false;
    }
  };
  const range = () => {
    const seconds = Number(find('[name=range]:checked').value);
    const now = Date.now() / 1000;
    const first = history.length ? history.from[0] / 1000 : now - 60;
    return [seconds ? Math.max(now - seconds, Math.min(first, now - 60)) : Math.min(first, now - 60), now];
  };
  const marks = () => status?.marks ?? [];
  let charts = [];
  const makeCharts = () => {
    const word = about.maximize ? 'gain' : 'loss';
    const options = {range, marks};
    charts = [
      new Chart(find('[data-chart=rate]'), 'Asks and tells a second over time',
          [{label: 'asks a second', colour: 'series-1'}, {label: 'tells a second', colour: 'series-2', dash: [5, 3]}],
          {...options, least: 0}),
      new Chart(find('[data-chart=loss]'), `Mean ${word} over time, with the band of 8 of 10, and the first mean`,
          [{label: 'a tenth below', colour: 'edge', band: true}, {label: 'a tenth above', colour: 'edge', band: true},
            {label: 'mean ' + word, colour: 'series-1'}, {label: 'first mean', colour: 'muted', dash: [2, 4]}], options),
      new Chart(find('[data-chart=exploring]'), 'Share of plays that explore over time, in percent',
          [{label: 'plays that explore, %', colour: 'series-1'}], {...options, least: 0}),
    ];
  };
  let due = false;
  const drawCharts = () => {
    due = false;
    if (signal.aborted || !charts.length) return;
    const x = history.seconds();
    const first = status.first.mean;
    charts[0].set([x, history.aSecond('asks'), history.aSecond('tells')]);
    charts[1].set([x, history.p10, history.p90, history.mean, x.map(() => first)]);
    charts[2].set([x, history.percents('exploring')]);
  };
  const draw = () => {
    if (!due) requestAnimationFrame(drawCharts);
    due = true;
  };

  const show = () => {
    const alive = status.rate > 0;
    const state = find('.state');
    setText(state, (alive ? 'alive' : status.last_ask ? 'quiet' : 'not used so far') +
        (status.paused ? ', exploring paused' : ''));
    setText(find('.pause'), status.paused ? 'Explore again' : 'Pause exploring');
    state.className = 'state ' + (alive ? 'good' : 'muted');
    const {text, className} = verdict(status, about);
    setText(find('.verdict'), text);
    find('.verdict').className = 'verdict ' + className;
    for (const part of main.querySelectorAll('.told')) part.hidden = !status.told;
    setAlarms(find('.alarms'), status.alarms);
    setMarks(find('.marks'), status.marks);
    setFacts(facts('alive'), aliveFacts(status));
    setFacts(facts('paying'), payingFacts(status, about));
    setFacts(facts('exploring'), exploringFacts(status, about));
    setFacts(facts('feedback'), feedbackFacts(status));
    showDeployed();
    limits.show(status);
    plays.show(status.told, about.maximize ? 'gain' : 'loss');
    contexts.refresh();
    find('.change').hidden = contexts.any();
    setText(find('.change'), 'Change in ' + (status.before ? duration(Math.max(1000, status.now - status.before.at)) : 'an hour'));
    setWorkers(find('.workers'), status);
  };
  const load = async () => {
    history.load(await get(path + '/curve?points=4000'));
    draw();
  };
  const take = async (event, data) => {
    if (event === 'study') {
      about = data;
      status = data.status;
      setText(find('.about'), `${about.learner === 'default' ? 'The default learner' : about.learner} on ` +
          (about.on === 'space' ? `a space of ${about.dimension} ${about.dimension === 1 ? 'coordinate' : 'coordinates'}` : about.on));
      find('.bars tbody').replaceChildren();  // of another space, if it was changed
      const more = about.dimension - about.axes.length;
      setText(find('.rest'), more > 0 ? `and ${more} more` : '');
      if (!charts.length) makeCharts();
      find('.begin').open ||= !status.told;
      showRecipes(find('.begin'), name, about);
      contexts.begin(about);
      limits.begin(about);
      // Another process serves it now: its history begins again.
      if (since !== status.since) history.clear();
      since = status.since;
      show();
      await load();
    }
    if (event !== 'sample') return;
    history.add(data.second, data.span);
    if (!data.status) return;
    status = data.status;
    show();
    draw();
    if (history.length > MOST_POINTS) await load();
  };

  for (const choice of main.querySelectorAll('[name=range]')) choice.addEventListener('change', draw);
  copies(find('.copy'), find('.copy + .copied'), async () => {
    const {values, point} = await contexts.recommend();
    return JSON.stringify(values ?? point, null, 2);
  });
  find('.pause').addEventListener('click', async () => {
    if (!status) return;
    const paused = !status.paused;
    try {
      await request(path + '/paused', {method: 'PUT', body: JSON.stringify({paused}), signal});
      status.paused = paused;
      setText(find('.pause-error'), '');
      show();
    } catch (error) {
      if (signal.aborted) return;
      setText(find('.pause-error'), error instanceof Problem ? error.message : 'The service cannot be reached: try again.');
    }
  });
  const recolour = () => { [...charts, contexts, limits].forEach((each) => each.recolour()); };
  addEventListener('recolour', recolour);
  signal.addEventListener('abort', () => {
    removeEventListener('recolour', recolour);
    [...charts, limits].forEach((each) => each.close());
  });
  follow(path + '/events', signal, take).catch((error) => {
    if (!(error instanceof Problem)) throw error;
    setConnected(true);
    main.replaceChildren(element('h1', name), element('p', error.message, 'error'));
  });
}
