// What all figures are made of: elements, numbers as text, ticks of axes.

/** A new element with properties and children. */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** The same of SVG, with attributes. */
function makeSvg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
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
