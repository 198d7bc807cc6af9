// The service: requests with the token, and streams of events that begin again by themselves.

const dialog = document.getElementById('token-dialog');
const input = document.getElementById('token');
const refusal = document.getElementById('token-error');
const connection = document.getElementById('connection');
let asking = null;

/** What the service answered in place of what was asked for. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** A storage of the browser; where that is forbidden or full, what is kept lasts as long as the
 *  page. */
export function keeping(storage) {
  const kept = {};
  return {
    get(key) {
      if (key in kept) return kept[key];
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      kept[key] = value;
      try {
        storage().setItem(key, value);
      } catch {  // then it is kept here
      }
    },
  };
}

const session = keeping(() => sessionStorage);

export const token = () => session.get('token') || '';

/** Asks the user for a token, once for all who wait for it. */
function askForToken() {
  asking ??= new Promise((resolve) => {
    refusal.textContent = token() ? 'The service does not take this token.' : '';
    input.value = '';
    dialog.oncancel = (event) => event.preventDefault();
    dialog.onclose = () => {
      session.set('token', input.value.trim());
      asking = null;
      resolve();
    };
    dialog.showModal();
  });
  return asking;
}

/** Says whether the service can be reached. */
export function setConnected(connected) {
  const text = connected ? '' : 'Connection lost, trying again';
  if (connection.textContent !== text) connection.textContent = text;
}

/** fetch() with the token. */
export async function request(path, options = {}) {
  for (;;) {
    const used = token();
    const headers = {...options.headers};
    if (used) headers.Authorization = 'Bearer ' + used;
    const response = await fetch(path, {...options, headers});
    if (response.ok) return response;
    if (response.status === 401) {
      // Meanwhile another request may have asked for it.
      if (used === token()) await askForToken();
      continue;
    }
    const problem = await response.json().catch(() => ({}));
    throw new Problem(response.status, problem.detail || 'The service answered ' + response.status);
  }
}

export const get = async (path, signal) => (await request(path, {signal})).json();

export const post = async (path, body, signal) => (await request(path, {
  method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}, signal})).json();

const pause = (milliseconds, signal) => new Promise((resolve) => {
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener('abort', end);
});

/** Does `ask` again and again, `milliseconds` after each answer, until the signal; less often if it
 *  takes the service long. */
export async function poll(ask, milliseconds, signal, take) {
  while (!signal.aborted) {
    const begin = Date.now();
    try {
      const answer = await ask();
      setConnected(true);
      take(answer);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status < 500) throw error;
      setConnected(false);
    }
    await pause(Math.max(milliseconds, 10 * (Date.now() - begin)), signal);
  }
}

/** The events in what a server sends: calls take(event, data) and returns what is not whole yet. */
function takeEvents(text, state, take) {
  const blocks = text.split('\n\n');
  const rest = blocks.pop();
  for (const block of blocks) {
    let event = 'message';
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('event: ')) event = line.slice(7);
      if (line.startsWith('data: ')) data = line.slice(6);
      if (line.startsWith('id: ')) state.last = line.slice(4);
    }
    if (data) take(event, JSON.parse(data));
  }
  return rest;
}

/** Reads a stream until it ends, or is silent for too long. */
async function readStream(path, state, signal, take) {
  const silence = new AbortController();
  const stop = () => silence.abort();
  signal.addEventListener('abort', stop);
  let timer = setTimeout(stop, 8000);
  try {
    const headers = state.last ? {'Last-Event-ID': state.last} : {};
    const response = await request(path, {headers, signal: silence.signal});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(stop, 8000);
      setConnected(true);
      text = takeEvents(text + value, state, take);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Reads the events of a path until the signal. A stream that breaks begins again. */
export async function follow(path, signal, take) {
  const state = {last: ''};
  while (!signal.aborted) {
    try {
      await readStream(path, state, signal, take);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status < 500) throw error;
    }
    if (signal.aborted) return;
    setConnected(false);
    await pause(1000, signal);
  }
}
