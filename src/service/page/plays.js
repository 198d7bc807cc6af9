// The plays with the best losses, and those that were told last.

import {Problem, get} from './api.js';
import {count, element, number, setText} from './text.js';

const MOST_COLUMNS = 8;  // of values, contexts and metrics each
const QUICK = 100000;  // plays: the table of a longer log, which takes a while to read, is closed
const AGAIN = 5000;  // milliseconds until a log that has grown is read again

const textOf = (value) => Array.isArray(value) ? value.map(number).join(' / ') : typeof value === 'number' ? number(value) : String(value ?? '');

/** Of a row: what is shown in columns, by name. */
function cellsOf(row) {
  const point = Object.fromEntries(row.point.map((x, k) => ['x' + (k + 1), x]));
  const parts = [row.values ?? point, row.context ?? {}, row.metrics ?? {}];
  return new Map(parts.flatMap((part) => Object.entries(part).slice(0, MOST_COLUMNS)));
}

/** The table of a study, read from its log while it is open. */
export class Plays {
  constructor(details, path, signal) {
    this.details = details;
    this.path = path;
    this.signal = signal;
    this.due = 0;
    details.addEventListener('toggle', () => this.show(this.told, this.word));
  }

  async show(told, word) {
    this.told = told;
    this.word = word;
    if (told && !this.begun) {
      this.begun = true;
      this.details.open ||= told < QUICK;
    }
    if (!this.details.open || !told || told === this.shown || Date.now() < this.due) return;
    const began = Date.now();
    this.due = Infinity;
    try {
      this.draw(await get(this.path + '/plays?best=5&latest=10', this.signal));
      this.shown = told;
      setText(this.details.querySelector('.error'), '');
    } catch (error) {
      if (error instanceof Problem) setText(this.details.querySelector('.error'), error.message);
    }
    // Reading takes a twentieth of the time at most.
    this.due = Date.now() + Math.max(AGAIN, 20 * (Date.now() - began));
  }

  draw({best, latest}) {
    const table = this.details.querySelector('table');
    const rows = [...best, ...latest].map(cellsOf);
    const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    const head = element('tr');
    for (const name of ['Play', this.word === 'gain' ? 'Gain' : 'Loss', ...names]) {
      const cell = element('th', name, 'number');
      cell.scope = 'col';
      head.append(cell);
    }
    table.tHead.replaceChildren(head);
    const body = (title, plays) => {
      const made = element('tbody');
      const line = element('tr');
      const cell = element('th', title, 'group');
      cell.scope = 'rowgroup';
      cell.colSpan = names.length + 2;
      line.append(cell);
      made.append(line, ...plays.map((play) => {
        const row = element('tr');
        const cells = cellsOf(play);
        const first = element('th', count(play.play), 'number');
        first.scope = 'row';
        row.append(first, element('td', number(play.loss), 'number'),
            ...names.map((name) => element('td', textOf(cells.get(name)), 'number')));
        return row;
      }));
      return made;
    };
    for (const old of [...table.tBodies]) old.remove();
    table.append(body('Best seen', best), body('Told last', latest));
  }
}
