// Numbers and times for people.

const four = new Intl.NumberFormat('en', {maximumSignificantDigits: 4});
const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});

export const known = (value) => value !== null && value !== undefined && Number.isFinite(value);

/** Numbers from one to another in so many steps. */
export const among = (from, to, steps) => [...Array(steps + 1).keys()].map((k) => from + (to - from) * k / steps);

/** From where to where values are not believed to cost more than x, by two errors: [least, most], or
 *  null where nothing is believed. Of gains more is better. */
export function bandOf(x, values, estimates) {
  if (!estimates.every((each) => 'excess' in each)) return null;
  const costs = ({excess, gain}) => gain === undefined ? excess : -excess;
  const may = values.filter((_, k) => costs(estimates[k]) <= 2 * estimates[k].excess_error);
  return [Math.min(x, ...may), Math.max(x, ...may)];
}

/** Four digits; "not known" in place of nothing. */
export function number(value) {
  if (!known(value)) return 'not known';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(3);
  return four.format(value);
}

export const count = (value) => known(value) ? whole.format(value) : 'not known';

export const percent = (share) => known(share) ? four.format(Math.round(1000 * share) / 10) + ' %' : 'not known';

/** "0.41 ± 0.06": the error with two digits, and the value as exact. */
export function plusMinus(value, error) {
  const exact = Number(error?.toPrecision(2));
  if (!(exact >= 1e-4) || Math.abs(value) >= 1e7) return number(value) + (known(error) ? ' ± ' + number(exact) : '');
  const maximumFractionDigits = Math.max(0, 1 - Math.floor(Math.log10(exact)));
  return `${value.toLocaleString('en', {maximumFractionDigits})} ± ${number(exact)}`;
}

/** "350 ms", "12 s", "3 min", "2 h", "4 days". */
export function duration(milliseconds) {
  if (!known(milliseconds)) return 'not known';
  if (milliseconds < 1000) return Math.round(milliseconds) + ' ms';
  const seconds = milliseconds / 1000;
  if (seconds < 120) return Math.round(seconds) + ' s';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min';
  if (seconds < 172800) return Math.round(seconds / 3600) + ' h';
  return Math.round(seconds / 86400) + ' days';
}

/** How long ago a time was. */
export function ago(then, now) {
  if (!known(then)) return 'never';
  return now - then < 1500 ? 'now' : duration(now - then) + ' ago';
}

/** How much better (or worse) a mean is than the first one: {text, className}. */
export function change(first, recent, maximize) {
  if (!known(first) || !known(recent)) return null;
  const less = recent < first;
  const by = Math.abs(recent - first);
  if (by < 0.0005 * Math.abs(first)) return {text: 'the same', className: ''};
  const text = first > 0 && recent > 0 ? percent(by / first) : number(by);
  return {text: text + (less ? ' less' : ' more'), className: less === Boolean(maximize) ? 'bad' : 'good'};
}

const period = (context) => context.type === 'clock' ? {day: 24, week: 7}[context.clock] : context.period;

/** The value of a context at a share of its range. */
export function valueAt(context, share) {
  if (context.type !== 'number') return share * period(context);
  const {from, to} = context;
  return context.scale === 'log' ? from * (to / from) ** share : from + share * (to - from);
}

/** Copies a text, also where the page did not come by https; whether the browser let it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {  // there is none
    const area = element('textarea', text);
    const here = document.activeElement;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    here?.focus();
    return copied;
  }
}

/** A button that copies what `text` gives, and says so for a while in `said`. */
export function copies(button, said, text) {
  button.addEventListener('click', async () => {
    setText(said, await copy(await text()) ? 'Copied' : 'The browser does not let the page copy');
    setTimeout(() => setText(said, ''), 3000);
  });
}

/** An element with a text. */
export function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Changes a text only if it is another one, so that a screen reader does not read it again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A fresh copy of a template. */
export const view = (id) => document.getElementById(id).content.cloneNode(true);

/** A fact: its name, its value, and a note below it. */
export function fact(name, value, note = '', className = '') {
  return {name, value, note, className};
}

/** Writes facts into a list; the elements stay, so that nothing moves or is read again. */
export function setFacts(list, facts) {
  while (list.children.length > facts.length) list.lastChild.remove();
  facts.forEach((each, k) => {
    let item = list.children[k];
    if (!item) {
      item = element('div');
      item.append(element('dt'), element('dd'), element('dd', '', 'note'));
      list.append(item);
    }
    const [name, value, note] = item.children;
    setText(name, each.name);
    setText(value, each.value);
    setText(note, each.note);
    note.hidden = !each.note;
    value.className = each.className;
  });
}
