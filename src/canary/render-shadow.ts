import { formatShort } from '../text/format-number.ts';
import { formatInterval, formatRate } from '../text/format-rate.ts';
import { labelRow, textPage } from '../report/text-page.ts';
import type { CanaryShadow, ShadowShare, ShadowTask } from '../types/canary/canary-shadow.ts';
import type { RenderOptions } from '../types/render-options.ts';

/** Tasks on which the candidate differs that are listed. */
const MOST_LISTED = 20;

/** What a candidate did in the shadow, for people. */
export function renderShadow(shadow: CanaryShadow, options: Partial<RenderOptions> = {}): string {
  const { tasks, unjudged, broken, costUsd } = shadow;
  const apart = tasks.filter((task) => differenceOf(task) !== null);
  return textPage(options, (style) => {
    const row = (name: string, text: string): readonly string[] => labelRow(name, text, style);
    return [
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
  });
}

/** Null: it did what production did. */
function differenceOf({ divergence, sameAnswer }: ShadowTask): string | null {
  return divergence ?? (sameAnswer === false ? 'the same calls, and another answer' : null);
}

function shareText({ count, of, share, interval }: ShadowShare): string {
  if (share === null || interval === null) return 'none';
  return `${count} of ${of}, ${formatRate(share)} ${formatInterval(interval)}`;
}
