import type { FaithfulExpectation } from '../../types/faithfulness/faithful-expectation.ts';
import type { JudgeSetting } from '../../types/judges/judge.ts';
import type { Scenario } from '../../types/scenario.ts';
import { factsOf } from '../../types/subjects.ts';

/** All that the source of a recorded run has as contexts. */
const ALL: FaithfulExpectation = { documents: true, tools: true, nodes: [], texts: [], user: false, minClaims: 1 };

/** A scenario of recorded runs whose judge verifies claims, as `--judged-by` may name one: against all documents and results of tools. */
export function withNamedVerifier(scenario: Scenario, settings: readonly JudgeSetting[]): Scenario {
  const { expected, subject } = scenario;
  const { judges: named = [], ...others } = expected;
  const judge = named.find((name) => settings.some((one) => one.name === name && one.verifies === true));
  if (judge === undefined || !factsOf(subject).isRecorded || expected.faithful !== undefined) return scenario;
  const judges = named.filter((name) => name !== judge);
  return {
    ...scenario,
    expected: { ...others, ...(judges.length > 0 && { judges }), faithful: { ...ALL, judge } },
  };
}
