// Draws the figures of a report: the data are in #report-data, the frames are <figure data-figure>.
const data = JSON.parse(document.getElementById('report-data').textContent);
const root = document.documentElement;
const pixelRatio = Math.max(2, window.devicePixelRatio || 1);  // fine enough for paper, too
const darkPreferred = matchMedia('(prefers-color-scheme: dark)');

function paint(theme) {
  root.dataset.theme = theme;
  data.palettes[theme].forEach((colour, k) => root.style.setProperty('--series-' + k, colour));
  root.style.setProperty('--series-faint', data.faint[theme]);
}

paint(root.dataset.theme);
if (data.figures.some((figure) => figure.groups)) document.body.append(hatches());
const plots = [...document.querySelectorAll('figure[data-figure]')].map((element) => {
  const figure = data.figures[Number(element.dataset.figure)];
  return figure.groups ? new Bars(element, figure) : new Curves(element, figure);
});

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
