// Keyhole itself, for browsers and Node: the library as WebAssembly, without a service. It has no
// dependencies. The types are in keyhole.d.ts; docs/browser.md shows how to use it.

/** What the library refused. */
export class KeyholeError extends Error {
  constructor(detail, code = 0) {
    super(detail);
    this.name = 'KeyholeError';
    this.code = code;  // the number of an ErrorCode of error.h
  }
}

/** How tells are taken: the Receipt of summary.h. */
const receipts = ['fresh', 'repeated', 'expired', 'late'];

/** The module, and numbers and texts to and from its memory. */
class Core {
  constructor(instance) {
    this.calls = instance.exports;
    this.calls._initialize();
  }

  numbers(at, count) {
    return new Float64Array(this.calls.memory.buffer, at, count);
  }

  text(at, size) {
    const bytes = new Uint8Array(this.calls.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, size ?? bytes.indexOf(0)));
  }

  /** Calls use(place) with memory that holds these bytes. */
  with(size, fill, use) {
    const at = this.calls.malloc(size || 1);
    if (!at) throw new KeyholeError('there is not enough memory');
    try {
      fill(new Uint8Array(this.calls.memory.buffer, at, size), at);
      return use(at);
    } finally {
      this.calls.free(at);
    }
  }
  withBytes(bytes, use) {
    return this.with(bytes.length, (memory) => memory.set(bytes), use);
  }
  withText(text, use) {
    return this.withBytes(new TextEncoder().encode(text + '\0'), use);
  }
  withNumbers(values, use) {
    return this.with(8 * values.length, (_, at) => this.numbers(at, values.length).set(values), use);
  }
  /** `count` numbers that use(place) writes. */
  written(count, use) {
    return this.with(8 * count, () => {}, (at) => {
      use(at);
      return this.numbers(at, count).slice();
    });
  }

  /** The result of a call, unless it says that it failed. */
  sound(result) {
    if (result >= 0) return result;
    throw new KeyholeError(this.text(this.calls.keyhole_error()), this.calls.keyhole_error_code());
  }
  /** The same of a call that makes something. */
  made(place) {
    return this.sound(place || -1);
  }
}

const forgotten = new FinalizationRegistry(({free, place}) => free(place));

/** What has a place in the memory of the module. */
class Owner {
  #free;
  #place;

  constructor(core, place, free) {
    this.core = core;
    this.#place = place;
    this.#free = free;
    forgotten.register(this, {free, place}, this);
  }

