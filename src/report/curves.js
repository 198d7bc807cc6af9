/** Curves over the rounds, drawn by dygraphs. */
class Curves extends Panel {
  constructor(element, figure) {
    super(element, figure, 'rounds');
    const rounds = [...new Set(this.series.flatMap((s) => s.t))].sort((a, b) => a - b);
    this.rounds = rounds;
    // The faint ones are drawn first, below the others: column -> series, and back.
    const all = this.series.map((s, i) => i);
    this.order = [...all.filter((i) => this.series[i].faint),
                  ...all.filter((i) => !this.series[i].faint)];
    this.column = all.map((i) => this.order.indexOf(i));
    this.canLogX = rounds.length > 0 && rounds[0] > 0;
    this.logX = figure.log_x && this.canLogX;
    // Where each series has the rounds: row -> index.
    this.rowOf = new Map(rounds.map((t, row) => [t, row]));
    this.logXButton = this.axisButton('x', this.canLogX, () => { this.logX = !this.logX; });
    this.axes.append(this.logXButton);
    if (rounds.length === 0) {
      this.at.textContent = 'There are no points to draw.';
      this.logXButton.hidden = this.logYButton.hidden = true;
      return;
    }
    this.draw();
    this.show(null);
    this.plot.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') return;  // dygraphs follows the mouse by itself
      const x = event.clientX - this.plot.getBoundingClientRect().left;
      this.select(this.graph.findClosestRow(x));
    });
  }

  sample(series) {
    const stroke = makeSvg('path', {d: 'M0 5H26', 'stroke-width': series.faint ? 1.2 : 2.5});
    stroke.setAttribute('stroke', 'var(--series-' + (series.faint ? 'faint' : series.colour) + ')');
    const pattern = this.pattern(series);
    if (pattern) stroke.setAttribute('stroke-dasharray', pattern.join(' '));
    return stroke;
  }

  /** The faint ones have one colour and differ in their dashes. */
  pattern(series) {
    if (series.faint) {
      const number = this.series.filter((s) => s.faint).indexOf(series);
      return [null, [5, 3], [1.5, 2.5], [7, 2, 1.5, 2]][number % 4];
    }
    if (series.dashed) return series.dots ? [6, 3, 1.5, 3] : [6, 4];
    return series.dots ? [1.5, 3] : null;
  }

  /** Rows of [t, [lower, mean, upper], ...]: null joins its neighbours, NaN makes a gap. */
  rows() {
    const rows = this.rounds.map((t) => [t, ...this.series.map(() => null)]);
    let leftOut = 0;
    const floor = this.logY ? this.range()[0] : -Infinity;
    this.series.forEach((s, i) => {
      s.t.forEach((t, k) => {
        const mean = s.mean[k];
        let point = [NaN, NaN, NaN];
        if (mean !== null && (!this.logY || mean > 0)) {
          const band = !s.faint;  // that of a control would hide more than it says
          const lower = band && s.lower && s.lower[k] !== null ? s.lower[k] : mean;
          const upper = band && s.upper && s.upper[k] !== null ? s.upper[k] : mean;
          point = [Math.max(lower, Math.min(floor, mean)), mean, upper];
        } else if (mean !== null && this.visible[i]) {
          ++leftOut;
        }
        rows[this.rowOf.get(t)][this.column[i] + 1] = point;
      });
    });
    this.mention(leftOut);
    return rows;
  }

  /** The range of the y axis: the visible means, and of wide intervals not more than that again. */
  range() {
    let low = Infinity, high = -Infinity, bottom = Infinity, top = -Infinity;
    const usable = (value) => value !== null && (!this.logY || value > 0);
    this.series.forEach((s, i) => {
      if (!this.visible[i]) return;
      s.mean.forEach((mean, k) => {
        if (!usable(mean)) return;
        low = Math.min(low, mean);
        high = Math.max(high, mean);
        if (s.faint) return;
        if (s.lower && usable(s.lower[k])) bottom = Math.min(bottom, s.lower[k]);
        if (s.upper && usable(s.upper[k])) top = Math.max(top, s.upper[k]);
      });
    });
    if (low > high) return this.logY ? [0.1, 10] : [0, 1];
    if (this.logY) {
      const span = Math.max(high / low, 1.2);
      const room = Math.sqrt(Math.min(span, 100));
      low = Math.max(Math.min(low, bottom), low / room);
      high = Math.min(Math.max(high, top), high * room);
      const pad = (high / low) ** 0.05;
      return high > low ? [low / pad, high * pad] : [low / 2, high * 2];
    }
    const room = (high - low) / 2;
    const positive = low >= 0;
    low = Math.max(Math.min(low, bottom), low - room);
    high = Math.min(Math.max(high, top), high + room);
    if (positive && low < 0.4 * high) low = 0;  // a true zero line where it costs little
    const pad = high > low ? 0.05 * (high - low) : Math.max(Math.abs(high) * 0.1, 1e-9);
    return [low === 0 ? 0 : low - pad, high + pad];
  }

  /** The range of the x axis: all rounds, and a little room for the last tick. */
  window() {
    const first = this.rounds[0], last = this.rounds.at(-1);
    if (first === last) return this.logX ? [first / 2, first * 2] : [first - 1, first + 1];
    return this.logX ? [first, last * (last / first) ** 0.01] : [first, last + 0.01 * (last - first)];
  }

  /** Draws everything again, without what was zoomed. */
  reset() {
    if (!this.graph) return;
    this.graph.resetZoom();
    this.redraw({dateWindow: this.window()});
  }

  options() {
    const style = getComputedStyle(root);
    const theme = root.dataset.theme;
    const series = {};
    this.series.forEach((s, i) => {
      series['s' + i] = {
        color: s.faint ? data.faint[theme] : data.palettes[theme][s.colour],
        strokeWidth: s.faint ? 1 : 2,
        strokePattern: this.pattern(s)
      };
    });
    const font = 11;
    const range = this.range();
    const yTicker = ticker(42);
    // Of the labels of y, as wide as the longest needs; powers are set smaller.
    const longest = Math.max(0, ...yTicker(...range, this.plot.clientHeight, () => this.logY)
                                    .map(({label}) => label.replace(/<[^>]*>/g, '').length));
    const yWidth = Math.ceil(font * Math.max(2.2, 0.6 + 0.62 * longest));
    this.label(this.logYButton, this.logY);
    this.label(this.logXButton, this.logX);
    return {
      file: this.rows(),
      visibility: this.order.map((i) => this.visible[i]),
      series,
      gridLineColor: style.getPropertyValue('--grid').trim(),
      axisLineColor: style.getPropertyValue('--line').trim(),
      axes: {
        x: {
          logscale: this.logX,
          ticker: ticker(60),
          axisLabelFontSize: font,
          axisLabelWidth: Math.min(5 * font, 2 * yWidth)  // or the first would be shifted
        },
        y: {
          logscale: this.logY,
          valueRange: range,
          ticker: yTicker,
          axisLabelFontSize: font,
          axisLabelWidth: yWidth
        }
      }
    };
  }

  draw() {
    this.graph = new Dygraph(this.plot, this.rows(), {
      ...this.options(),
      labels: ['t', ...this.order.map((i) => 's' + i)],
      customBars: true,
      connectSeparatedPoints: true,
      drawPoints: this.rounds.length === 1,
      pointSize: 3.5,
      dateWindow: this.window(),
      legend: 'never',
      rightGap: 12,
      fillAlpha: 0.15,
      highlightCircleSize: 3.5,
      pixelRatio,
      // Without dygraphs' touch handlers, which would keep a finger from scrolling the page.
      interactionModel: {
        ...Object.fromEntries(Object.entries(Dygraph.defaultInteractionModel)
                                  .filter(([name]) => !name.startsWith('touch'))),
        dblclick: () => this.reset()
      },
      underlayCallback: (context, area, graph) => this.drawMarks(context, area, graph),
      highlightCallback: (event, t, points, row) => this.show(row),
      unhighlightCallback: () => this.show(null)
    });
  }

  /** A dashed vertical line where something happened. */
  drawMarks(context, area, graph) {
    context.save();
    context.strokeStyle = getComputedStyle(root).getPropertyValue('--muted').trim();
    context.setLineDash([5, 4]);
    for (const mark of this.figure.marks || []) {
      const x = Math.round(graph.toDomXCoord(mark.t));
      if (!(x >= area.x && x <= area.x + area.w)) continue;
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
    }
    context.restore();
  }

  /** Writes the values at a row, or the last ones, into the legend. */
  show(row) {
    this.row = row;
    const t = row === null ? this.rounds.at(-1) : this.rounds[row];
    let approximate = false;
    this.series.forEach((s, i) => {
      const {button, value} = this.entries[i];
      const k = this.nearest(s, t);
      if (k === -1) return;
      const elsewhere = s.t[k] !== t;
      approximate = approximate || elsewhere;
      value.textContent = (elsewhere ? '≈ ' : '') + readable(s.mean[k]);
      button.title = this.describe(s, k, this.figure.x_label + ' ' + readable(s.t[k]));
    });
    this.at.textContent = (row === null ? 'last values, at ' : 'values at ') +
        this.figure.x_label + ' ' + readable(t) +
        (approximate ? ' (≈ at the nearest point of the curve)' : '');
  }

  /** The index of the point of a series that is nearest to round t; -1 if it has none. */
  nearest(series, t) {
    let best = -1;
    for (let k = 0; k < series.t.length; ++k) {
      if (series.mean[k] === null) continue;
      if (best === -1 || Math.abs(series.t[k] - t) < Math.abs(series.t[best] - t)) best = k;
    }
    return best;
  }

  count() { return this.rounds.length; }
  begin() { return this.rounds.length - 1; }

  select(row) {
    if (row < 0 || row >= this.rounds.length) return;
    if (row === null) {
      this.graph.clearSelection();
    } else {
      this.graph.setSelection(row);
    }
    this.show(row);
  }

  /**
   * Draws again with the options as they are now. dygraphs clips to the plot area and never
   * unclips, so a canvas whose labels may have changed their width is made as new before.
   */
  redraw(more = {}) {
    if (!this.graph) return;
    for (const canvas of this.plot.querySelectorAll('canvas')) {
      const context = canvas.getContext('2d');
      if (context.reset) {
        context.reset();
      } else {
        canvas.width = canvas.width;
      }
      context.scale(pixelRatio, pixelRatio);
    }
    this.graph.updateOptions({...this.options(), ...more});
  }

  /** The same in other colours. Safe while printing, when a canvas made as new stays blank. */
  recolour() {
    if (this.graph) this.graph.updateOptions(this.options());
  }
}
