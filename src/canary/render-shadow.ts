import { finishedText } from '../report/ascii-text.ts';
import { formatInterval, formatRate, formatShort } from '../report/format-number.ts';
import { PLAIN_OPTIONS } from '../report/plain-options.ts';
import { plainText } from '../report/plain-text.ts';
import { textStyle } from '../report/text-style.ts';
import { hangText } from '../report/wrap-text.ts';
import { padEnd } from '../text/display-width.ts';
import type { CanaryShadow, ShadowShare, ShadowTask } from '../types/canary/canary-shadow.ts';
import type { RenderOptions } from '../types/render-options.ts';

const INDENT = 14;
/** Tasks on which the candidate differs that are listed. */
const MOST_LISTED = 20;

/** What a candidate did in the shadow, for people. */
export function renderShadow(shadow: CanaryShadow, options: Partial<RenderOptions> = {}): string {
  const { columns } = textStyle({ ...PLAIN_OPTIONS, ...options });
  const row = (name: string, text: string): readonly string[] =>
    hangText(padEnd(name, INDENT), plainText(text), columns);
  const { tasks, unjudged, broken, costUsd } = shadow;
  const apart = tasks.filter((task) => differenceOf(task) !== null);
  const lines = [
    ...row(
      'shadow',
      `${shadow.candidate} (${shadow.agents}) on ${tasks.length} requests of production, seed ${shadow.seed}`,
    ),
    ...row('passed', shareText(shadow.passed)),
    ...row('same answer', shareText(shadow.sameAnswer)),
    ...row('same calls', shareText(shadow.sameCalls)),
    ...row('write refused', shareText(shadow.writesRefused)),
    ...row('replay_miss', shareText(shadow.replayMisses)),
    ...(unjudged === 0 ? [] : row('unjudged', `${unjudged}: nothing in their files says what is right`)),
    ...(broken === 0 ? [] : row('broken', `${broken} otherwise`)),
    ...(costUsd === null || costUsd === 0 ? [] : row('cost', `$${formatShort(costUsd)}`)),
    ...row('written', shadow.outcomes),
    ...(shadow.isWatched ? [] : row('not seen', 'what the code of the agent does besides calls of tools')),
    ...(apart.length === 0 ? [] : ['']),
    ...apart.slice(0, MOST_LISTED).flatMap((task) => row(task.ended, `${task.task}: ${differenceOf(task) ?? ''}`)),
    ...(apart.length > MOST_LISTED ? row('', `and ${apart.length - MOST_LISTED} more`) : []),
  ];
  return finishedText(`${lines.join('\n')}\n`, options.unicode ?? true);
}

/** Null: it did what production did. */
function differenceOf({ divergence, sameAnswer }: ShadowTask): string | null {
  return divergence ?? (sameAnswer === false ? 'the same calls, and another answer' : null);
}

function shareText({ count, of, share, interval }: ShadowShare): string {
  if (share === null || interval === null) return 'none';
  return `${count} of ${of}, ${formatRate(share)} ${formatInterval(interval)}`;
}
