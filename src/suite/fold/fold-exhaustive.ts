import { meetsExactBar } from '../../gate/meets-bar.ts';
import { isExact } from '../../trial/is-exact.ts';
import type { ExactReport } from '../../types/reports/exact.ts';
import type { EnumeratedScenario } from '../../types/reports/scenario-report.ts';
import { isDryRun } from '../../types/subjects.ts';
import { declaredParts } from '../declared-parts.ts';
import { foldHead, type FoldScenarioInput, NO_TRIALS } from './fold-head.ts';
import { observedCapabilities } from './observed-capabilities.ts';

/** The report of a scenario whose answers were enumerated: exact numbers, and none that trials are counted for. */
export function foldExhaustive(input: FoldScenarioInput): EnumeratedScenario {
  const { plan, info, tally, failures, floor = null } = input;
  const { scenario } = plan;
  const exact = exactOf(tally.exact);
  const clears = exact !== null && meetsExactBar(exact, scenario.minPassRate);
  const isBelow = floor !== null && clears && !meetsExactBar(exact, floor);
  return {
    name: scenario.name,
    ...foldHead(input),
    verdict: clears && !isBelow ? 'passed' : 'failed',
    ...(isBelow && { belowFloor: floor }),
    sampler: 'exhaustive',
    trials: NO_TRIALS,
    exact,
    failures,
    nodes: info.nodes.map(({ node, type }) => ({ node, type, visits: 0 })),
    edges: info.edges.map(({ from, to, when }) => ({ from, to, when, visits: 0 })),
    observed: isDryRun(scenario) ? [] : observedCapabilities(tally, exact !== null && clears && exact.leaves > 1),
    ...declaredParts(plan, info, tally),
  };
}

/** Null when answers could not be enumerated. */
function exactOf(text: string | null): ExactReport | null {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  return isExact(parsed) ? parsed : null;
}
