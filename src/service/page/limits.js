// How limits are kept: for each its facts, and what was told lately next to the limit.

import {Chart} from './charts.js';
import {element, fact, known, number, percent, plusMinus, setFacts} from './text.js';

function factsOf(limit, kept) {
  const unit = limit.unit ? ' ' + limit.unit : '';
  const most = limit.most !== undefined;
  return [
    fact(most ? 'At most' : 'At least', number(most ? limit.most : limit.least) + unit,
        limit.over ? 'on the average of all rounds' : `in each round with probability ${limit.each ?? 0.999}`),
    fact('Recent mean', known(kept.recent) ? number(kept.recent) + unit : 'nothing told yet'),
    fact(most ? 'Over it' : 'Under it', known(kept.over) ? percent(kept.over) : 'not known yet', 'of what was told lately, noise included',
        kept.start_is_over || kept.none_is_within ? 'bad' : ''),
    fact('Where recommended', known(kept.recommended) ? plusMinus(kept.recommended, 1.96 * kept.error) + unit : 'not known yet', 'what the learner believes (95 %)'),
    fact('Price', known(kept.price) ? number(kept.price) : 'not known yet', kept.price_says ?? ''),
  ];
}

/** The limits of a study. */
export class Limits {
  constructor(section) {
    this.section = section;
    this.all = [];
  }

  /** Makes what is shown of each, anew if the study was changed. */
  begin(about) {
    this.close();
    this.section.hidden = !about.limits.length;
    const heading = this.section.firstElementChild;
    this.section.replaceChildren(heading);
    this.all = about.limits.map((limit) => {
      const place = element('div', '', 'two');
      const facts = element('dl', '', 'facts');
      const drawn = element('div', '', 'chart');
      place.append(element('h3', limit.name), facts, drawn);
      this.section.append(place);
      const shown = {limit, facts, told: {at: []}};
      const label = limit.name + (limit.unit ? ', ' + limit.unit : '');
      shown.chart = new Chart(drawn, `What was told lately of ${label}, and its limit`,
          [{label, colour: 'series-1', dots: true}, {label: 'limit', colour: 'bad', dash: [5, 3]}],
          {range: () => [shown.told.at[0] / 1000, Math.max(...shown.told.at.slice(-1), (shown.told.at[0] ?? 0) + 10000) / 1000], height: 150});
      return shown;
    });
  }

  show(status) {
    for (const shown of this.all) {
      const kept = status.limits[shown.limit.name];
      if (!kept) continue;
      setFacts(shown.facts, factsOf(shown.limit, kept));
      shown.told = kept.told;
      const bound = shown.limit.most ?? shown.limit.least;
      shown.chart.set([kept.told.at.map((at) => at / 1000), kept.told.value, kept.told.at.map(() => bound)]);
    }
  }

  recolour() { this.all.forEach(({chart}) => chart.recolour()); }

  close() { this.all.forEach(({chart}) => chart.close()); }
}
