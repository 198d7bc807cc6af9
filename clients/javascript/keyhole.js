// A client of a Keyhole service, for browsers and Node. It has no dependencies. The types are in
// keyhole.d.ts; docs/clients.md shows how to use it.

/** What a service refused, or that it does not answer. */
export class KeyholeError extends Error {
  constructor(detail, status = 0, code = '', problem = {}) {
    super(detail);
    this.name = 'KeyholeError';
    this.status = status;  // 0 if there was no answer
    this.code = code;  // as 'unknown_study'
    this.problem = problem;
  }
}

/** What an answer says is wrong. */
function errorOf(status, text) {
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {  // it comes from something between
  }
  if (!problem?.type || !problem.detail) {
    return new KeyholeError(`the service answers with status ${status}`, status);
  }
  return new KeyholeError(problem.detail, status, problem.type.replace(/^.*:/, ''), problem);
}

/** Whether a service cannot now, and may later, as if a token has made its calls of a second. */
const isNotNow = ({status, code}) => status === 0 || status === 503 || code === 'rate';

/** Whether a service that cannot now says that it has done nothing. Others may have. */
const isUndone = ({code, problem}) => code === 'unreachable' || code === 'busy' || code === 'replaced' ||
  code === 'rate' || (code === 'database' && problem.maybe_stored === false);

/** Numbers as the service writes them: those of JSON, and no NaN. */
const textOf = (body) => JSON.stringify(body, (key, value) => {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new KeyholeError(`${key || 'a number'} is ${value}, and must be finite`, 0, 'invalid_argument');
  }
  return value;
});

/** A time until which calls are made again, with pauses that grow. */
class Patience {
  constructor(seconds) {
    this.end = Date.now() + 1000 * seconds;
    this.pause = 20;
  }
  async waits() {
    if (Date.now() > this.end) return false;
    await new Promise((resolve) => { setTimeout(resolve, this.pause); });
    this.pause = Math.min(2 * this.pause, 1000);
    return true;
  }
}

export class Client {
  constructor(url, {token, patience = 10, timeout = 60} = {}) {
    this.url = url.replace(/\/+$/, '');
    this.headers = token ? {Authorization: 'Bearer ' + token} : {};
    this.seconds = patience;
    this.timeout = timeout;
  }

  /** A new study, or the one of that name if it is made of the same. */
  async create(description) {
    await this.call('POST', '/v1/studies', description);
    return new Study(this, description.name);
  }
  /** The study of a name, which must be there. */
  async open(name) {
    const study = new Study(this, name);
    await study.show();
    return study;
  }
  /** The names of all studies, in order. */
  async list() {
    return (await this.find()).map(({name}) => name);
  }
  /** The studies that have these: a text in their name or note, a tag, a beginning of their name. */
  async find({text = '', tag = '', prefix = ''} = {}) {
    const found = [];
    for (let after = ''; after !== undefined;) {
      const query = new URLSearchParams({search: text, tag, prefix, after, limit: '1000'});
      const {studies, next} = await this.call('GET', '/v1/studies?' + query);
      found.push(...studies.map(({name, note = '', tags = []}) => ({name, note, tags})));
      after = next;
    }
    return found;
  }
  /** Deletes a study and all that it learned. One that has gone meanwhile is no error. */
  async remove(name) {
    const patience = new Patience(this.seconds);
    let maybeGone = false;
    while (true) {
      const {error} = await this.once('DELETE', pathOf(name));
      if (!error || (maybeGone && error.code === 'unknown_study')) return;
      if (!isNotNow(error)) throw error;
      maybeGone ||= !isUndone(error);
      if (!await patience.waits()) throw error;
    }
  }

  /** Brings back the study of that name that was deleted last, if the service keeps it. */
  async undelete(name) {
    await this.call('POST', pathOf(name) + '/undelete');
    return new Study(this, name);
  }

