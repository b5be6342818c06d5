import { EMPTY_HINT } from '../../host/agent-notices.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { sumOf } from '../../stats/mean.ts';
import { firstNames } from '../../text/first-names.ts';
import type { Issue } from '../../types/issue.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';

const MOST_NAMES = 3;

/** What is said of trials that passed with an answer that is no whole one. */
const KINDS = [
  { field: 'passedEmpty', code: 'agent_empty', what: 'an empty answer of the agent', hint: EMPTY_HINT },
  {
    field: 'passedCut',
    code: 'agent_cut',
    what: 'an answer of the agent that was cut at a cap of tokens',
    hint: 'A trial passes with it unless a check misses what was cut. Raise the cap, or ask for the end of the answer.',
  },
  {
    field: 'passedFiltered',
    code: 'agent_filtered',
    what: 'an answer of the agent that is a refusal, or was cut by a filter',
    hint: 'It counts as what the agent said: a trial passes with it unless one of its checks looks at that.',
  },
] as const;

/** Says how many sessions passed although an answer was empty, cut or withheld; [] where none did. */
export function oddAnswersNotices(
  reports: readonly Pick<SampledScenario, 'name' | 'session' | 'trials'>[],
): readonly Issue[] {
  return KINDS.flatMap(({ field, code, what, hint }): readonly Issue[] => {
    const parts = reports.flatMap(({ name, session, trials }) => {
      const odd = session?.[field];
      return odd === undefined ? [] : [{ name, odd, passed: trials.passed }];
    });
    if (parts.length === 0) return [];
    const names = parts.map(({ name }) => JSON.stringify(name));
    const [odd, passed] = [sumOf(parts.map((part) => part.odd)), sumOf(parts.map((part) => part.passed))];
    const message = `${formatCount(odd)} of ${plural(passed, 'passing trial')} had ${what}, in ${firstNames(names, MOST_NAMES)}.`;
    return [{ code, severity: 'warning', message, hint }];
  });
}
