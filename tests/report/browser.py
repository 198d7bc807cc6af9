#!/usr/bin/env python3
"""usage: browser.py <report_sample program> [<directory for screenshots>]

Opens the sample reports in Chromium and looks: no error, no request, every curve drawn, values on
hover, buttons that do what they say.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
from webdriver import Browser

problems = []


def check(truth, what):
    if not truth:
        problems.append(what)
        print('FAILED:', what)


# How many pixels of each series' colour the canvases of a figure hold.
COUNT_PIXELS = '''
const figure = document.querySelectorAll('figure')[arguments[0]];
const data = JSON.parse(document.getElementById('report-data').textContent);
const palette = data.palettes[document.documentElement.dataset.theme];
const faint = data.faint[document.documentElement.dataset.theme];
const wanted = data.figures[arguments[0]].series.map((s) =>
    (s.faint ? faint : palette[s.colour]).match(/\\w\\w/g).map((part) => parseInt(part, 16)));
const counts = wanted.map(() => 0);
for (const canvas of figure.querySelectorAll('canvas')) {
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] < 250) continue;
    wanted.forEach((colour, k) => {
      if (colour.every((part, c) => Math.abs(pixels[i + c] - part) <= 2)) ++counts[k];
    });
  }
}
return counts;
'''

STATE = '''
const figure = document.querySelectorAll('figure')[arguments[0]];
const texts = (selector) => [...figure.querySelectorAll(selector)].map((e) => e.textContent);
return {
  values: texts('.legend .value'),
  names: texts('.legend .name'),
  at: texts('.at')[0],
  x: texts('.dygraph-axis-label-x'),
  y: texts('.dygraph-axis-label-y'),
  buttons: texts('.axes button'),
  note: texts('.left-out')[0],
};
'''

CLICK = '''
const figure = document.querySelectorAll('figure')[arguments[0]];
figure.querySelectorAll(arguments[1])[arguments[2]].click();
'''


def no_errors_and_no_requests(browser, url):
    for entry in browser.log('browser'):
        # Chromium has advice for whoever reads pixels, as this test does.
        if 'willReadFrequently' not in entry['message']:
            check(False, 'console: ' + entry['message'])
    requests = []
    for entry in browser.log('performance'):
        if '"Network.requestWillBeSent"' in entry['message'] and url not in entry['message']:
            requests.append(entry['message'])
    # Only the page's own icon, which is empty and inside it.
    check(all('"url":"data:,"' in request for request in requests), f'requests: {requests}')
    resources = browser.run('return performance.getEntriesByType("resource").map((e) => e.name)')
    check(all(name == 'data:,' for name in resources), f'resources: {resources}')


def every_curve(browser):
    figures = browser.run('return document.querySelectorAll("figure:not(.bars)").length')
    check(figures == 6, f'there are {figures} figures, not 6')
    for number in range(figures):
        state = browser.run(STATE, number)
        check(len(state['x']) >= 3, f'figure {number}: labels of x {state["x"]}')
        check(len(state['y']) >= 3, f'figure {number}: labels of y {state["y"]}')
        check(all(state['values']), f'figure {number}: last values {state["values"]}')
        for name, count in zip(state['names'], browser.run(COUNT_PIXELS, number)):
            check(count > 30, f'figure {number}: {name} has {count} pixels')


def hover(browser, number):
    box = browser.run('''
        const plot = document.querySelectorAll('figure')[arguments[0]].querySelector('.plot');
        plot.scrollIntoView({block: 'center'});
        const box = plot.getBoundingClientRect();
        return [box.left + box.width * 0.6, box.top + box.height / 2];''', number)
    before = browser.run(STATE, number)
    check(before['at'].startswith('last values'), f'before hovering: {before["at"]}')
    browser.move_to(*box)
    after = browser.run(STATE, number)
    check(after['at'].startswith('values at round '), f'hovering: {after["at"]}')
    check(after['values'] != before['values'], 'hovering does not change the values')
    marked = browser.run('''
        const plot = document.querySelectorAll('figure')[arguments[0]].querySelector('.plot');
        return [...plot.querySelectorAll('canvas')].every((canvas) =>
            canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
                .some((part) => part > 0));''', number)
    check(marked, 'hovering marks no point')
    check(all(value.lstrip('≈ -')[:1].isdigit() for value in after['values']),
          f'hovering shows {after["values"]}')


def axis_buttons(browser, number):
    for button in (0, 1):
        axis = 'yx'[button]
        before = browser.run(STATE, number)
        browser.run(CLICK, number, '.axes button', button)
        after = browser.run(STATE, number)
        check(before['buttons'] != after['buttons'], f'the button of {axis} says the same')
        check(before[axis] != after[axis], f'the ticks of {axis} stay at {after[axis]}')
        check(min(browser.run(COUNT_PIXELS, number)) > 30, f'{axis} switched: a curve is missing')
    browser.run(CLICK, number, '.axes button', 0)
    browser.run(CLICK, number, '.axes button', 1)


def legend_hides(browser, number):
    # A series that shares its colour with no other.
    alone = browser.run('''
        const series = JSON.parse(document.getElementById('report-data').textContent)
            .figures[arguments[0]].series;
        return series.findIndex((s) => series.filter((o) => o.colour === s.colour).length === 1);
        ''', number)
    browser.run(CLICK, number, '.legend button', alone)
    check(browser.run(COUNT_PIXELS, number)[alone] == 0, 'a hidden curve is still drawn')
    others = browser.run(COUNT_PIXELS, number)
    check(all(count > 30 for k, count in enumerate(others) if k != alone),
          f'hiding one curve changed another: {others}')
    browser.run(CLICK, number, '.legend button', alone)
    check(browser.run(COUNT_PIXELS, number)[alone] > 30, 'a curve does not come back')


# The bars of a figure: colour, height and whether it is hatched; the numbers at their ends.
BARS = '''
const figure = document.querySelectorAll('figure')[arguments[0]];
return {
  bars: [...figure.querySelectorAll('.bar')].map((bar) => ({
    colour: getComputedStyle(bar).stroke,
    hatched: getComputedStyle(bar).fill.includes('hatch'),
    top: bar.getBoundingClientRect().top,
    height: bar.getBoundingClientRect().height,
    title: bar.textContent,
  })),
  numbers: [...figure.querySelectorAll('.number')].map((e) => e.textContent),
  ticks: [...figure.querySelectorAll('.tick')].map((e) => e.textContent),
  outside: [...figure.querySelectorAll('.plot svg :not(title)')].filter((part) => {
    const inner = part.getBoundingClientRect();
    const outer = figure.getBoundingClientRect();
    return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top ||
        inner.bottom > outer.bottom;
  }).length,
  marked: figure.querySelectorAll('.marked').length,
};
'''


def bars(browser, number):
    """FKM and FKM, published, in three groups, above and below 1."""
    log = browser.run(BARS, number)
    check(len(log['bars']) == 6, f'there are {len(log["bars"])} bars, not 6')
    check([bar['hatched'] for bar in log['bars']] == [False, True] * 3, 'which bars are hatched')
    check(len({bar['colour'] for bar in log['bars']}) == 1, 'bars of one key differ in colour')
    check(log['numbers'] == ['0.8', '7.2', '1.37', '5', '3.7', '61.3'], f'numbers {log["numbers"]}')
    check({'quadratic', 'portfolio', 'completion', '1', '10'} <= set(log['ticks']),
          f'ticks {log["ticks"]}')
    check(log['outside'] == 0, f'{log["outside"]} parts of the bars are outside their frame')
    line = log['bars'][1]['top'] + log['bars'][1]['height']  # of 1, from which 7.2 rises
    check(abs(log['bars'][0]['top'] - line) < 2.5, 'what is below the reference points up')
    check(log['bars'][0]['title'] == 'FKM: 0.8 [0.7, 0.9] at quadratic', log['bars'][0]['title'])
    browser.run(CLICK, number, '.axes button', 0)
    linear = browser.run(BARS, number)
    heights = [bar['height'] for bar in linear['bars']]
    check(abs(heights[1] / heights[5] - 7.2 / 61.3) < 0.02, f'linear heights {heights}')
    check(linear['ticks'] != log['ticks'], 'the ticks of the bars stay')
    browser.run(CLICK, number, '.axes button', 0)
    browser.run(CLICK, number, '.legend button', 1)
    check(len(browser.run(BARS, number)['bars']) == 3, 'the legend hides no bars')
    browser.run(CLICK, number, '.legend button', 1)


def hover_bars(browser, number):
    box = browser.run('''
        const plot = document.querySelectorAll('figure')[arguments[0]].querySelector('.plot');
        plot.scrollIntoView({block: 'center'});
        const box = plot.getBoundingClientRect();
        return [box.left + box.width * 0.9, box.top + box.height / 2];''', number)
    check(not any(browser.run(STATE, number)['values']), 'bars show values before hovering')
    browser.move_to(*box)
    after = browser.run(STATE, number)
    check(after['at'] == 'values at completion', f'hovering over bars: {after["at"]}')
    check(after['values'] == ['3.7', '61.3'], f'hovering over bars shows {after["values"]}')
    check(browser.run(BARS, number)['marked'] == 1, 'hovering marks no group')
    browser.move_to(5, 5)
    check(not any(browser.run(STATE, number)['values']), 'the values of bars stay')
    browser.run('''
        const plot = document.querySelectorAll('figure')[arguments[0]].querySelector('.plot');
        for (const key of ['ArrowRight', 'ArrowRight']) {
          plot.dispatchEvent(new KeyboardEvent('keydown', {key}));
        }''', number)
    check(browser.run(STATE, number)['values'] == ['1.37', '5'], 'the keys do not move over bars')
    browser.run('''document.querySelectorAll('figure')[arguments[0]].querySelector('.plot')
        .dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));''', number)


def themes(browser):
    ground = 'return getComputedStyle(document.body).backgroundColor'
    light = browser.run(ground)
    browser.run('document.getElementById("theme").click()')
    check(browser.run(ground) != light, 'the button does not change the colours')
    every_curve(browser)
    browser.run('document.getElementById("theme").click()')
    check(browser.run(ground) == light, 'the button does not change the colours back')
    browser.devtools('Emulation.setEmulatedMedia',
                     features=[{'name': 'prefers-color-scheme', 'value': 'dark'}])
    browser.reload()
    check(browser.run('return document.documentElement.dataset.theme') == 'dark',
          'a reader who prefers dark gets light')
    browser.devtools('Emulation.setEmulatedMedia', features=[])


def look(browser, url, name, shots):
    browser.open('about:blank')
    browser.log('performance')  # Chromium's own first page made requests; forget them
    browser.size(1280, 900)
    browser.open(url)
    every_curve(browser)
    hover(browser, 0)
    if shots:
        browser.screenshot(shots / f'{name}-hover.png')
    axis_buttons(browser, 0)
    legend_hides(browser, 0)
    if name == 'sample':
        bars(browser, 6)
        hover_bars(browser, 6)
    themes(browser)
    note = browser.run(STATE, 1)['note']
    check('below zero' in note, f'regret below zero is not mentioned: {note!r}')
    for width in (1280, 390):
        for theme in ('light', 'dark'):
            browser.devtools('Emulation.setEmulatedMedia',
                             features=[{'name': 'prefers-color-scheme', 'value': theme}])
            browser.size(width, 900, mobile=width < 500)
            browser.open(url)
            wider = browser.run('return document.documentElement.scrollWidth - innerWidth')
            check(wider <= 0, f'at {width} px the page is {wider} px too wide')
            cut = browser.run("""
                return [...document.querySelectorAll('.table')]
                .filter((e) => e.scrollWidth > e.clientWidth + 1)
                .map((e) => e.getAttribute('aria-label'));""")
            check(cut == [], f'at {width} px these tables are cut off: {cut}')
            if name == 'sample':
                bars(browser, 6)
            if shots:
                browser.screenshot(shots / f'{name}-{width}-{theme}.png')
    # Printed while it is dark: light on paper, dark again on the screen.
    browser.size(1280, 900)
    browser.open(url)
    pdf = browser.pdf()
    check(pdf.count(b'/Subtype /Image') >= 12, 'the figures are not printed')
    if shots:
        (shots / f'{name}.pdf').write_bytes(pdf)
    check(browser.run('return document.documentElement.dataset.theme') == 'dark',
          'after printing the colours are not as they were')
    browser.devtools('Emulation.setEmulatedMedia', features=[])
    no_errors_and_no_requests(browser, url)


def odd_figures(browser, url, shots):
    browser.open('about:blank')
    browser.log('performance')
    browser.size(1280, 900)
    browser.open(url)
    figures = browser.run('return document.querySelectorAll("figure").length')
    check(browser.run(STATE, 0)['at'] == 'There are no points to draw.', 'no points')
    check(figures == 11, f'there are {figures} odd figures, not 11')
    if shots:
        browser.screenshot(shots / 'odd-1280-light.png')
    behind = browser.run(COUNT_PIXELS, 9)[0]
    browser.run(CLICK, 9, '.legend button', 1)
    alone = browser.run(COUNT_PIXELS, 9)[0]
    check(alone > 1.5 * behind > 15, f'a control is not below: {behind} pixels, {alone} alone')
    browser.run(CLICK, 9, '.legend button', 1)
    odd = browser.run(BARS, 10)
    check(odd['numbers'] == ['-3', '5', '1e-7'], f'odd bars {odd["numbers"]}')
    browser.run(CLICK, 10, '.axes button', 0)
    check('1 point at or below zero' in browser.run(STATE, 10)['note'], 'a bar vanishes silently')
    check(browser.run(BARS, 10)['numbers'] == ['5', '1e-7'], 'odd bars on a logarithmic axis')
    for number in range(figures - 1):
        for button in (0, 1, 0, 1):
            browser.run(CLICK, number, '.axes button', button)
        browser.run(CLICK, number, '.legend button', 0)
        browser.run(CLICK, number, '.legend button', 0)
        if number == 0:
            continue
        state = browser.run(STATE, number)
        check(len(state['y']) >= 2, f'odd figure {number}: labels of y {state["y"]}')
        check(min(browser.run(COUNT_PIXELS, number)) > 10, f'odd figure {number} is not drawn')
    check(browser.run('return document.querySelectorAll("img").length') == 0, 'a name became markup')
    no_errors_and_no_requests(browser, url)


# How many pixels of a figure have the colour of marks, and in how many columns.
MARKED = '''
const figure = document.querySelectorAll('figure')[arguments[0]];
const muted = getComputedStyle(document.documentElement).getPropertyValue('--muted').trim()
    .match(/\\w\\w/g).map((part) => parseInt(part, 16));
const columns = new Set();
let count = 0;
for (const canvas of figure.querySelectorAll('canvas')) {
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] < 250) continue;
    if (!muted.every((part, c) => Math.abs(pixels[i + c] - part) <= 2)) continue;
    ++count;
    columns.add(i / 4 % canvas.width);
  }
}
return [count, columns.size];
'''


def study(browser, url, shots):
    """A study with a restart: five figures, the restart marked in those of curves."""
    browser.open('about:blank')
    browser.log('performance')
    for width in (1280, 390):
        for theme in ('light', 'dark'):
            browser.devtools('Emulation.setEmulatedMedia',
                             features=[{'name': 'prefers-color-scheme', 'value': theme}])
            browser.size(width, 900, mobile=width < 500)
            browser.open(url)
            wider = browser.run('return document.documentElement.scrollWidth - innerWidth')
            check(wider <= 0, f'at {width} px the study is {wider} px too wide')
            for number in range(4):
                check(min(browser.run(COUNT_PIXELS, number)) > 30,
                      f'the figure {number} of the study is not drawn')
                count, columns = browser.run(MARKED, number)
                check(count > 50 and columns <= 4, f'figure {number}: {count} pixels of marks in '
                                                   f'{columns} columns')
            if shots:
                browser.screenshot(shots / f'study-{width}-{theme}.png')
    browser.run(CLICK, 0, '.axes button', 1)
    check(browser.run(MARKED, 0)[0] > 50, 'on a logarithmic axis a mark is missing')
    delays = browser.run(BARS, 4)
    check(delays['numbers'] == ['99', '100', '199'], f'delays {delays["numbers"]}')
    check(delays['outside'] == 0, 'parts of the delays are outside their frame')
    browser.devtools('Emulation.setEmulatedMedia', features=[])
    no_errors_and_no_requests(browser, url)


def main():
    if not shutil.which('chromedriver') or not shutil.which('chromium'):
        print('needs chromium and chromedriver (Debian: chromium, chromium-driver)')
        return 1
    shots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        with Browser() as browser:
            for name in ('sample', 'results'):
                look(browser, pathlib.Path(folder, name + '.html').as_uri(), name, shots)
            study(browser, pathlib.Path(folder, 'study.html').as_uri(), shots)
            odd_figures(browser, pathlib.Path(folder, 'odd.html').as_uri(), shots)
    print(f'{len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