  /** A call that may be made twice. */
  async call(method, path, body) {
    const patience = new Patience(this.seconds);
    while (true) {
      const {error, json} = await this.once(method, path, body);
      if (!error) return json;
      if (!isNotNow(error) || !await patience.waits()) throw error;
    }
  }
  /** A call that is made once: what it gives, or its error. */
  async once(method, path, body) {
    const sent = body === undefined ? undefined : textOf(body);
    try {
      const response = await fetch(this.url + path, {
        method, body: sent, headers: this.headers, signal: AbortSignal.timeout(1000 * this.timeout),
      });
      const text = await response.text();
      if (!response.ok) return {error: errorOf(response.status, text)};
      return {json: text ? JSON.parse(text) : undefined};
    } catch (cause) {
      const error = new KeyholeError(
        `the service at ${this.url} does not answer: is it running? (${cause.cause?.message ?? cause.message})`,
        0, cause.cause?.code === 'ECONNREFUSED' ? 'unreachable' : '');
      return {error};
    }
  }
}

/** A text that nobody else makes. It is no secret; `crypto` is not there everywhere. */
const newId = () => Array.from({length: 3}, () => Math.random().toString(36).slice(2)).join('-');

const pathOf = (name) => '/v1/studies/' + encodeURIComponent(name);

export class Study {
  constructor(client, name) {
    this.client = client;
    this.name = name;
    this.path = pathOf(name);
  }

  /** The next play. A worker with a name gets the play again that it has not told. */
  async ask(worker, context) {
    return (await this.step([], {worker, context})).plays[0];
  }
  /** What a play has cost; how it was taken. */
  async tell(play, loss, more = {}) {
    return (await this.tellAll([{play, loss, ...more}]))[0];
  }
  /** What several plays have cost: all of it is taken, or nothing. */
  async tellAll(tells) {
    return (await this.client.call('POST', this.path + '/tells', {tells})).receipts;
  }

  /** Tells and asks as one unit. With the name of a worker it is made again until it is known to be
   *  done, and done once. */
  async step(tells, {asks = 1, worker, context} = {}) {
    const body = {tells, asks, worker: worker && asks > 0 ? worker : undefined, context};
    if (asks === 0) return {receipts: await this.tellAll(tells), plays: []};
    const patience = new Patience(this.client.seconds);
    while (true) {
      const {error, json} = await this.client.once('POST', this.path + '/steps', body);
      if (!error) return json;
      if (!isNotNow(error)) throw error;
      if (!isUndone(error)) {
        if (!worker && error.status !== 0) throw error;
        if (!worker) throw new KeyholeError('the answer to an ask was lost: a worker with a name could ask again');
        // Nobody can tell from the play that it gets whether its tells were taken; their fates say.
        const fates = tells.length > 0 ? await Promise.all(tells.map(({play}) => this.fate(play))) : ['pending'];
        if (!fates.includes('pending')) {
          const {plays} = await this.step([], {worker, context});
          return {receipts: fates.map((fate) => fate === 'told' ? 'fresh' : 'expired'), plays};
        }
      }
      if (!await patience.waits()) throw error;
    }
  }

  /** Learns what was measured before, once, however often its answer is lost. */
  learn(losses, {outside, id = newId()} = {}) {
    return this.client.call('POST', this.path + '/past', {losses, outside, id});
  }
  /** What to deploy, where these are known. */
  recommend(context = {}) {
    const known = Object.entries(context).filter(([, value]) => value !== null && value !== undefined);
    const query = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
    return this.client.call('GET', `${this.path}/recommendation?${query}`);
  }
  /** Stops exploring, or explores again. */
  pause(paused = true) {
    return this.client.call('PUT', this.path + '/paused', {paused});
  }
  /** Writes a note and tags on it, in place of what was there. */
  label({note = '', tags = []}) {
    return this.client.call('PUT', this.path + '/label', {note, tags});
  }
  /** What it is made of, and what it has done. */
  show() {
    return this.client.call('GET', this.path);
  }
  /** "pending", "told" or "expired". */
  async fate(play) {
    return (await this.client.call('GET', `${this.path}/plays/${play}`)).is;
  }
}

/** The studies of a service. */
export const connect = (url, options) => new Client(url, options);
