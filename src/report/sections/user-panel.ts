import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import type { SessionReport } from '../../types/sessions/session-report.ts';
import type { SimulatedUsers, UserRule } from '../../types/sessions/session-user.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { scenarioMark } from '../words/scenario-mark.ts';
import type { ListingRow, Panel } from './panel.ts';

type Simulated = SampledScenario & { readonly session: SessionReport & { readonly user: SimulatedUsers } };

/** The sessions of a report whose users models play. */
export function simulatedScenarios(scenarios: readonly ScenarioReport[]): readonly Simulated[] {
  return scenarios.filter((one): one is Simulated => isSampled(one) && one.session?.user !== undefined);
}

/** How often simulated users broke their rules, and what they cost. There must be at least one. */
export function userPanel(scenarios: readonly Simulated[]): Panel {
  const sum = (of: (user: SimulatedUsers) => number): number =>
    scenarios.reduce((total, { session }) => total + of(session.user), 0);
  const [trials, failures] = [sum(({ trials: all }) => all), sum(({ failures: spoilt }) => spoilt)];
  const over = scenarios.filter(({ session: { user } }) => user.failures > user.leftOut);
  return {
    title: 'Simulated users',
    isTitled: true,
    mark: null,
    headline: [
      `${formatCount(failures)} of ${plural(trials, 'session')} spoilt by the user`,
      `${plural(
        sum(({ calls }) => calls),
        'answer',
      )} of models`,
      `${plural(
        sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
        'token',
      )} of evaluation, none of the agent`,
    ],
    isTelling: true,
    isTrouble: over.length > 0,
    blocks: [
      {
        type: 'listing',
        corner: 'session',
        headers: ['', 'spoilt'],
        groups: [scenarios.map(userRow)],
      },
      ...(over.length === 0 ? [] : [{ type: 'notes', tone: 'warning', sentences: [OVER] } as const]),
    ],
  };
}

const OVER =
  'Where users spoil more trials than max_user_failures allows, these count as broken ones, so that nothing is concluded from the rest alone.';

/** What a rule's breach is called. */
const BREACHES: Readonly<Record<UserRule, string>> = {
  no_answer: 'gave no answer',
  empty: 'said nothing',
  refuses: 'refused to play',
  speaks_as_agent: 'spoke as the agent',
  echoes: 'repeated the agent',
  invents_value: 'made a value up',
  reveals_unknown: 'said what it does not know',
  ends_early: 'left too early',
  never_ends: 'did not end',
};

function userRow(scenario: Simulated): ListingRow {
  const { rate, interval, rules, trials, model, most } = scenario.session.user;
  const broken = rules.map(({ rule, count }) => `${BREACHES[rule]} ${formatCount(count)}`);
  return {
    mark: scenarioMark(scenario),
    name: scenario.name,
    parts: [`${formatRate(rate)} ${formatInterval(interval)}`],
    lines: [
      `model ${plainText(model, 80)}, ${plural(trials, 'session')}; at most ${formatRate(most)} may be spoilt`,
      ...(broken.length === 0 ? [] : [broken.join(' · ')]),
    ],
  };
}
