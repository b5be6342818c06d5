import { plural } from '../text/format-number.ts';
import { labelRow, textPage } from '../report/text-page.ts';
import type { ReleaseChange, ReleaseExplanation } from '../types/release/release-explanation.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { dollars } from './release-texts.ts';

/** Without `verbose`, changes beyond these are counted. */
const MOST_CHANGES = 8;
const LONGEST_CHANGE = 600;

/** What would have to change, for people: a change in a paragraph, and what all of them cost. */
export function renderExplanation(explanation: ReleaseExplanation, options: Partial<RenderOptions> = {}): string {
  const { candidate, tier, verdict, changes } = explanation;
  const shown = options.verbose === true ? changes : changes.slice(0, MOST_CHANGES);
  const more = changes.length - shown.length;
  return textPage(options, (style) => {
    const row = (name: string, text: string): readonly string[] =>
      labelRow(name, text, style, { longest: LONGEST_CHANGE });
    return [
      ...row('release', `${candidate} for ${tier}: ${verdict}`),
      ...shown.flatMap((change) => row(change.axis, changeText(change))),
      ...(more === 0 ? [] : row('more', `${plural(more, 'change')}; --verbose lists them`)),
      ...row('cost', costText(explanation)),
    ];
  });
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
