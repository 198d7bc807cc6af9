/** A picture of no size that holds the hatches of published bars, one a colour. */
function hatches() {
  const holder = makeSvg('svg', {width: 0, height: 0, class: 'hatches', 'aria-hidden': 'true'});
  data.palettes.light.forEach((colour, k) => {
    const hatch = makeSvg('pattern', {
      id: 'hatch-' + k, width: 5, height: 5, patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)'
    });
    hatch.append(makeSvg('path', {d: 'M1 0V5', 'stroke-width': 1.6}));
    hatch.firstChild.setAttribute('stroke', 'var(--series-' + k + ')');
    holder.append(hatch);
  });
  return holder;
}

/**
 * Bars in groups, one a series in each: t is the number of the group. On a logarithmic axis they
 * begin at the reference, if there is one, so that what is above and below it points up and down.
 */
class Bars extends Panel {
  constructor(element, figure) {
    super(element, figure, 'groups');
    element.classList.add('bars');
    this.draw();
    this.show(null);
    const point = (event) => this.select(this.groupAt(event.clientX));
    this.plot.addEventListener('pointermove', point);
    this.plot.addEventListener('pointerdown', point);
    this.plot.addEventListener('pointerleave', () => this.select(null));
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  sample(series) { return this.bar(series, 1, 1, 24, 8); }

  /** What was measured is full, what was published is hatched and has a dashed outline. */
  bar(series, x, y, width, height) {
    const colour = 'var(--series-' + series.colour + ')';
    const bar = makeSvg('rect', {x, y, width, height, stroke: colour, 'stroke-width': 1.2});
    bar.setAttribute('fill', series.dashed ? 'url(#hatch-' + series.colour + ')' : colour);
    if (series.dashed) bar.setAttribute('stroke-dasharray', '4 2.5');
    return bar;
  }

  /** The numbers that the axis has to show. */
  values() {
    const shown = this.series.filter((s, i) => this.visible[i]);
    const all = shown.flatMap((s) => [...s.mean, ...(s.lower || []), ...(s.upper || [])]);
    return all.filter((value) => value !== null && (!this.logY || value > 0));
  }

  /** The range of the axis, and where bars begin. */
  range() {
    const values = this.values();
    const reference = this.figure.reference;
    if (values.length === 0) return this.logY ? [0.1, 10, 1] : [0, 1, 0];
    let low = Math.min(...values), high = Math.max(...values);
    if (reference !== null && (!this.logY || reference > 0)) {
      low = Math.min(low, reference);
      high = Math.max(high, reference);
    }
    if (!this.logY) {
      low = Math.min(low, 0);
      high = Math.max(high, 0);
      return [low, high > low ? high : low + 1, 0];
    }
    if (!(high > low)) high = 2 * low;
    if (reference > 0) return [low, high, reference];
    low /= (high / low) ** 0.1;
    return [low, high, low];
  }

  draw() {
    const width = this.plot.clientWidth, height = this.plot.clientHeight;
    if (width === 0) return;  // not laid out: the last picture stays
    this.label(this.logYButton, this.logY);
    const font = 11;
    const [low, high, base] = this.range();
    const groups = this.figure.groups;
    const shown = this.series.map((s, i) => i).filter((i) => this.visible[i]);

    const room = {left: 40, right: 8};
    const groupWidth = (width - room.left - room.right) / Math.max(groups.length, 1);
    const barWidth = Math.min(44, 0.84 * groupWidth / Math.max(shown.length, 1));
    const upright = barWidth < 30;  // too narrow for a number of four digits
    // Names that are wider than their group are turned.
    const names = groups.map((name) => this.wrapped(name, groupWidth - 6, font));
    const widest = 0.56 * font * Math.max(0, ...names.flat().map((line) => line.length));
    const turned = widest > groupWidth;
    const most = Math.max(1, ...names.map((lines) => lines.length));
    room.bottom = 8 + (turned ? widest : 1.2 * font * most);
    // Numbers stand at the ends of the bars.
    const end = upright ? 34 : 17;
    const bottom = height - room.bottom - (low < base ? end : 0);
    const scale = this.logY ? Math.log : (value) => value;
    const y = (value) =>
        bottom - (bottom - end) * (scale(value) - scale(low)) / (scale(high) - scale(low));

    const svg = makeSvg('svg', {width, height, 'aria-hidden': 'true'});
    this.marks = groups.map((name, g) => makeSvg('rect', {
      x: room.left + g * groupWidth, y: 0, width: groupWidth, height: height - room.bottom,
      class: 'mark'
    }));
    svg.append(...this.marks);
    const ticks = this.logY ? logTicks(low, high, height / 42) : linearTicks(low, high, height / 42);
    for (const {v, label} of ticks) {
      svg.append(makeSvg('path', {d: `M${room.left} ${y(v)}H${width - room.right}`, class: 'grid'}),
                 this.text(label.replace(/<sup>(.*)<\/sup>/, '^$1'), room.left - 6,
                           y(v) + 0.35 * font, {class: 'tick', 'text-anchor': 'end'}));
    }
    let leftOut = 0;
    groups.forEach((name, g) => {
      const middle = room.left + (g + 0.5) * groupWidth;
      shown.forEach((i, place) => {
        const s = this.series[i];
        const k = s.t.indexOf(g);
        if (k === -1 || s.mean[k] === null) return;
        if (this.logY && s.mean[k] <= 0) {
          ++leftOut;
          return;
        }
        const centre = middle + (place + 0.5 - shown.length / 2) * barWidth;
        svg.append(...this.barWithValue(s, k, centre, 0.82 * barWidth, y, base, upright));
      });
      names[g].forEach((line, l) => {
        const top = height - room.bottom + 5;
        const shift = 1.2 * font * (l + 0.75);
        svg.append(turned ? this.text(line, 0, 0, {
          class: 'tick',
          transform: `translate(${middle - 0.6 * font * names[g].length + shift} ${top}) rotate(-90)`,
          'text-anchor': 'end'
        }) : this.text(line, middle, top + shift, {class: 'tick', 'text-anchor': 'middle'}));
      });
    });
    this.mention(leftOut);
    const reference = this.figure.reference;
    for (const [value, kind] of [[base, 'base'], [reference, 'reference']]) {
      if (value === null || value < low) continue;
      svg.append(makeSvg('path', {d: `M${room.left} ${y(value)}H${width - room.right}`, class: kind}));
    }
    this.groupAt = (x) => {
      const from = x - this.plot.getBoundingClientRect().left - room.left;
      const group = Math.floor(from / groupWidth);
      return group >= 0 && group < groups.length ? group : null;
    };
    this.plot.replaceChildren(svg);
    this.mark();
  }

  /** A bar, its interval and its value, which stands at its end. */
  barWithValue(s, k, centre, width, y, base, upright) {
    const end = y(s.mean[k]), begin = y(base);
    const bar = this.bar(s, centre - width / 2, Math.min(begin, end), width,
                         Math.max(Math.abs(begin - end), 0.5));
    bar.setAttribute('class', 'bar');
    const title = makeSvg('title', {});
    title.textContent = this.describe(s, k, this.figure.groups[s.t[k]]);
    bar.append(title);
    const parts = [bar];
    let top = Math.min(end, begin), low = Math.max(end, begin);
    if (s.lower && (!this.logY || s.lower[k] > 0)) {
      const upper = y(s.upper[k]), lower = y(s.lower[k]);
      parts.push(makeSvg('path', {
        d: `M${centre} ${lower}V${upper}M${centre - 3} ${upper}h6M${centre - 3} ${lower}h6`,
        class: 'interval'
      }));
      top = Math.min(top, upper);
      low = Math.max(low, lower);
    }
    const up = s.mean[k] >= base;
    const at = up ? top - 4 : low + 4;
    const digits = String(Number(s.mean[k].toPrecision(3)));
    parts.push(upright ? this.text(digits, 0, 0, {
      class: 'number',
      transform: `translate(${centre + 4} ${at}) rotate(-90)`,
      'text-anchor': up ? 'start' : 'end'
    }) : this.text(digits, centre, up ? at : at + 8, {class: 'number', 'text-anchor': 'middle'}));
    return parts;
  }

  text(content, x, y, attributes) {
    const text = makeSvg('text', {x, y, ...attributes});
    text.textContent = content;
    return text;
  }

  /** The words of a name, in lines about as wide as there is room. */
  wrapped(name, width, font) {
    const lines = [];
    for (const word of name.split(' ')) {
      const longer = lines.length > 0 ? lines.at(-1) + ' ' + word : word;
      if (lines.length > 0 && longer.length * 0.56 * font <= width) {
        lines[lines.length - 1] = longer;
      } else {
        lines.push(word);
      }
    }
    return lines;
  }

  count() { return this.figure.groups.length; }
  begin() { return 0; }

  select(group) {
    if (group === this.row) return;
    this.show(group);
    this.mark();
  }

  mark() {
    this.marks?.forEach((mark, g) => mark.classList.toggle('marked', g === this.row));
  }

  /** Writes the values of a group into the legend. */
  show(group) {
    this.row = group;
    const name = this.figure.groups[group];
    this.series.forEach((s, i) => {
      const k = s.t.indexOf(group);
      const known = k !== -1 && s.mean[k] !== null;
      this.entries[i].value.textContent = known ? readable(s.mean[k]) : '';
      this.entries[i].button.title = known ? this.describe(s, k, name) : s.name;
    });
    this.at.textContent =
        group === null ? 'point at a group to see its values here' : 'values at ' + name;
  }

  reset() { this.draw(); }
  redraw() { this.draw(); }
  recolour() {}  // the colours are variables of the style
}
