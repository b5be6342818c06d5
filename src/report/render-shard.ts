import type { RenderOptions } from '../types/render-options.ts';
import type { ShardSummary } from '../types/shard.ts';
import { finishedText } from './ascii-text.ts';
import { formatCount, formatDuration, plural } from '../text/format-number.ts';
import { plainText } from './plain-text.ts';
import { textStyle } from './text/text-style.ts';

/** Scenarios with failing trials that are listed; the others are counted. */
const SHOWN = 20;

/** The counts of a shard in a few lines. It has no verdict: the whole run has one. */
export function renderShard(
  summary: ShardSummary,
  options: Pick<RenderOptions, 'columns' | 'color' | 'unicode'>,
): string {
  const { shard, scenarios, partial, share, requested, passk, seed, durationMs } = summary;
  const style = textStyle({ ...options, verbose: false, quiet: false, timing: true });
  const sum = { passed: 0, failed: 0, broken: 0 };
  for (const { passed, failed, broken } of scenarios) {
    sum.passed += passed;
    sum.failed += failed;
    sum.broken += broken;
  }
  const run = sum.passed + sum.failed + sum.broken;
  const failing = scenarios.filter(({ failed, broken }) => failed + broken > 0);
  const lines = [
    `${style.paint('strong', `Shard ${shard.index} of ${shard.count}`)}: ${formatCount(run)} of its ${plural(share, 'trial')} run (${formatCount(requested)} in all), ${verdicts(sum)}.`,
    ...failing.slice(0, SHOWN).map((scenario) => `  ${plainText(scenario.name, 80)}: ${verdicts(scenario)}`),
    ...(failing.length > SHOWN ? [`  and ${plural(failing.length - SHOWN, 'more scenario')} with failing trials`] : []),
    ...(partial ? [style.paint('warn', 'It stopped before its end: run it again before merging.')] : []),
    style.paint('dim', `passk ${passk} · seed ${seed} · ${formatDuration(durationMs)}`),
  ];
  const text = `${lines.join('\n')}\n`;
  return finishedText(text, options.unicode);
}

function verdicts({ passed, failed, broken }: { passed: number; failed: number; broken: number }): string {
  const parts = [`${formatCount(passed)} passed`, `${formatCount(failed)} failed`];
  if (broken > 0) parts.push(`${formatCount(broken)} broken`);
  return parts.join(', ');
}
