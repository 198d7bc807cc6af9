/** What curves and bars share: the frame of a figure, its buttons and its legend. */
class Panel {
  /** `keys` says what the arrow keys move through. */
  constructor(element, figure, keys) {
    this.figure = figure;
    this.series = figure.series;
    this.visible = this.series.map(() => true);
    const means = this.series.flatMap((s) => s.mean.filter((mean) => mean !== null));
    this.canLogY = means.some((mean) => mean > 0);
    this.logY = figure.log_y && means.length > 0 && means.every((mean) => mean > 0);
    this.beganLinear = figure.log_y && !this.logY;
    this.logYButton = this.axisButton('y', this.canLogY, () => { this.logY = !this.logY; });
    this.axes = make('div', {className: 'axes'},
                     make('span', {className: 'label', textContent: figure.y_label}),
                     this.logYButton);
    this.plot = make('div', {className: 'plot', tabIndex: 0});
    this.plot.setAttribute('role', 'img');
    this.plot.setAttribute('aria-label',
                           figure.title + ': ' + this.series.map((s) => s.name).join(', ') +
                               '. The arrow keys move through the ' + keys +
                               ', the values are listed below.');
    this.leftOut = make('p', {className: 'left-out'});
    this.at = make('p', {className: 'at'});
    this.entries = this.series.map((s, i) => this.legendEntry(s, i));
    element.append(
        this.axes, this.plot, make('p', {className: 'x-label', textContent: figure.x_label}),
        this.leftOut, this.at,
        make('ul', {className: 'legend'},
             ...this.entries.map((entry) => make('li', {}, entry.button))));
    this.row = null;  // which round or group is pointed at
    this.plot.addEventListener('keydown', (event) => this.key(event));
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

  /** Says on a button how its axis is. */
  label(button, log) {
    const axis = button.dataset.axis;
    button.textContent = axis + ': ' + (log ? 'log' : 'linear');
    if (button.disabled) return;
    button.title = (axis === 'y' ? 'Vertical' : 'Horizontal') + ' axis: ' +
        (log ? 'logarithmic; make it linear' : 'linear; make it logarithmic');
  }

  legendEntry(series, i) {
    const sample = makeSvg('svg', {width: 26, height: 10, 'aria-hidden': 'true'});
    sample.append(this.sample(series));
    const value = make('span', {className: 'value'});
    const button = make('button', {type: 'button', title: series.name}, sample,
                        make('span', {className: 'name', textContent: series.name}), value);
    button.setAttribute('aria-pressed', 'true');
    button.addEventListener('click', () => {
      this.visible[i] = !this.visible[i];
      button.setAttribute('aria-pressed', String(this.visible[i]));
      this.redraw();
    });
    return {button, value};
  }

  /** Says what a logarithmic axis does not show, or why the axis is linear. */
  mention(leftOut) {
    this.leftOut.textContent = leftOut > 0 ?
        leftOut + (leftOut === 1 ? ' point' : ' points') +
            ' at or below zero cannot be shown on a logarithmic axis.' :
        this.beganLinear && !this.logY ?
        'Some values are at or below zero: the vertical axis begins linear.' : '';
  }

  /** Point k of a series in words, `where` being its round or group. */
  describe(series, k, where) {
    return series.name + ': ' + readable(series.mean[k]) +
        (series.lower ? ' [' + readable(series.lower[k]) + ', ' + readable(series.upper[k]) + ']' :
                        '') +
        ' at ' + where;
  }

  /** The arrow keys point at one of `count()` rows, Escape at none. */
  key(event) {
    if (this.count() === 0) return;
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (event.key === 'Escape') {
      this.select(null);
    } else if (step) {
      event.preventDefault();
      const row = this.row === null ? this.begin() : this.row + step;
      if (row >= 0 && row < this.count()) this.select(row);
    }
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
