// What would be deployed in a context: a slider or a choice for each, and charts over one of them.

import {get, post} from './api.js';
import {Chart} from './charts.js';
import {among, bandOf, element, number, plusMinus, setText, valueAt} from './text.js';

const STEPS = 24;  // of a chart: 25 points
const GRID = 16;  // of a band: 17 values of each axis
const FEW = 4;  // of the table: 5 values of each context
const FINE = 480;  // of a slider
const MOST_CHARTS = 12;
const AGAIN = 10000;  // milliseconds after which charts of a study that has learned are drawn again...
const SHARE = 20;  // ...but not before so many times as long as the service took for them

const unitOf = (context) => context.unit ?? (context.type === 'clock' ? {day: 'h UTC', week: 'days since Monday'}[context.clock] : '');

const textOf = (context, value) =>
  number(Number(value.toPrecision(3))) + (unitOf(context) ? ' ' + unitOf(context) : '');

/** What the time is on a clock, as a share of its period. */
function shareNow(context) {
  const days = Date.now() / 86400000;
  return context.clock === 'day' ? days % 1 : (days + 3) % 7 / 7;  // 1970 began on a Thursday
}

/** Of a study with contexts; changed() is called when something else is known. */
export class Contexts {
  constructor(section, path, signal, changed) {
    this.section = section;
    this.path = path;
    this.signal = signal;
    this.changed = changed;
    this.known = {};
    this.charts = [];
    this.sweep = new AbortController();
    signal.addEventListener('abort', () => this.close());
  }

  find(selector) { return this.section.querySelector(selector); }

  /** Makes the fields, once. */
  begin(about) {
    if (this.contexts || !about.contexts.length) return;
    this.contexts = about.contexts;
    this.about = about;
    this.find('.contexts').hidden = false;
    this.find('.forget').addEventListener('click', () => {
      for (const field of this.section.querySelectorAll('.known > *')) field.forget();
      this.say();
    });
    this.find('.known').append(...this.contexts.map((context) => this.field(context)));
    setText(this.find('.moves-loss'), 'Moves the ' + (about.maximize ? 'gain' : 'loss') + ' by');
    const over = this.contexts.filter((context) => context.type !== 'choice');
    if (over.length) this.beginCharts(over);
    this.draw();
  }

  beginCharts(over) {
    const {about} = this;
    this.find('.over').hidden = false;
    const select = this.find('.over select');
    select.append(...over.map((context) => element('option', context.name)));
    select.addEventListener('change', () => {
      this.recolour();  // the legend has its name
      this.draw();
    });
    const axes = about.axes.slice(0, MOST_CHARTS);
    this.charts = axes.map((axis) => {
      const place = element('div', '', 'chart');
      this.find('.over-charts').append(place);
      const value = (x) => axis.log ? Math.exp(x) : x;
      const label = axis.name + (axis.unit ? ', ' + axis.unit : '');
      return new Chart(place, 'What would be deployed of ' + label + ' over a context, with its band',
          [{label: 'least', colour: 'edge', band: true}, {label: 'most', colour: 'edge', band: true}, {label, colour: 'series-1'}],
          {over: () => this.over(), from: value(axis.from), to: value(axis.to), log: axis.log, height: 150});
    });
    const rest = about.dimension - axes.length;
    setText(this.find('.over .note'), 'The band has the values that are not believed to cost more, by two errors, each by itself. ' +
        'There is none before enough is known, and of what cannot be moved by itself, as shares.' +
        (rest > 0 ? ` Only the first ${axes.length} of ${about.dimension} are drawn.` : ''));
  }

  /** A slider or a choice; it begins as not known, but for a clock, which says what time it is. */
  field(context) {
    const label = element('label', context.name, 'known-field');
    const shown = element('output', 'not known');
    const input = element(context.type === 'choice' ? 'select' : 'input');
    const set = (value) => {
      if (value === null) delete this.known[context.name];
      else this.known[context.name] = value;
      setText(shown, value === null ? 'not known' : typeof value === 'number' ? textOf(context, value) : '');
    };
    if (context.type === 'choice') {
      const none = element('option', 'not known');
      none.value = '';
      const names = context.names.map((name) => element('option', name));
      names.forEach((option) => { option.value = option.textContent; });
      input.append(none, ...names);
      shown.hidden = true;
      input.addEventListener('change', () => set(input.selectedIndex ? context.names[input.selectedIndex - 1] : null));
      label.forget = () => { input.selectedIndex = 0; set(null); };
    } else {
      input.type = 'range';
      input.min = 0;
      input.max = FINE;
      input.value = FINE / 2;
      const take = () => {
        set(valueAt(context, input.value / FINE));
        input.setAttribute('aria-valuetext', shown.textContent);
      };
      input.addEventListener('input', take);
      label.forget = () => { input.value = FINE / 2; set(null); input.setAttribute('aria-valuetext', 'not known'); };
      label.forget();
      if (context.type === 'clock') {
        input.value = Math.round(FINE * shareNow(context));
        take();
      }
    }
    input.addEventListener(context.type === 'choice' ? 'change' : 'input', () => this.say());
    label.append(input, shown);
    return label;
  }

