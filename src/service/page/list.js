// The list of studies.

import {Problem, get, poll, setConnected} from './api.js';
import {tagLinks} from './label.js';
import {ago, change, element, number, setText, view} from './text.js';

const PAGE = 1000;  // studies that the service gives at a time

/** Alive, quiet or not seen, in a word. */
function state(live) {
  if (!live) return element('span', 'not used so far', 'muted');
  if (live.rate > 0) return element('span', live.paused ? 'alive, exploring paused' : 'alive', 'good');
  return element('span', live.last_tell ? 'quiet, told ' + ago(live.last_tell, Date.now()) : 'quiet', 'muted');
}

function row(study) {
  const live = study.live;
  const line = element('tr');
  const cell = (content, label, className = '') => {
    const made = element('td', '', className);
    made.dataset.label = label;
    made.append(content);
    line.append(made);
  };
  const head = element('th');
  head.scope = 'row';
  const link = element('a', study.name);
  link.href = '#/studies/' + study.name;
  head.append(link);
  if (study.tags) head.append(' ', ...tagLinks(study.tags));
  if (study.note) head.append(element('div', study.note.split('\n', 1)[0], 'written'));
  line.append(head);
  cell(state(live), 'State');
  cell(live ? number(live.rate ?? 0) : '', 'Plays a second', 'number');
  cell(live?.recent != null ? number(live.recent) : '', 'Recent mean', 'number');
  const since = live && change(live.first, live.recent, live.maximize);
  cell(since ? element('span', since.text, since.className) : '', 'Since the start', 'number');
  const alarms = live?.alarms ?? [];
  cell(alarms.length ? element('span', alarms.join('; '), 'bad') : live ? 'none' : '', 'Alarms');
  return line;
}

/** Which link of which study it is. */
const placeOf = (link) => link && link.closest('th').firstChild.textContent + ' ' + link.textContent;

/** The list, or the studies that are `wanted`: {tag, search}, as the address has them. */
export function showList(main, signal, wanted) {
  main.append(view('list-view'));
  const form = main.querySelector('.search');
  const field = form.querySelector('input');
  const tag = wanted.get('tag') ?? '';
  field.value = wanted.get('search') ?? '';
  form.querySelector('.with').hidden = !tag;
  setText(form.querySelector('.tag'), tag);
  const sought = () => Object.fromEntries(Object.entries({tag, search: field.value}).filter(([, text]) => text));
  const table = main.querySelector('table');
  const body = main.querySelector('tbody');
  const empty = main.querySelector('.empty');
  const more = main.querySelector('.more');
  const none = main.querySelector('.none');
  let most = 100;
  more.addEventListener('click', () => { most += most < PAGE ? PAGE - most : PAGE; });
  const ask = async () => {
    const search = sought();
    const all = {studies: [], next: '', search};
    do {
      const query = new URLSearchParams({...search, after: all.next, limit: Math.min(PAGE, most - all.studies.length)});
      const {studies, next} = await get('/v1/studies?' + query, signal);
      all.studies.push(...studies);
      all.next = next;
    } while (all.next && all.studies.length < most);
    return all;
  };
  const draw = ({studies, next, search}) => {
    if (JSON.stringify(search) !== JSON.stringify(sought())) return;  // more was typed meanwhile
    const any = Object.keys(search).length > 0;
    form.hidden = !any && studies.length === 0;
    table.hidden = studies.length === 0;
    none.hidden = !any || studies.length > 0;
    empty.hidden = any || studies.length > 0;
    more.hidden = !next;
    const focused = placeOf(document.activeElement?.closest('tbody a'));
    body.replaceChildren(...studies.map(row));
    if (focused) [...body.querySelectorAll('a')].find((link) => placeOf(link) === focused)?.focus();
  };
  /** What is typed is looked for at once, and stands in the address. */
  const look = async () => {
    const query = new URLSearchParams(sought()).toString();
    history.replaceState(null, '', '#/' + (query && '?' + query));
    try {
      draw(await ask());
    } catch {  // the next poll says so
    }
  };
  field.addEventListener('input', look);
  form.addEventListener('submit', (event) => event.preventDefault());
  poll(ask, 1000, signal, draw).catch((error) => {
    if (!(error instanceof Problem)) throw error;
    setConnected(true);
    main.append(element('p', error.message, 'error'));
  });
}
