import { finishedText } from '../report/ascii-text.ts';
import { plural } from '../report/format-number.ts';
import { PLAIN_OPTIONS } from '../report/plain-options.ts';
import { plainText } from '../report/plain-text.ts';
import { textStyle } from '../report/text-style.ts';
import { hangText } from '../report/wrap-text.ts';
import { padEnd } from '../text/display-width.ts';
import type { ReleaseChange, ReleaseExplanation } from '../types/release/release-explanation.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { dollars } from './release-texts.ts';

const INDENT = 14;
/** Without `verbose`, changes beyond these are counted. */
const MOST_CHANGES = 8;
const LONGEST_CHANGE = 600;

/** What would have to change, for people: a change in a paragraph, and what all of them cost. */
export function renderExplanation(explanation: ReleaseExplanation, options: Partial<RenderOptions> = {}): string {
  const style = textStyle({ ...PLAIN_OPTIONS, ...options });
  const { candidate, tier, verdict, changes } = explanation;
  const row = (name: string, text: string): readonly string[] =>
    hangText(padEnd(name, INDENT), plainText(text, LONGEST_CHANGE), style.columns);
  const shown = style.verbose ? changes : changes.slice(0, MOST_CHANGES);
  const more = changes.length - shown.length;
  const lines = [
    ...row('release', `${candidate} for ${tier}: ${verdict}`),
    ...shown.flatMap((change) => row(change.axis, changeText(change))),
    ...(more === 0 ? [] : row('more', `${plural(more, 'change')}; --verbose lists them`)),
    ...row('cost', costText(explanation)),
  ];
  return finishedText(`${lines.join('\n')}\n`, options.unicode ?? true);
}

function changeText({ change, trials, isAdvisory }: ReleaseChange): string {
  const cost = trials === null || trials === 0 ? '' : ` That is ${plural(trials, 'more trial')}.`;
  return `${isAdvisory ? 'advisory: ' : ''}${change}${cost}`;
}

function costText({ changes, trials, usdPerTrial }: ReleaseExplanation): string {
  if (changes.every(({ isAdvisory }) => isAdvisory)) return 'nothing: the release passed';
  const usd = usdPerTrial === null ? '' : `, about ${dollars(trials * usdPerTrial)} at ${dollars(usdPerTrial)} a trial`;
  const sum = trials === 0 ? 'no more trials' : `${plural(trials, 'more trial')}${usd}`;
  const open = changes.some((change) => !change.isAdvisory && change.trials === null);
  return `${sum}${open ? `; trials alone do not do it: a candidate that changes runs all of its trials anew` : ''}`;
}
