// What is said in words: whether a study pays, and how to ask and tell it.

import {known, number, plusMinus, valueAt} from './text.js';

const NORMAL = 1.96;  // standard deviations to either side, for 95 %
const UNKNOWN = 'It is not known yet whether it pays';

/** Whether it pays, in a sentence: {text, className}. What a coin has shown goes before what the
 *  learner believes, and that before a comparison of losses. */
export function verdict(status, about) {
  const {belief, first, recent} = status;
  const word = about.maximize ? 'gains' : 'losses';
  if (!status.told) return {text: 'Nothing was told yet.', className: 'muted'};
  if (/^(better|worse)/.test(status.proof)) {
    const said = status.proof.split(';')[0].replace('+-', '±').replace(' by', ' than the start by');
    const pays = status.proven ? 'It pays' : status.worse ? 'It does not pay' : UNKNOWN;
    return {
      text: `${pays}: what is played is ${said}.`,
      className: status.proven ? 'good' : status.worse ? 'bad' : '',
    };
  }
  const say = (what, gain, error) => ({
    text: `${gain > error ? 'It pays' : gain < -error ? 'It does not pay' : UNKNOWN}: ` +
        `${what} by ${plusMinus(gain, error)} (95 %).`,
    className: gain > error ? 'good' : gain < -error ? 'bad' : '',
  });
  if (known(belief.gain) && known(belief.gain_error)) {
    const error = NORMAL * belief.gain_error;
    if (belief.gain === 0) {
      return {text: 'Nothing better than the start is known yet' +
          (error > 0 ? `; there may be up to ${number(Number(error.toPrecision(2)))} to gain.` : '.'), className: ''};
    }
    return say('what it would deploy is better than the start', belief.gain, error);
  }
  if (!known(first.error) || !known(recent.error)) {
    return {text: `Too few ${word} were told to say whether it pays.`, className: 'muted'};
  }
  const less = first.mean - recent.mean;
  return say(`recent ${word} are better than the first ones`, about.maximize ? -less : less,
      NORMAL * Math.hypot(first.error, recent.error));
}

/** A value that a context may have; none for a clock, which the service reads. */
function exampleOf(context) {
  if (context.type === 'choice') return context.names[0];
  return context.type === 'clock' ? undefined : Number(valueAt(context, 0.5).toPrecision(3));
}

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
const valueInPython = (value) => value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);
const inPython = (object) =>
  '{' + Object.entries(object).map(([key, value]) => JSON.stringify(key) + ': ' + valueInPython(value)).join(', ') + '}';

/** How to ask and tell a study of a service at an address: {title, text, note} each. */
export function recipes(name, about, address, guarded) {
  const word = about.maximize ? 'gain' : 'loss';
  const context = Object.fromEntries(about.contexts.map((each) => [each.name, exampleOf(each)]).filter(([, value]) => value !== undefined));
  const metrics = Object.fromEntries(about.limits.map((limit) => [limit.name, limit.most ?? limit.least]));
  const some = (object) => Object.keys(object).length > 0;
  const give = {worker: 'w1', ...(some(context) ? {context} : {})};
  const told = {play: 1, loss: 0.5, ...(some(metrics) ? {metrics} : {})};
  const curl = (what, body) => `curl ${guarded ? '-H "Authorization: Bearer $KEYHOLE_TOKEN" ' : ''}` +
      `-d ${quoted(JSON.stringify(body))} ${address}/v1/studies/${name}/${what}`;
  const from = some(context) ? ' --context-from=./known.sh' : '';
  return [
    {title: 'curl', text: `# What to try, and the number of the play:\n${curl('asks', give)}\n` +
        `# The ${word} of play 1, and what to try next:\n${curl('steps', {tells: [told], ...give})}`,
    note: 'A worker that asks again gets its play again until it has told it.'},
    {title: 'Python', text: (guarded ? 'import os\n\n' : '') + 'import keyhole as kh\n\n' +
        `study = kh.connect("${address}"${guarded ? ', token=os.environ["KEYHOLE_TOKEN"]' : ''}).open("${name}")\n` +
        `while True:\n    play = study.ask(worker="w1"${some(context) ? ', context=' + inPython(context) : ''})\n` +
        `    ${word} = run(play.${about.on === 'space' ? 'values' : 'point'})  # yours\n` +
        `    study.tell(play, ${word}${some(metrics) ? ', metrics=' + inPython(metrics) : ''})`,
    note: some(metrics) || some(context) ? 'Give what you know and measure in place of these numbers.' : ''},
    {title: 'keyhole study drive',
      text: `keyhole study drive ${name} --store=studies${guarded ? ' --tenant=TENANT' : ''}${from} -- ./run.sh`,
      note: `Where the service runs, with its folder of studies. run.sh gets ${about.on === 'space' ?
        'KEYHOLE_ and the name of each parameter' : 'KEYHOLE_POINT'} in its environment and prints the ${word} in its last line` +
          (some(metrics) ? `, and before it a line for each metric: ${Object.entries(metrics)[0].join(' ')}` : '') +
          (from ? `. known.sh prints a line for each context: ${Object.entries(context)[0].join(' ')}` : '') + '.'},
  ];
}
