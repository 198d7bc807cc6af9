// A form that makes a study.

import {Problem, request} from './api.js';
import {view} from './text.js';

/** A number if the text is one, else the text, so that the service says what is wrong with it. */
function numberOr(text) {
  const trimmed = text.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/** A number, true or false if the text is one. */
const valueOr = (text) => text === 'true' || text === 'false' ? text === 'true' : numberOr(text);

const list = (text) => text.split(',').map((part) => part.trim()).filter(Boolean);

const TEXTS = ['name', 'type', 'unit', 'scale', 'side', 'over', 'clock', 'today'];

/** What the fields of a row say that are shown and not empty, by their keys. */
function readRow(row) {
  const read = {};
  for (const field of row.querySelectorAll('[data-key]')) {
    const {key} = field.dataset;
    const text = field.value.trim();
    if (field.closest('[hidden], .rows') !== row.parentElement || (text === '' && key !== 'name')) continue;
    if (key === 'names' || key === 'levels') read[key] = read.type === 'shares' ? list(text) : list(text).map(valueOr);
    else if (key === 'fixed') read.fixed = valueOr(text);
    else if (key !== 'scale' || text === 'log') read[key] = TEXTS.includes(key) ? text : numberOr(text);
  }
  return read;
}

const readRows = (form, what) => [...form.querySelectorAll(`[data-rows=${what}] > li`)].map(readRow);

/** The space, and what is run today. */
function readSpace(form, constraints) {
  const rows = readRows(form, 'parameter');
  const today = rows.filter((row) => 'today' in row)
      .map((row) => [row.name, row.type === 'choice' ? row.today : numberOr(row.today)]);
  const space = {parameters: rows.map(({today: _, ...parameter}) => parameter), constraints};
  const limits = readRows(form, 'limit').map(({side, bound, ...limit}) => ({...limit, ...(bound !== undefined && {[side]: bound})}));
  const contexts = readRows(form, 'context').map(({type, ...context}) => type === 'clock' ? context : {...context, type});
  if (limits.length) space.limits = limits;
  if (contexts.length) space.contexts = contexts;
  return {space, ...(today.length && {start: Object.fromEntries(today)})};
}

/** The body of the request. */
function readForm(form) {
  const field = (id) => form.querySelector('#' + id).value.trim();
  const body = {name: field('name')};
  if (form.elements.kind.value === 'set') {
    body.set = field('set');
  } else {
    Object.assign(body, readSpace(form, field('constraints').split('\n').map((line) => line.trim()).filter(Boolean)));
  }
  if (field('learner')) body.learner = field('learner');
  for (const key of ['seed', 'window', 'max_step']) {
    if (field(key)) body[key] = numberOr(field(key));
  }
  if (form.elements.goal.value === 'gain') body.maximize = true;
  return body;
}

function clearErrors(form) {
  for (const error of form.querySelectorAll('.error')) error.textContent = '';
  for (const bad of form.querySelectorAll('[aria-invalid]')) {
    bad.removeAttribute('aria-invalid');
    bad.removeAttribute('aria-describedby');
  }
}

/** The field that a message of the service is about, and where to write the message. */
function placeOf(form, body, message) {
  const [, what, name] = message.match(/(parameter|limit|context) '([^']*)'/) ?? [];
  if (what && body.space) {
    const rows = [...form.querySelectorAll(`[data-rows=${what}] > li`)];
    const at = body.space[what + 's']?.findIndex((each) => each.name === name) ?? -1;
    if (at >= 0) {
      const key = [...message.matchAll(/'(\w+)'/g)].map((match) => match[1])
          .map((word) => word === 'most' || word === 'least' ? 'bound' : word)
          .find((word) => rows[at].querySelector(`[data-key="${word}"]`)) ?? (/ most or least/.test(message) ? 'bound' : 'name');
      return {field: rows[at].querySelector(`[data-key=${key}]`), error: rows[at].querySelector('.error')};
    }
  }
  const words = ['name', 'constraint', 'seed', 'window', 'max_step', 'learner', 'set'];
  const word = words.find((each) => message.includes(`'${each}'`)) ??
      (message.includes('constraint') && body.space ? 'constraint' : body.space ? undefined : 'set');
  const id = word === 'constraint' ? 'constraints' : word;
  return {field: id && form.querySelector('#' + id), error: form.querySelector('.form-error')};
}

function showError(form, body, message) {
  const {field, error} = placeOf(form, body, message);
  error.textContent = message;
  if (!field) return;
  error.id ||= 'error-' + Math.random().toString(36).slice(2);
  field.closest('details')?.setAttribute('open', '');
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', error.id);
  field.focus();
}

function addRow(rows, focus) {
  const what = rows.dataset.rows;
  rows.append(view(what + '-row'));
  const row = rows.lastElementChild;
  const type = row.querySelector('[data-key=type], [data-key=over]');
  const showFields = () => {
    for (const field of row.querySelectorAll('[data-for]')) {
      field.hidden = !field.dataset.for.split(' ').includes(type.value);
    }
  };
  type?.addEventListener('change', showFields);
  showFields();
  const title = what[0].toUpperCase() + what.slice(1) + ' ';
  const number = () => {
    [...rows.children].forEach((each, k) => { each.querySelector('legend').textContent = title + (k + 1); });
  };
  row.querySelector('.remove').addEventListener('click', () => {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    number();
    (next?.querySelector('input') ?? rows.parentElement.querySelector('.add')).focus();
  });
  number();
  if (focus) row.querySelector('input').focus();
}

export function showCreate(main, signal) {
  main.append(view('create-view'));
  const form = main.querySelector('form');
  addRow(form.querySelector('.rows'), false);
  for (const rows of form.querySelectorAll('.rows')) {
    rows.parentElement.querySelector(':scope > .buttons > .add').addEventListener('click', () => addRow(rows, true));
  }
  form.addEventListener('change', () => {
    const bySet = form.elements.kind.value === 'set';
    form.querySelector('.space').hidden = bySet;
    form.querySelector('.field.set').hidden = !bySet;
  });
  const button = form.querySelector('[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    clearErrors(form);
    const body = readForm(form);
    button.disabled = true;
    try {
      await request('/v1/studies', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), signal,
      });
      location.hash = '#/studies/' + body.name;
    } catch (error) {
      if (signal.aborted) return;
      showError(form, body, error instanceof Problem ? error.message : 'The service cannot be reached: try again.');
    } finally {
      button.disabled = false;
    }
  });
}
