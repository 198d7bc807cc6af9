// Curves over time or over a context, drawn by uPlot.

/* global uPlot */

import {element} from './text.js';

const HEIGHT = 190;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

const two = (number) => String(number).padStart(2, '0');

/** Times of the axis: with seconds where they are near each other, with the day where a day begins or
 *  they are far from each other. */
function times(_, splits, __, ___, step) {
  return splits.map((split) => {
    const at = new Date(1000 * split);
    const time = two(at.getHours()) + ':' + two(at.getMinutes());
    const day = at.getDate() + ' ' + at.toLocaleString('en', {month: 'short'});
    if (step >= 86400) return day;
    if (step >= 3600 && at.getHours() === 0) return day;
    return step < 60 ? time + ':' + two(at.getSeconds()) : time;
  });
}

/** Where exploring was paused: [from, to] each, in milliseconds. */
export function pauses(marks, end) {
  const found = [];
  for (const {at, kind} of marks) {
    if (kind === 'pause') found.push([at, end]);
    else if (kind === 'resume') found.length ? found.at(-1)[1] = at : found.push([-Infinity, at]);
  }
  return found;
}

/** A ground of another colour while exploring was paused. */
function pauseBands(marks) {
  return ({ctx, bbox, scales, valToPos}) => {
    const right = bbox.left + bbox.width;
    const place = (at) => Math.min(right, Math.max(bbox.left, valToPos(at / 1000, 'x', true)));
    ctx.save();
    ctx.fillStyle = colour('paused');
    for (const [from, to] of pauses(marks(), 1000 * scales.x.max)) {
      const left = from === -Infinity ? bbox.left : place(from);
      ctx.fillRect(left, bbox.top, place(to) - left, bbox.height);
    }
    ctx.restore();
  };
}

/** Vertical lines where the learner started again (dashed) or the study was changed. They are on top:
 *  the lines of the axes would hide them. */
function markLines(marks) {
  return ({ctx, bbox, valToPos}) => {
    ctx.save();
    // On whole pixels: in between, a line is two of half its colour.
    ctx.lineWidth = Math.max(1, Math.round(devicePixelRatio));
    for (const {at, kind} of marks()) {
      const x = Math.floor(valToPos(at / 1000, 'x', true)) + ctx.lineWidth % 2 / 2;
      if (kind === 'pause' || kind === 'resume' || x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.strokeStyle = colour(kind === 'restart' ? 'bad' : 'text');
      ctx.setLineDash(kind === 'restart' ? [4, 4] : []);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
}

const short = (_, value) => value == null ? '' : String(Number(value.toPrecision(4)));

/** What a chart over time has for its axes and scales. */
const overTime = ({range, least = null}) => ({
  x: {range},
  y: {range: (_, low, high) => {
    const from = least === null ? low : Math.min(low, least);
    if (!(high > from)) return [from - 0.5, from + 0.5];
    const room = 0.06 * (high - from);
    return [least === null ? from - room : from, high + room];
  }},
  axis: {values: times, space: 70},
  first: {label: 'time', value: '{HH}:{mm}:{ss}'},
});

/** The same of a chart over a context, with all values that there may be. */
const overContext = ({over, from, to, log}) => ({
  x: {time: false},
  y: {range: [from, to], distr: log ? 3 : 1},
  axis: {space: 50},
  first: {label: over().name, value: short},
});

/** A chart of some series: {label, colour, dash, band, dots}. Two series with `band` have the area
 *  between them filled, and one with `dots` has no line. It is over time within `range`, or over the context that `over` gives. */
export class Chart {
  constructor(place, label, series, options) {
    this.place = place;
    this.height = options.height ?? HEIGHT;
    this.make = () => {
      const {x, y, axis: along, first} = options.over ? overContext(options) : overTime(options);
      const axis = {stroke: colour('muted'), grid: {stroke: colour('grid'), width: 1}, ticks: {stroke: colour('grid')}};
      const bands = series.map((each, k) => each.band ? k + 1 : 0).filter(Boolean);
      return new uPlot({
        width: this.width(), height: this.height,
        cursor: {y: false, drag: {x: false, y: false}},
        legend: {live: true},
        scales: {x, y},
        axes: [{...axis, ...along, size: 34}, {...axis, size: 62}],
        series: [first, ...series.map((each) => ({
          label: each.label, stroke: colour(each.colour), dash: each.dash, spanGaps: true,
          width: each.band ? 0.5 : 1.5,
          ...(each.dots ? {paths: () => null} : {}),
          points: {size: each.dots ? 4 : undefined, show: (plot, k, from, to) => each.dots || (!each.band && to - from < 40)},
          value: short,
        }))],
        bands: bands.length === 2 ? [{series: [bands[1], bands[0]], fill: colour('band')}] : [],
        hooks: options.marks ?
          {drawClear: [pauseBands(options.marks)], draw: [markLines(options.marks)]} : {},
      }, this.data, place);
    };
    this.data = [[], ...series.map(() => [])];
    place.append(element('p', label, 'chart-title'));
    this.plot = this.make();
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', label);
    this.observer = new ResizeObserver(() => this.plot.setSize({width: this.width(), height: this.height}));
    this.observer.observe(place);
  }

  width() { return Math.max(200, this.place.clientWidth); }

  set(data) {
    this.data = data;
    this.plot.setData(data);
  }

  /** With the colours of the theme. */
  recolour() {
    this.plot.destroy();
    this.plot = this.make();
  }

  close() {
    this.observer.disconnect();
    this.plot.destroy();
  }
}