  /** Its place, for calls. */
  get at() {
    if (this.#place) return this.#place;
    throw new KeyholeError('it was freed');
  }

  /** Gives its memory back at once, and not when JavaScript finds the time. */
  free() {
    if (!this.#place) return;
    forgotten.unregister(this);
    this.#free(this.#place);
    this.#place = 0;
  }
}

function whole(name, value) {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new KeyholeError(`${name} must be a whole number from 0 to 2^53 - 1, not ${value}`);
}

/** A number: what is missing is none, and not 0. */
function number(value) {
  if (typeof value === 'number') return value;
  throw new KeyholeError(`this must be a number, not ${value === null ? 'null' : typeof value}`);
}

/** Numbers for a point: as many as the set has coordinates. */
function pointOf(dimension, values) {
  if (values?.length !== dimension) {
    throw new KeyholeError(`a point has ${dimension} numbers here, not ${values?.length}`);
  }
  return Float64Array.from(values, number);
}

/** A convex set. */
export class KeyholeSet {
  #owner;

  constructor(core, place) {
    this.#owner = new Owner(core, place, core.calls.keyhole_set_free);
    this.spec = core.text(core.made(core.calls.keyhole_set_spec(place)));
    this.dimension = core.calls.keyhole_set_dimension(place);
    const found = core.written(3 + this.dimension, (at) => core.sound(core.calls.keyhole_set_geometry(place, at)));
    [this.innerRadius, this.outerRadius, this.diameter] = found;
    this.centre = found.slice(3);
  }

  /** Whether a point is in the set. */
  contains(point) {
    const {core, at} = this.#owner;
    return core.withNumbers(pointOf(this.dimension, point), (x) =>
      core.sound(core.calls.keyhole_set_contains(at, x)) === 1);
  }

  /** The point of the set that is least in a direction. */
  minimise(direction) {
    const {core, at} = this.#owner;
    return core.withNumbers(pointOf(this.dimension, direction), (d) => core.written(this.dimension, (x) =>
      core.sound(core.calls.keyhole_set_minimise(at, d, x))));
  }

  /** A learner on the set. */
  learner({algorithm = 'default', seed = 0, window = 4096, maximize = false} = {}) {
    const {core, at} = this.#owner;
    return new Learner(core, this, core.withText(algorithm, (text) =>
      core.made(core.calls.keyhole_learner(at, text, whole('the seed', seed), whole('the window', window),
        maximize ? 1 : 0))));
  }

  free() { this.#owner.free(); }
}

/** What is asked for points and told their losses. */
class Learner {
  #owner;

  constructor(core, set, place) {
    this.#owner = new Owner(core, place, core.calls.keyhole_learner_free);
    this.set = set ?? new KeyholeSet(core, core.made(core.calls.keyhole_set_of(place)));
    this.spec = core.text(core.made(core.calls.keyhole_learner_spec(place)));
  }

  /** A point to play, and its number. */
  ask() {
    const {core, at} = this.#owner;
    let play = 0;
    const point = core.written(this.set.dimension, (x) => { play = core.sound(core.calls.keyhole_ask(at, x)); });
    return {play, point};
  }

  /** Tells the loss of a play, or of its number; says how it was taken. */
  tell(play, loss, count = 1) {
    const {core, at} = this.#owner;
    const id = whole('a play', play?.play ?? play);
    return receipts[core.sound(core.calls.keyhole_tell(at, id, number(loss), number(count)))];
  }

  /** Teaches the loss of a point that was not asked for. */
  learn(point, loss, count = 1) {
    const {core, at} = this.#owner;
    core.withNumbers(pointOf(this.set.dimension, point), (x) =>
      core.sound(core.calls.keyhole_learn(at, x, number(loss), number(count))));
  }

  /** Whether plays explore, from the next on; else they are what is recommended. */
  explore(on) {
    const {core, at} = this.#owner;
    core.sound(core.calls.keyhole_explore(at, on ? 1 : 0));
  }

  /** The point to deploy. */
  recommend() {
    const {core, at} = this.#owner;
    return core.written(this.set.dimension, (x) => core.sound(core.calls.keyhole_recommend(at, x)));
  }

  /** What points are believed to cost: [{loss, error}]; NaN while it is not known. */
  estimate(points) {
    const {core, at} = this.#owner;
    const all = points.flatMap((point) => [...pointOf(this.set.dimension, point)]);
    const found = core.withNumbers(all, (x) => core.written(2 * points.length, (out) =>
      core.sound(core.calls.keyhole_estimate(at, x, points.length, out))));
    return points.map((_, k) => ({loss: found[2 * k], error: found[2 * k + 1]}));
  }

  /** What it is doing and what it believes. */
  status() {
    const {core, at} = this.#owner;
    const names = ['asked', 'told', 'pending', 'missing', 'restarts', 'oracleCalls', 'average', 'recentAverage',
      'exploring', 'reach', 'noise', 'gain', 'gainError', 'curvature', 'fit'];
    const found = core.written(names.length, (out) => core.sound(core.calls.keyhole_status(at, out)));
    return Object.fromEntries(names.map((name, k) => [name, found[k]]));
  }

  /** Its state, as bytes that any build of Keyhole reads. */
  state() {
    const {core, at} = this.#owner;
    const bytes = core.made(core.calls.keyhole_state(at));
    return new Uint8Array(core.calls.memory.buffer, bytes, core.calls.keyhole_text_size()).slice();
  }

  /** Goes on from a state of an equal learner. */
  restore(state) {
    const {core, at} = this.#owner;
    core.withBytes(state, (bytes) => core.sound(core.calls.keyhole_restore(at, bytes, state.length)));
  }

  free() { this.#owner.free(); }
}

/** Loads the library: from keyhole.wasm next to this file, or from bytes or a module that are given. */
export async function load(source) {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source ?? await bytes());
  // The library does no input and no output: what its C library asks of a system is refused. Calls of
  // Linux say so by a negative number.
  const refused = 52;
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => (name.startsWith('__syscall') ? -refused : refused);
  }
  const core = new Core(await WebAssembly.instantiate(module, imports));
  return {
    version: core.text(core.calls.keyhole_version()),
    set: (spec) => new KeyholeSet(core, core.withText(String(spec), (at) => core.made(core.calls.keyhole_set(at)))),
    open: (state) => new Learner(core, null, core.withBytes(state, (bytes) =>
      core.made(core.calls.keyhole_open(bytes, state.length)))),
  };
}

async function bytes() {
  const place = new URL('keyhole.wasm', import.meta.url);
  if (place.protocol === 'file:') return (await import('node:fs/promises')).readFile(place);
  const answer = await fetch(place);
  if (!answer.ok) throw new KeyholeError(`${place} cannot be loaded: status ${answer.status}`);
  return answer.arrayBuffer();
}
