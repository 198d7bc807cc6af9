// What would be deployed in a context: a slider or a choice for each, and charts over one of them.

import {get} from './api.js';
import {Chart} from './charts.js';
import {element, number, setText, valueAt} from './text.js';

const STEPS = 24;  // of a chart: 25 points
const FINE = 480;  // of a slider
const MOST_CHARTS = 12;
const AGAIN = 10000;  // milliseconds after which charts of a study that has learned are drawn again

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
    const over = this.contexts.filter((context) => context.type !== 'choice');
    if (!over.length) return;
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
      return new Chart(place, 'What would be deployed of ' + label + ' over a context', [{label, colour: 'series-1'}],
          {over: () => this.over(), from: value(axis.from), to: value(axis.to), log: axis.log, height: 150});
    });
    const rest = about.dimension - axes.length;
    setText(this.find('.over .note'), 'Without a band: the learner does not say how sure it is of these.' +
        (rest > 0 ? ` Only the first ${axes.length} of ${about.dimension} are drawn.` : ''));
    this.draw();
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

  /** The charts; what was asked for before is given up. */
  async draw() {
    if (!this.charts.length) return;
    this.sweep.abort();
    const sweep = this.sweep = new AbortController();
    const context = this.over();
    const values = [...Array(STEPS + 1).keys()].map((k) => valueAt(context, k / STEPS));
    const {signal} = sweep;
    this.drawn = Date.now();
    try {
      const points = await Promise.all(values.map(async (value) =>
        (await this.recommend({[context.name]: value}, signal)).point));
      if (signal.aborted) return;
      this.charts.forEach((chart, k) => {
        const log = this.about.axes[k].log;
        chart.set([values, points.map((point) => log ? Math.exp(point[k]) : point[k])]);
      });
    } catch {  // another one is drawn, or the page says that the connection is lost
    }
  }

  /** Draws again what may have been learned. */
  refresh() {
    if (this.charts.length && Date.now() - this.drawn > AGAIN) this.draw();
  }

  recolour() { this.charts.forEach((chart) => chart.recolour()); }

  close() {
    this.sweep.abort();
    this.charts.forEach((chart) => chart.close());
  }
}
