// Which view is shown, and in which colours.

import {keeping, setConnected} from './api.js';
import {showCreate} from './create.js';
import {showList} from './list.js';
import {showStudy} from './study.js';

const main = document.getElementById('main');
let leaving = new AbortController();

/** The name of a study in an address; what is no code stays as it is. */
function nameOf(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show(focus) {
  leaving.abort();
  leaving = new AbortController();
  setConnected(true);
  main.replaceChildren();
  const study = location.hash.match(/^#\/studies\/(.+)$/);
  if (study) {
    const name = nameOf(study[1]);
    document.title = name + ' · Keyhole';
    showStudy(main, leaving.signal, name);
  } else if (location.hash === '#/new') {
    document.title = 'New study · Keyhole';
    showCreate(main, leaving.signal);
  } else {
    document.title = 'Keyhole';
    showList(main, leaving.signal, new URLSearchParams(location.hash.split('?')[1]));
  }
  for (const link of document.querySelectorAll('header nav a')) {
    const here = link.getAttribute('href') === (location.hash.split('?')[0] || '#/');
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  // A new view is read from its heading on.
  if (focus) main.querySelector('h1').focus();
}

const root = document.documentElement;
const button = document.getElementById('theme');
const darkPreferred = matchMedia('(prefers-color-scheme: dark)');

const settings = keeping(() => localStorage);

function paint() {
  const theme = settings.get('theme') ?? (darkPreferred.matches ? 'dark' : 'light');
  root.dataset.theme = theme;
  button.textContent = theme === 'dark' ? 'Light' : 'Dark';
  button.setAttribute('aria-label', 'Switch to ' + button.textContent.toLowerCase() + ' colours');
  dispatchEvent(new Event('recolour'));
}
button.addEventListener('click', () => {
  settings.set('theme', root.dataset.theme === 'dark' ? 'light' : 'dark');
  paint();
});
darkPreferred.addEventListener('change', paint);
paint();

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => show(true));
show(false);
