// A form that makes a study.

import {Problem, request} from './api.js';
import {view} from './text.js';

/** A number if the text is one, else the text, so that the service says what is wrong with it. */
function numberOr(text) {
  const trimmed = text.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

const list = (text) => text.split(',').map((part) => part.trim()).filter(Boolean);

/** A parameter of the space and what it is today, from its row. */
function readRow(row) {
  const value = (key) => row.querySelector(`[data-key=${key}]`).value.trim();
  const type = value('type');
  const parameter = {name: value('name'), type};
  const give = (key, content) => { if (content !== '') parameter[key] = content; };
  if (type === 'number' || type === 'integer') {
    give('from', numberOr(value('from')));
    give('to', numberOr(value('to')));
    give('unit', value('unit'));
    if (value('scale') === 'log') parameter.scale = 'log';
  } else {
    parameter.names = list(value('names'));
    if (type === 'shares') give('total', numberOr(value('total')));
  }
  const today = type === 'shares' ? '' : value('today');
  return {parameter, today: type === 'choice' ? today : numberOr(today)};
}

/** The body of the request. */
function readForm(form) {
  const field = (id) => form.querySelector('#' + id).value.trim();
  const body = {name: field('name')};
  if (form.elements.kind.value === 'set') {
    body.set = field('set');
  } else {
    const rows = [...form.querySelectorAll('.parameters li')].map(readRow);
    body.space = {
      parameters: rows.map((row) => row.parameter),
      constraints: field('constraints').split('\n').map((line) => line.trim()).filter(Boolean),
    };
    const today = rows.filter((row) => row.today !== '');
    if (today.length) body.start = Object.fromEntries(today.map((row) => [row.parameter.name, row.today]));
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
  const parameter = message.match(/parameter '([^']*)'/);
  const rows = [...form.querySelectorAll('.parameters li')];
  if (parameter && body.space) {
    const at = body.space.parameters.findIndex((each) => each.name === parameter[1]);
    if (at >= 0) {
      const key = [...message.matchAll(/'(\w+)'/g)].map((match) => match[1])
          .find((word) => rows[at].querySelector(`[data-key="${word}"]`)) ?? 'name';
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
  rows.append(view('parameter-row'));
  const row = rows.lastElementChild;
  const type = row.querySelector('[data-key=type]');
  const showFields = () => {
    for (const field of row.querySelectorAll('[data-for]')) {
      field.hidden = !field.dataset.for.split(' ').includes(type.value);
    }
  };
  type.addEventListener('change', showFields);
  showFields();
  const number = () => {
    [...rows.children].forEach((each, k) => { each.querySelector('legend').textContent = 'Parameter ' + (k + 1); });
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
  const rows = form.querySelector('.parameters');
  addRow(rows, false);
  form.querySelector('.add').addEventListener('click', () => addRow(rows, true));
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
