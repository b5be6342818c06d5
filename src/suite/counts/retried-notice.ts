import { formatCount, plural } from '../../text/format-number.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { Issue } from '../../types/issue.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';

/** Says how many trials count by a later try than their first; [] where none does. It stands at the top of every report. */
export function retriedNotice(reports: readonly Pick<SampledScenario, 'retried'>[]): readonly Issue[] {
  const parts = reports.flatMap(({ retried }) => retried ?? []);
  if (parts.length === 0) return [];
  const [trials, passed, retries] = (['trials', 'passed', 'retries'] as const).map((key) =>
    parts.reduce((sum, part) => sum + part[key], 0),
  ) as [number, number, number];
  const again = retries === trials ? '' : `, ${formatCount(retries)} times in all`;
  return [
    {
      code: 'retried',
      severity: 'warning',
      message: `${plural(trials, 'trial')} of ${plural(parts.length, 'scenario')} ${trials === 1 ? 'was' : 'were'} run again because the harness had broken ${trials === 1 ? 'it' : 'them'}${again}; ${formatCount(passed)} passed then.`,
      hint: 'They count by their last try. What the tries before it did outside, and what they cost, is not undone.',
    },
  ];
}

/** Says that `retries` has no effect where calls are recorded or replayed; [] where it has. */
export function idleRetriesNotice({
  retries,
  cassette,
}: Pick<ResolvedRunOptions, 'retries' | 'cassette'>): readonly Issue[] {
  if (retries === 0 || cassette === null) return [];
  const way = cassette.mode === 'record' ? 'recorded' : 'replayed';
  return [
    {
      code: 'no_retries',
      severity: 'warning',
      message: `No broken trial was run again: the run was ${way}, and a cassette holds one try of each trial.`,
      hint: `Leave out retries, or ${cassette.mode}.`,
    },
  ];
}
