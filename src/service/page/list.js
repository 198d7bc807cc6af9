// The list of studies.

import {Problem, get, poll, setConnected} from './api.js';
import {ago, change, element, number, view} from './text.js';

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

export function showList(main, signal) {
  main.append(view('list-view'));
  const table = main.querySelector('table');
  const body = main.querySelector('tbody');
  const empty = main.querySelector('.empty');
  const more = main.querySelector('.more');
  let wanted = 100;
  more.addEventListener('click', () => { wanted += wanted < PAGE ? PAGE - wanted : PAGE; });
  const ask = async () => {
    const all = {studies: [], next: ''};
    do {
      const query = new URLSearchParams({after: all.next, limit: Math.min(PAGE, wanted - all.studies.length)});
      const {studies, next} = await get('/v1/studies?' + query, signal);
      all.studies.push(...studies);
      all.next = next;
    } while (all.next && all.studies.length < wanted);
    return all;
  };
  const draw = ({studies, next}) => {
    table.hidden = studies.length === 0;
    empty.hidden = studies.length > 0;
    more.hidden = !next;
    const focused = document.activeElement?.closest('tbody a')?.textContent;
    body.replaceChildren(...studies.map(row));
    if (focused) [...body.querySelectorAll('a')].find((a) => a.textContent === focused)?.focus();
  };
  poll(ask, 1000, signal, draw).catch((error) => {
    if (!(error instanceof Problem)) throw error;
    setConnected(true);
    main.append(element('p', error.message, 'error'));
  });
}
