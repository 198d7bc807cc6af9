// The playground: the library as WebAssembly on a set in two or three dimensions, with a loss that
// the reader draws.

import {load} from './keyhole.js';

const sets = ['ball(2)', 'box(0, 1, 2)', 'simplex(3)', 'l1_ball(2)', 'ellipsoid([[1, 0.8], [0.8, 1]])',
  'polytope(2, lower=0, A=[[1, 2], [3, 1]], b=[2, 3])', 'ball(3)', 'box(0, 1, 3)', 'simplex(4)', 'l1_ball(3)',
  'permutahedron(4)', 'nuclear_ball(1, 3)'];
const shapes = {
  bowl: (d) => d[0] * d[0] + d[1] * d[1] + (d[2] ?? 0) ** 2,
  cone: (d) => Math.hypot(...d),
  valley: (d) => d[0] * d[0] / 10 + 2 * d[1] * d[1] + 2 * (d[2] ?? 0) ** 2,
};

const shown = 300;  // plays

const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
const plus = (a, b, times = 1) => a.map((value, k) => value + times * b[k]);

/** Normal numbers from a seed, so that a run can be had again. */
function normals(seed) {
  let state = seed >>> 0;
  const uniform = () => {  // mulberry32
    state = (state + 0x6D2B79F5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** A set, and coordinates in the plane or the space that it fills. */
export class Body {
  constructor(set) {
    this.set = set;
    const random = normals(1);
    const centre = [...set.centre];
    this.axes = [];
    // The widest direction first, then the widest at right angles to it.
    for (let k = 0; k < Math.min(4, set.dimension); ++k) {
      let widest = null;
      let most = 1e-6 * set.outerRadius;
      for (let tries = 0; tries < 200; ++tries) {
        let rest = plus([...set.minimise(centre.map(random))], centre, -1);
        for (const axis of this.axes) rest = plus(rest, axis, -dot(rest, axis));
        const size = Math.hypot(...rest);
        if (size > most) [most, widest] = [size, rest.map((value) => value / size)];
      }
      if (!widest) break;
      this.axes.push(widest);
    }
    if (set.dimension <= 3 && this.axes.length === set.dimension) {  // those of the set itself
      this.axes = centre.map((_, k) => centre.map((__, i) => (i === k ? 1 : 0)));
    }
  }

  get size() { return this.axes.length; }
  /** The coordinates of a point, and the point of coordinates. */
  seen(point) { return this.axes.map((axis) => dot(plus([...point], [...this.set.centre], -1), axis)); }
  point(seen) { return seen.reduce((sum, value, k) => plus(sum, this.axes[k], value), [...this.set.centre]); }
  /** The vertex that is farthest in a direction, in coordinates. */
  farthest(direction) {
    const all = direction.reduce((sum, value, k) => plus(sum, this.axes[k], -value), this.set.centre.map(() => 0));
    return this.seen(this.set.minimise(Float64Array.from(all)));
  }
  /** The outline as it is seen along two axes. */
  outline(u, v, steps = 180) {
    return Array.from({length: steps}, (_, k) => {
      const angle = 2 * Math.PI * k / steps;
      const far = this.farthest(plus(u.map((value) => value * Math.cos(angle)), v, Math.sin(angle)));
      return [dot(far, u), dot(far, v)];
    });
  }
  /** Coordinates, drawn towards the centre until they are in the set. */
  inside(seen) {
    const within = (share) => this.set.contains(this.point(seen.map((value) => share * value)));
    if (within(1)) return seen;
    let [low, high] = [0, 1];
    for (let k = 0; k < 50; ++k) {
      const middle = (low + high) / 2;
      if (within(middle)) low = middle;
      else high = middle;
    }
    return seen.map((value) => low * value);
  }
}

/** A run: a learner on a body, and what it has cost. */
export class Run {
  constructor(body, {shape = 'bowl', noise = 0.1, seed = 1, target} = {}) {
    this.body = body;
    this.learner = body.set.learner({seed});
    this.shape = shape;
    this.noise = noise;
    this.random = normals(seed);
    this.target = target ?? body.farthest(body.axes.map((_, k) => 1 - 2 * (k % 2))).map((value) => 0.6 * value);
    this.plays = [];  // the latest
    this.regret = [];
    this.ofStaying = [];
    this.total = 0;
    this.totalOfStaying = 0;
  }

  /** The loss of a point, without noise: 0 at the target, and about 1 across the set. */
  loss = (seen) => shapes[this.shape](plus(seen, this.target, -1).map((value) => value / this.body.set.outerRadius));

  /** Moves where the loss is least. */
  move(target) { this.target = this.body.inside(target); }

  step() {
    const play = this.learner.ask();
    const seen = this.body.seen(play.point);
    const cost = this.loss(seen);
    this.learner.tell(play, cost + this.noise * this.random());
    this.plays.push(seen);
    if (this.plays.length > shown) this.plays.shift();
    this.total += cost;
    this.totalOfStaying += this.loss(this.body.axes.map(() => 0));
    this.regret.push(this.total / play.play);
    this.ofStaying.push(this.totalOfStaying / play.play);
  }

  /** Gives the memory back. */
  end() {
    this.learner.free();
    this.body.set.free();
  }
}

/** What is shown, in the colours of the page. */
class View {
  constructor(map, curve) {
    this.map = map;
    this.curve = curve;
    this.angles = [0.6, 0.4];
  }

  colours() {
    const style = getComputedStyle(this.map);
    const named = (name) => style.getPropertyValue('--' + name).trim();
    return {text: style.color, line: named('play-line'), play: named('play-point'), best: named('play-best'),
      low: named('play-low'), high: named('play-high')};
  }

  /** The two axes of the picture. */
  axes(body) {
    if (body.size === 2) return [[1, 0], [0, 1]];
    const [a, b] = this.angles;
    return [[Math.cos(a), -Math.sin(a), 0],
      [Math.sin(a) * Math.sin(b), Math.cos(a) * Math.sin(b), Math.cos(b)]];
  }

  draw(run, believes) {
    const {body} = run;
    const context = this.map.getContext('2d');
    const {width, height} = this.map;
    const [u, v] = this.axes(body);
    const outline = body.outline(u, v);
    const reach = 1.05 * Math.max(...outline.map((at) => Math.max(Math.abs(at[0]), Math.abs(at[1]))));
    const scale = Math.min(width, height) / 2 / reach;
    const place = (seen) => [width / 2 + scale * dot(seen, u), height / 2 - scale * dot(seen, v)];
    this.back = (x, y) => {
      const [a, b] = [(x - width / 2) / scale, (height / 2 - y) / scale];
      return u.map((value, k) => value * a + v[k] * b);
    };
    const colours = this.colours();
    context.clearRect(0, 0, width, height);
    context.save();
    context.beginPath();
    outline.forEach(([x, y], k) => {
      const at = [width / 2 + scale * x, height / 2 - scale * y];
      if (k) context.lineTo(...at);
      else context.moveTo(...at);
    });
    context.closePath();
    context.strokeStyle = colours.line;
    context.lineWidth = 2;
    context.stroke();
    if (body.size === 2) {
      context.clip();
      this.paint(context, run, believes, colours);
    }
    context.restore();
    context.fillStyle = colours.play;
    run.plays.forEach((seen, k, all) => {
      context.globalAlpha = 0.15 + 0.7 * k / all.length;
      context.beginPath();
      context.arc(...place(seen), 3, 0, 7);
      context.fill();
    });
    context.globalAlpha = 1;
    this.cross(context, place(run.target), colours.best);
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(...place(body.seen(run.learner.recommend())), 7, 0, 7);
    context.stroke();
  }

  /** The loss as it is, or as the learner believes it to be. */
  paint(context, run, believes, colours) {
    const cells = 48;
    const {width, height} = this.map;
    const places = [];
    for (let i = 0; i < cells; ++i) {
      for (let j = 0; j < cells; ++j) {
        const seen = this.back((i + 0.5) * width / cells, (j + 0.5) * height / cells);
        if (run.body.set.contains(run.body.point(seen))) places.push({i, j, seen});
      }
    }
    const values = believes ?
      run.learner.estimate(places.map(({seen}) => run.body.point(seen))).map(({loss}) => loss) :
      places.map(({seen}) => run.loss(seen));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (!(high > low)) return;
    places.forEach(({i, j}, k) => {
      const share = Math.round(10 * (values[k] - low) / (high - low)) / 10;
      context.fillStyle = `color-mix(in srgb, ${colours.high} ${100 * share}%, ${colours.low})`;
      context.fillRect(i * width / cells - 0.5, j * height / cells - 0.5, width / cells + 1, height / cells + 1);
    });
  }

  cross(context, [x, y], colour) {
    context.strokeStyle = colour;
    context.lineWidth = 3;
    context.beginPath();
    context.moveTo(x - 7, y - 7);
    context.lineTo(x + 7, y + 7);
    context.moveTo(x + 7, y - 7);
    context.lineTo(x - 7, y + 7);
    context.stroke();
  }

  /** Regret on the average over the rounds so far, over logarithms of both. */
  drawCurve(run) {
    const context = this.curve.getContext('2d');
    const {width, height} = this.curve;
    const colours = this.colours();
    context.clearRect(0, 0, width, height);
    const rounds = run.regret.length;
    const top = Math.max(1e-6, run.regret[0] ?? 0, run.regret[rounds - 1] ?? 0, run.ofStaying[rounds - 1] ?? 0) * 2;
    const bottom = top / 1e4;
    const x = (round) => 50 + (width - 60) * Math.log(round) / Math.log(Math.max(rounds, 10));
    const y = (value) => 10 + (height - 40) * Math.log(top / Math.min(top, Math.max(value, bottom))) / Math.log(top / bottom);
    context.strokeStyle = colours.line;
    context.fillStyle = colours.text;
    context.font = '12px sans-serif';
    context.lineWidth = 1;
    for (let decade = Math.ceil(Math.log10(bottom)); 10 ** decade < top; ++decade) {
      context.fillText(String(Number((10 ** decade).toPrecision(1))), 2, y(10 ** decade) + 4);
      context.strokeRect(50, y(10 ** decade), width - 60, 0);
    }
    for (let round = 1; round <= Math.max(rounds, 10); round *= 10) {
      context.fillText(String(round), x(round) - 3, height - 8);
    }
    for (const [values, colour] of [[run.ofStaying, colours.line], [run.regret, colours.play]]) {
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      for (let round = 1; round <= rounds; round = Math.max(round + 1, Math.floor(1.01 * round))) {
        const at = [x(round), y(values[round - 1])];
        if (round > 1) context.lineTo(...at);
        else context.moveTo(...at);
      }
      context.stroke();
    }
  }
}

const markup = `
  <form><fieldset class="play-form" disabled>
    <label>Try <select name="some"><option value="">...</option></select></label>
    <label>Set <input name="set" size="30" spellcheck="false"></label>
    <label>Loss <select name="shape"><option>bowl</option><option>cone</option><option>valley</option></select></label>
    <label>Noise <input name="noise" type="number" min="0" max="10" step="any" value="0.1"></label>
    <label>Seed <input name="seed" type="number" min="0" max="4294967295" value="1"></label>
    <label>Rounds a frame <input name="speed" type="number" min="1" max="1000" value="2"></label>
    <label><input name="believes" type="checkbox"> show what it believes</label>
    <button name="go" type="button">Run</button> <button name="again" type="submit">Begin again</button>
  </fieldset></form>
  <p class="play-message" role="alert"></p>
  <div class="play-pictures">
    <figure><canvas class="play-map" width="480" height="480" role="img"
        aria-label="The set, the latest plays, the point to deploy, and where the loss is least"></canvas>
      <figcaption>Dots are plays, the ring is the point to deploy, the cross is where the loss is least: click to
        move it.</figcaption></figure>
    <figure><canvas class="play-curve" width="480" height="300" role="img"
        aria-label="Regret on the average over the rounds, and that of staying at the centre"></canvas>
      <figcaption>Regret on the average, and that of staying at the centre.</figcaption></figure>
  </div>
  <table class="play-facts"></table>`;

/** Puts the playground into an element. */
export async function open(element) {
  element.innerHTML = markup;
  const field = element.querySelector('form').elements;
  const message = element.querySelector('.play-message');
  const view = new View(element.querySelector('.play-map'), element.querySelector('.play-curve'));
  field.some.append(...sets.map((spec) => new Option(spec)));
  field.set.value = new URLSearchParams(location.search).get('set') ?? sets[0];
  let keyhole = null;
  try {
    keyhole = await load();
  } catch (error) {
    message.textContent = `The library cannot be loaded: ${error.message}`;
    throw error;
  }
  let run = null;
  let next = 0;  // the frame that is asked for

  const show = () => {
    view.draw(run, field.believes.checked);
    view.drawCurve(run);
    const status = run.learner.status();
    const number = (value) => (Number.isFinite(value) ? value.toPrecision(3) : 'not known yet');
    const facts = {Rounds: status.asked, 'Average regret': number(run.regret.at(-1)),
      'Regret of staying': number(run.ofStaying.at(-1)), 'Noise, as it believes': number(status.noise),
      'Gain, as it believes': `${number(status.gain)} ± ${number(2 * status.gainError)}`,
      'Plays that explore': Number.isFinite(status.exploring) ? Math.round(100 * status.exploring) + ' %' : '?'};
    const rows = Object.entries(facts).map(([name, value]) => {
      const row = document.createElement('tr');
      const [head, cell] = [document.createElement('th'), document.createElement('td')];
      [head.textContent, cell.textContent, head.scope] = [name, value, 'row'];
      row.append(head, cell);
      return row;
    });
    element.querySelector('.play-facts').replaceChildren(...rows);
  };
  const begin = () => {
    turn(false);
    run?.end();
    run = null;
    try {
      const body = new Body(keyhole.set(field.set.value));
      if (body.size !== 2 && body.size !== 3) {
        throw new Error(`this set has ${body.size > 3 ? 'more than 3' : body.size} dimensions: take one with 2 or 3`);
      }
      run = new Run(body, {shape: field.shape.value, noise: Number(field.noise.value), seed: Number(field.seed.value)});
      message.textContent = '';
      field.believes.disabled = body.size === 3;
      view.map.style.touchAction = body.size === 3 ? 'none' : '';
      show();
    } catch (error) {
      message.textContent = error.message;
    }
    field.go.disabled = run === null;
  };
  const frame = () => {
    try {
      const rounds = Math.min(1000, Math.max(1, Number(field.speed.value)));
      for (let k = 0; k < rounds; ++k) run.step();
      show();
      next = requestAnimationFrame(frame);
    } catch (error) {
      message.textContent = error.message;
      turn(false);
    }
  };
  const turn = (on) => {
    cancelAnimationFrame(next);
    next = on ? requestAnimationFrame(frame) : 0;
    field.go.textContent = on ? 'Pause' : 'Run';
  };
  field.go.addEventListener('click', () => turn(!next));
  element.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    begin();
  });
  for (const name of ['set', 'shape', 'noise', 'seed']) field[name].addEventListener('change', begin);
  field.some.addEventListener('change', () => {
    if (field.some.value) field.set.value = field.some.value;
    begin();
  });
  field.believes.addEventListener('change', () => run && show());

  // A click moves the cross; a set of three dimensions turns with the pointer.
  let dragged = null;
  view.map.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !run) return;
    if (run.body.size === 3) view.map.setPointerCapture(event.pointerId);
    dragged = {x: event.offsetX, y: event.offsetY, far: false};
  });
  view.map.addEventListener('pointermove', (event) => {
    if (!dragged || run?.body.size !== 3) return;
    const [x, y] = [event.offsetX - dragged.x, event.offsetY - dragged.y];
    if (!dragged.far && Math.hypot(x, y) < 4) return;
    dragged = {x: event.offsetX, y: event.offsetY, far: true};
    view.angles = [view.angles[0] + x / 100, view.angles[1] + y / 100];
    show();
  });
  view.map.addEventListener('pointerup', (event) => {
    if (dragged && !dragged.far && run) {
      const scale = view.map.width / view.map.clientWidth;
      run.move(view.back(event.offsetX * scale, event.offsetY * scale));
      show();
    }
    dragged = null;
  });
  view.map.addEventListener('pointercancel', () => { dragged = null; });
  begin();
  element.querySelector('fieldset').disabled = false;
  return {get run() { return run; }, turn};
}

const place = document.getElementById('play');
if (place) globalThis.played = await open(place);
