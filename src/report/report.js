'use strict';
// Draws the figures of a report: the data are in #report-data, the frames are <figure data-figure>.
(() => {
  const data = JSON.parse(document.getElementById('report-data').textContent);
  const root = document.documentElement;
  const pixelRatio = Math.max(2, window.devicePixelRatio || 1);  // fine enough for paper, too
  const darkPreferred = matchMedia('(prefers-color-scheme: dark)');

  /** A new element with properties and children. */
  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  /** Four significant digits, whole parts in full: as readable() of text.cc. */
  function readable(value) {
    const size = Math.abs(value);
    if (value !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(3);
    return String(size >= 1000 ? Math.round(value) : Number(value.toPrecision(4)));
  }

  // Ticks. dygraphs asks for [{v, label}]; a label is HTML, and here never a text of the user's.

  /** The powers of ten of a number that is too long or too small to write out. */
  function powerOfTen(value) {
    const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
    const mantissa = Number((value / 10 ** exponent).toPrecision(3));
    const power = '10<sup>' + String(exponent).replace('-', '−') + '</sup>';
    return mantissa === 1 ? power : mantissa === -1 ? '−' + power : mantissa + '×' + power;
  }

  function linearTicks(low, high, count) {
    const rough = (high - low) / Math.max(count, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((multiple) => multiple * power >= rough * 0.999);
    const largest = Math.max(Math.abs(low), Math.abs(high));
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const long = largest >= 1e6 || largest < 1e-3;
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
      const v = k * step;
      const label = k === 0 ? '0' : long ? powerOfTen(v) : v.toFixed(decimals).replace('-', '−');
      ticks.push({v, label});
    }
    return ticks;
  }

  /** Powers of ten; between them 2 and 5 where there is room; plain steps within a decade. */
  function logTicks(low, high, count) {
    const decades = Math.log10(high / low);
    const skip = Math.max(1, Math.ceil(decades / Math.max(count, 1)));
    const multiples = decades * 3 <= count ? [1, 2, 5] : [1];
    const ticks = [];
    for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); ++k) {
      if (k % skip !== 0) continue;
      for (const multiple of multiples) {
        const v = Number(multiple + 'e' + k);
        if (v < low * 0.999 || v > high * 1.001) continue;
        ticks.push({v, label: v >= 1e6 || v < 1e-3 ? powerOfTen(v) : String(v)});
      }
    }
    return ticks.length >= 3 || decades > 1.5 ? ticks : linearTicks(low, high, count);
  }

  function ticker(pixelsEach) {
    return (low, high, pixels, options) => {
      if (!(high > low)) return [{v: low, label: readable(low)}];
      const count = pixels / pixelsEach;
      return options('logscale') && low > 0 ? logTicks(low, high, count) :
                                              linearTicks(low, high, count);
    };
  }

  /** One figure: its plot, the buttons above it and the legend below. */
  class Plot {
    constructor(element, figure) {
      this.figure = figure;
      this.series = figure.series;
      this.visible = this.series.map(() => true);
      const means = this.series.flatMap((s) => s.mean.filter((mean) => mean !== null));
      const rounds = [...new Set(this.series.flatMap((s) => s.t))].sort((a, b) => a - b);
      this.rounds = rounds;
      this.canLogX = rounds.length > 0 && rounds[0] > 0;
      this.canLogY = means.some((mean) => mean > 0);
      this.logX = figure.log_x && this.canLogX;
      this.logY = figure.log_y && means.length > 0 && means.every((mean) => mean > 0);
      this.beganLinear = figure.log_y && !this.logY;
      // Where each series has the rounds: row -> index.
      this.rowOf = new Map(rounds.map((t, row) => [t, row]));

      this.logYButton = this.axisButton('y', this.canLogY, () => { this.logY = !this.logY; });
      this.logXButton = this.axisButton('x', this.canLogX, () => { this.logX = !this.logX; });
      this.plot = make('div', {className: 'plot', tabIndex: 0});
      this.plot.setAttribute('role', 'img');
      this.plot.setAttribute(
          'aria-label', figure.title + ': ' + this.series.map((s) => s.name).join(', ') +
              '. The arrow keys move through the rounds, the values are listed below.');
      this.leftOut = make('p', {className: 'left-out'});
      this.at = make('p', {className: 'at'});
      this.entries = this.series.map((s, i) => this.legendEntry(s, i));
      element.append(
          make('div', {className: 'axes'},
               make('span', {className: 'label', textContent: figure.y_label}), this.logYButton,
               this.logXButton),
          this.plot, make('p', {className: 'x-label', textContent: figure.x_label}), this.leftOut,
          this.at,
          make('ul', {className: 'legend'},
               ...this.entries.map((entry) => make('li', {}, entry.button))));

      if (rounds.length === 0) {
        this.at.textContent = 'There are no points to draw.';
        this.logXButton.hidden = this.logYButton.hidden = true;
        return;
      }
      this.draw();
      this.show(null);
      this.plot.addEventListener('keydown', (event) => this.key(event));
      this.plot.addEventListener('pointermove', (event) => {
        if (event.pointerType !== 'touch') return;  // dygraphs follows the mouse by itself
        const x = event.clientX - this.plot.getBoundingClientRect().left;
        this.select(this.graph.findClosestRow(x));
      });
    }

    axisButton(axis, possible, toggle) {
      const button = make('button', {type: 'button', disabled: !possible});
      button.dataset.axis = axis;
      if (!possible) button.title = 'A logarithmic axis needs values above zero.';
      button.addEventListener('click', () => {
        toggle();
        this.reset();
      });
      return button;
    }

    legendEntry(series, i) {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      line.setAttribute('width', '26');
      line.setAttribute('height', '10');
      line.setAttribute('aria-hidden', 'true');
      const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      stroke.setAttribute('d', 'M0 5H26');
      stroke.setAttribute('stroke', 'var(--series-' + series.colour + ')');
      stroke.setAttribute('stroke-width', '2.5');
      const pattern = this.pattern(series);
      if (pattern) stroke.setAttribute('stroke-dasharray', pattern.join(' '));
      line.append(stroke);
      const value = make('span', {className: 'value'});
      const button = make('button', {type: 'button', title: series.name}, line,
                          make('span', {className: 'name', textContent: series.name}), value);
      button.setAttribute('aria-pressed', 'true');
      button.addEventListener('click', () => {
        this.visible[i] = !this.visible[i];
        button.setAttribute('aria-pressed', String(this.visible[i]));
        this.redraw();
      });
      return {button, value};
    }

    pattern(series) {
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
            const lower = s.lower && s.lower[k] !== null ? s.lower[k] : mean;
            const upper = s.upper && s.upper[k] !== null ? s.upper[k] : mean;
            point = [Math.max(lower, Math.min(floor, mean)), mean, upper];
          } else if (mean !== null && this.visible[i]) {
            ++leftOut;
          }
          rows[this.rowOf.get(t)][i + 1] = point;
        });
      });
      this.leftOut.textContent = leftOut > 0 ?
          leftOut + (leftOut === 1 ? ' point' : ' points') +
              ' at or below zero cannot be shown on a logarithmic axis.' :
          this.beganLinear && !this.logY ?
          'Some values are at or below zero: the vertical axis begins linear.' : '';
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

    /** Draws everything anew, without what was zoomed. */
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
        series['s' + i] = {color: data.palettes[theme][s.colour], strokePattern: this.pattern(s)};
      });
      const font = 11;
      const range = this.range();
      const yTicker = ticker(42);
      // Of the labels of y, as wide as the longest needs; powers are set smaller.
      const longest = Math.max(0, ...yTicker(...range, this.plot.clientHeight, () => this.logY)
                                      .map(({label}) => label.replace(/<[^>]*>/g, '').length));
      const yWidth = Math.ceil(font * Math.max(2.2, 0.6 + 0.62 * longest));
      for (const [button, axis, log] of
           [[this.logYButton, 'y', this.logY], [this.logXButton, 'x', this.logX]]) {
        button.textContent = axis + ': ' + (log ? 'log' : 'linear');
        if (button.disabled) continue;
        button.title =
            (axis === 'y' ? 'Vertical' : 'Horizontal') + ' axis: ' + (log ? 'logarithmic; make it linear' : 'linear; make it logarithmic');
      }
      return {
        file: this.rows(),
        visibility: this.visible.slice(),
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
        labels: ['t', ...this.series.map((s, i) => 's' + i)],
        customBars: true,
        connectSeparatedPoints: true,
        drawPoints: this.rounds.length === 1,
        pointSize: 3.5,
        dateWindow: this.window(),
        legend: 'never',
        rightGap: 12,
        strokeWidth: 2,
        fillAlpha: 0.15,
        highlightCircleSize: 3.5,
        pixelRatio,
        // Without dygraphs' touch handlers, which would keep a finger from scrolling the page.
        interactionModel: {
          ...Object.fromEntries(Object.entries(Dygraph.defaultInteractionModel)
                                    .filter(([name]) => !name.startsWith('touch'))),
          dblclick: () => this.reset()
        },
        highlightCallback: (event, t, points, row) => this.show(row),
        unhighlightCallback: () => this.show(null)
      });
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
        button.title = s.name + ': ' + readable(s.mean[k]) +
            (s.lower ? ' [' + readable(s.lower[k]) + ', ' + readable(s.upper[k]) + ']' : '') +
            ' at ' + this.figure.x_label + ' ' + readable(s.t[k]);
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

    select(row) {
      if (row < 0 || row >= this.rounds.length) return;
      this.graph.setSelection(row);
      this.show(row);
    }

    key(event) {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (event.key === 'Escape') {
        this.graph.clearSelection();
        this.show(null);
      } else if (step) {
        event.preventDefault();
        this.select(this.row === null ? this.rounds.length - 1 : this.row + step);
      }
    }

    /**
     * Draws anew with the options as they are now. dygraphs clips to the plot area and never
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

    /** On paper small enough for two figures a page. */
    shrink(printing) {
      const style = this.plot.style;
      const width = this.plot.clientWidth, height = this.plot.clientHeight;
      style.width = printing ? width + 'px' : '';
      style.height = printing ? height + 'px' : '';
      style.zoom = printing ? Math.min(1, 450 / width) : '';
    }
  }

  function paint(theme) {
    root.dataset.theme = theme;
    data.palettes[theme].forEach((colour, k) => root.style.setProperty('--series-' + k, colour));
  }

  paint(root.dataset.theme);
  const plots = [...document.querySelectorAll('figure[data-figure]')].map(
      (element) => new Plot(element, data.figures[Number(element.dataset.figure)]));

  const button = document.getElementById('theme');
  let chosen = false;
  function setTheme(theme) {
    paint(theme);
    button.textContent = theme === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', 'Switch to ' + button.textContent.toLowerCase() + ' colours');
    plots.forEach((plot) => plot.recolour());
  }
  setTheme(root.dataset.theme);
  button.hidden = false;
  button.addEventListener('click', () => {
    chosen = true;
    setTheme(root.dataset.theme === 'dark' ? 'light' : 'dark');
  });
  darkPreferred.addEventListener('change', () => {
    if (!chosen) setTheme(darkPreferred.matches ? 'dark' : 'light');
  });

  let screenTheme = null;
  addEventListener('beforeprint', () => {
    screenTheme = root.dataset.theme;
    plots.forEach((plot) => plot.shrink(true));
    setTheme('light');
  });
  addEventListener('afterprint', () => {
    plots.forEach((plot) => plot.shrink(false));
    setTheme(screenTheme);
  });
})();