  say() {
    this.changed();
    this.draw();
  }

  over() { return this.contexts.find((context) => context.name === this.find('.over select').value); }

  any() { return Object.keys(this.known).length > 0; }

  /** What is recommended where this is known besides. */
  recommend(more = {}, signal = this.signal) {
    const query = new URLSearchParams({...this.known, ...more}).toString();
    return get(this.path + '/recommendation' + (query && '?' + query), signal);
  }

  /** What is recommended where this is known besides: its point, what that is believed to cost, and the
   *  band of each axis that can be moved by itself. */
  async look(more, signal) {
    const {point} = await this.recommend(more, signal);
    const values = this.axes().map((axis) => axis.alone ? among(axis.from, axis.to, GRID) : []);
    const beside = values.flatMap((each, k) => each.map((x) => point.map((y, i) => i === k ? x : y)));
    const {estimates: [here, ...rest]} = await post(this.path + '/estimates',
        {points: [point, ...beside].map((each) => ({point: each})), context: {...this.known, ...more}}, signal);
    const bands = values.map((each, k) => each.length ? bandOf(point[k], each, rest.splice(0, each.length)) : null);
    return {point, here, bands};
  }

  axes() { return this.about.axes.slice(0, MOST_CHARTS); }

  /** The charts; what was asked for before is given up. */
  async draw() {
    this.sweep.abort();
    const {signal} = this.sweep = new AbortController();
    const began = Date.now();
    this.next = Infinity;
    try {
      if (this.charts.length) await this.drawOver(this.over(), signal);
      await this.fillTable(signal);
    } catch {  // another one is drawn, or the page says that the connection is lost
    }
    if (!signal.aborted) this.next = Math.max(began + AGAIN, Date.now() + SHARE * (Date.now() - began));
  }

  async drawOver(context, signal) {
    const values = among(0, 1, STEPS).map((share) => valueAt(context, share));
    const found = await Promise.all(values.map((value) => this.look({[context.name]: value}, signal)));
    if (signal.aborted) return;
    this.charts.forEach((chart, k) => {
      const shown = (x) => x === null ? null : this.about.axes[k].log ? Math.exp(x) : x;
      chart.set([values, found.map(({bands}) => shown(bands[k]?.[0] ?? null)), found.map(({bands}) => shown(bands[k]?.[1] ?? null)),
        found.map(({point}) => shown(point[k]))]);
    });
  }

  /** What each context does to the loss, and to what would be deployed, with all else as it is known. */
  async fillTable(signal) {
    const rows = await Promise.all(this.contexts.slice(0, MOST_CHARTS).map(async (context) => {
      const values = context.type === 'choice' ? context.names.slice(0, FEW + 1) :
        among(0, 1, FEW).map((share) => valueAt(context, share));
      const found = await Promise.all(values.map((value) => this.look({[context.name]: value}, signal)));
      return this.row(context, found);
    }));
    if (signal.aborted) return;
    this.find('.moves').hidden = false;
    this.find('.moves tbody').replaceChildren(...rows);
  }

  row(context, found) {
    const lost = found.filter(({here}) => 'excess' in here).map(({here}) => ({at: here.loss ?? here.gain, error: here.loss_error ?? here.gain_error}));
    lost.sort((a, b) => a.at - b.at);
    const [least, most] = [lost[0], lost.at(-1)];
    const cell = (text) => element('td', text, 'number');
    const row = element('tr');
    const head = element('th', context.name);
    head.scope = 'row';
    row.append(head, cell(lost.length < found.length ? 'not known yet' :
      plusMinus(most.at - least.at, 1.96 * Math.hypot(least.error, most.error))));
    const moves = this.axes().map((axis, k) => {
      const all = found.map(({point, bands}) => ({x: point[k], band: bands[k]})).sort((a, b) => a.x - b.x);
      const [low, high] = [all[0], all.at(-1)];
      const isSure = low.band && high.band && low.band[1] < high.band[0];
      return {axis, low: low.x, high: high.x, share: (high.x - low.x) / (axis.to - axis.from || 1), isSure};
    }).sort((a, b) => b.share - a.share);
    const {axis, low, high, share, isSure} = moves[0];
    const shown = (x) => number(axis.log ? Math.exp(x) : x) + (axis.unit ? ' ' + axis.unit : '');
    row.append(cell(share > 0.005 ? `${axis.name}, ${shown(low)} to ${shown(high)}${isSure ? '' : ' (not sure)'}` : 'nothing'));
    return row;
  }

  /** Draws again what may have been learned. */
  refresh() {
    if (this.contexts && Date.now() > this.next) this.draw();
  }

  recolour() { this.charts.forEach((chart) => chart.recolour()); }

  close() {
    this.sweep.abort();
    this.charts.forEach((chart) => chart.close());
  }
}
