import type { ProgressReport, SessionReport } from '../../types/sessions/session-report.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { scenarioMark } from '../words/scenario-mark.ts';
import type { ListingRow, Panel } from './panel.ts';

type Progressing = SampledScenario & { readonly session: SessionReport & { readonly progress: ProgressReport } };

/** The sessions of a report whose tasks have sub-goals. */
export function progressingScenarios(scenarios: readonly ScenarioReport[]): readonly Progressing[] {
  return scenarios.filter((one): one is Progressing => isSampled(one) && one.session?.progress !== undefined);
}

/** How far sessions got. There must be at least one whose task has sub-goals. */
export function progressPanel(scenarios: readonly Progressing[]): Panel {
  const trials = scenarios.reduce((sum, { session }) => sum + session.progress.trials, 0);
  return {
    title: 'Progress against sub-goals',
    isTitled: true,
    mark: null,
    headline: [`${plural(trials, 'session')} of ${plural(scenarios.length, 'scenario')}`, 'decides nothing'],
    isTelling: true,
    isTrouble: false,
    blocks: [
      {
        type: 'listing',
        corner: 'session',
        headers: ['', 'progress'],
        groups: [scenarios.map(progressRow)],
      },
    ],
  };
}

/** Characters of a goal's name that are shown. */
const LONGEST_GOAL = 80;

function progressRow(scenario: Progressing): ListingRow {
  const { name, session } = scenario;
  const { mean, interval, goals, trials } = session.progress;
  const reached = goals.map(({ goal, reached: count }) => `${plainText(goal, LONGEST_GOAL)} ${formatCount(count)}`);
  return {
    mark: scenarioMark(scenario),
    name,
    parts: [`${formatRate(mean)}${interval === null ? '' : ` ${formatInterval(interval)}`}`],
    lines: [`of ${plural(trials, 'session')}: ${reached.join(' · ')}`, groundingLine(session)],
  };
}

function groundingLine({ calls, validCalls }: SessionReport): string {
  if (calls === 0) return 'no call of a tool';
  return `${formatCount(validCalls)} of ${plural(calls, 'call')} fit a tool (${formatRate(validCalls / calls)})`;
}
