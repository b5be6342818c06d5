import { meetsExactBar } from '../gate/meets-bar.ts';
import { isExact } from '../trial/is-exact.ts';
import type { ExactReport } from '../types/exact.ts';
import type { ScenarioReport } from '../types/report.ts';
import { declaredParts } from './declared-parts.ts';
import type { FoldScenarioInput } from './fold.ts';
import { observedCapabilities } from './observed-capabilities.ts';
import { NO_COUNTS, NO_RATES, unsampledReasons } from './unsampled.ts';
import { isDryRun } from '../types/subjects.ts';

/** The report of a scenario whose answers were enumerated: exact numbers, and none that trials are counted for. */
export function foldExhaustive(input: FoldScenarioInput): ScenarioReport {
  const { plan, info, tally, failures, seed, floor = null } = input;
  const { scenario } = plan;
  const exact = exactOf(tally.exact);
  const clears = exact !== null && meetsExactBar(exact, scenario.minPassRate);
  const isBelow = floor !== null && clears && !meetsExactBar(exact, floor);
  const reasons = unsampledReasons('exhaustive');
  if (exact === null) reasons.exact = tally.executed === 0 ? 'not_run' : 'not_enumerated';
  return {
    name: scenario.name,
    file: scenario.file,
    description: scenario.description ?? null,
    tags: scenario.tags,
    capabilities: scenario.capabilities,
    verdict: clears && !isBelow ? 'passed' : 'failed',
    ...(isBelow && { belowFloor: floor }),
    loadErrors: [],
    pure: plan.traits.repeatable,
    seed: scenario.seed ?? seed,
    sampler: plan.sampler,
    trials: { requested: 0, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
    ...NO_RATES,
    minPassRate: scenario.minPassRate,
    ...(exact !== null && { exact }),
    ...NO_COUNTS,
    failures,
    nodes: info.nodes.map(({ node, type }) => ({ node, type, visits: 0 })),
    edges: info.edges.map(({ from, to, when }) => ({ from, to, when, visits: 0 })),
    turns: info.turns.map(({ turn, variants }) => ({ turn, served: Array.from({ length: variants }, () => 0) })),
    observed: isDryRun(scenario) ? [] : observedCapabilities(tally, exact !== null && clears && exact.leaves > 1),
    ...declaredParts(plan, info, tally),
    reasons,
  };
}

/** Null when it was not run, or refused. */
function exactOf(text: string | null): ExactReport | null {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  return isExact(parsed) ? parsed : null;
}
