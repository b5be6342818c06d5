import { plural } from '../text/format-number.ts';
import { describeStop } from '../gate/describe-stop.ts';
import { createSettler, type FirstTrials, needsAllTrials, type Settler } from '../gate/settle-scenario.ts';
import type { IsSettled } from '../pool/blocks/stop-tracker.ts';
import type { Issue } from '../types/issue.ts';
import type { RunPlan } from '../types/plan.ts';
import { isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';
import type { StopEarlyReport } from '../types/stop-early.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';

type Bars = Pick<ResolvedRunOptions, 'stopEarly' | 'minPassRate' | 'gates'>;

/** Per planned scenario, what says when it is settled; null, or none at all: it runs all its trials. */
export function settlersOf(plan: RunPlan, { stopEarly, minPassRate: floor, gates }: Bars): readonly (Settler | null)[] {
  if (stopEarly === null) return [];
  // What settles a contract is more than one of its parts, and what a judge says is no pass before it is corrected.
  return plan.scenarios.map(({ scenario: { name, minPassRate, part }, trials, judges }) =>
    part !== undefined || judges !== undefined
      ? null
      : createSettler({ name, trials, minPassRate, floor, gates }, stopEarly),
  );
}

/** The same for executors. */
export function isSettledBy(settlers: readonly (Settler | null)[]): IsSettled {
  return (scenario, counts) => settlers[scenario]?.settle(counts) != null;
}

/** A scenario's part of the report; undefined: it was to run all its trials. */
export function stopReport(
  settler: Settler | null | undefined,
  { stopEarly }: Bars,
  stop: { readonly counts: FirstTrials; readonly planned: number },
): StopEarlyReport | undefined {
  return settler == null || stopEarly === null ? undefined : describeStop(settler, stopEarly.rule, stop);
}

/** What a reader of such a report must know. */
export function stopNotices(reports: readonly ScenarioReport[], { stopEarly, gates }: Bars): readonly Issue[] {
  if (stopEarly === null) return [];
  const notices: Issue[] = [];
  const ran = reports.filter(isSampled);
  const unstopped = ran.filter((report) => report.stopEarly === undefined);
  const asking = gates.filter((gate) => unstopped.some(({ name }) => needsAllTrials(gate, name)));
  if (asking.length > 0) {
    notices.push({
      code: 'not_stopped',
      severity: 'warning',
      message: `${plural(unstopped.length, 'scenario')} ran all trials, because a gate needs them: ${asking.map(({ text }) => text).join(', ')}.`,
      hint: 'Gates of a scenario on passes, such as pass_rate or pass^8, can be settled early; others cannot.',
    });
  }
  const untested =
    stopEarly.rule === 'sprt' ? ran.filter((one) => one.stopEarly !== undefined && !one.stopEarly.test) : [];
  if (untested.length > 0) {
    notices.push({
      code: 'no_sequential_test',
      severity: 'warning',
      message: `${plural(untested.length, 'scenario')} stopped only where no trial could change the verdict: a sequential test needs a bar.`,
      hint: 'Give the scenario a min_pass_rate between 0 and 1; without one every trial must pass.',
    });
  }
  const stopped = ran.filter(
    ({ stopEarly: stop, trials }) => stop?.verdict != null && trials.executed + trials.deduplicated < trials.requested,
  );
  if (stopped.length > 0) {
    notices.push({
      code: 'stopped_early',
      severity: 'warning',
      message:
        `${plural(stopped.length, 'scenario')} stopped when settled, so rates, pass^k and costs lean towards the verdict; ` +
        'their 95 % intervals are confidence sequences, which hold whenever a run stops.',
      hint: 'Run without --stop-early to measure rather than to decide.',
    });
  }
  return notices;
}
