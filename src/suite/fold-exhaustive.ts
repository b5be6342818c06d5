import { meetsExactBar } from '../gate/meets-bar.ts';
import { CAPABILITIES } from '../types/capability.ts';
import { isExact } from '../trial/is-exact.ts';
import type { ExactReport } from '../types/exact.ts';
import type { ScenarioReport } from '../types/report.ts';
import type { FoldScenarioInput } from './fold.ts';
import { namedCounters } from './fold-cost.ts';

/** The report of a scenario whose answers were enumerated: exact numbers, and none that trials are counted for. */
export function foldExhaustive({ plan, info, tally, failures, seed }: FoldScenarioInput): ScenarioReport {
  const { scenario } = plan;
  const exact = exactOf(tally.exact);
  const clears = exact !== null && meetsExactBar(exact, scenario.minPassRate);
  const reasons = Object.fromEntries(SAMPLED_FIELDS.map((field) => [field, 'exhaustive']));
  if (exact === null) reasons.exact = tally.executed === 0 ? 'not_run' : 'not_enumerated';
  return {
    name: scenario.name,
    file: scenario.file,
    description: scenario.description ?? null,
    tags: scenario.tags,
    capabilities: scenario.capabilities,
    verdict: clears ? 'passed' : 'failed',
    loadErrors: [],
    pure: plan.pure,
    seed: scenario.seed ?? seed,
    sampler: plan.sampler,
    trials: { requested: 0, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
    passRate: null,
    passRateInterval: null,
    strictPassK: null,
    passHatK: [],
    minPassRate: scenario.minPassRate,
    ...(exact !== null && { exact }),
    cost: { first: null, mean: null, total: namedCounters([]), perSuccess: null, perSuccessInterval: null },
    statuses: { completed: 0, failed: 0, timed_out: 0, paused: 0, errored: 0 },
    stoppedBy: {},
    virtualMs: { mean: null, max: 0 },
    checks: [],
    failureClasses: [],
    failures,
    nodes: info.nodes.map(({ node, type }) => ({ node, type, visits: 0 })),
    edges: info.edges.map(({ from, to, when }) => ({ from, to, when, visits: 0 })),
    turns: info.turns.map(({ turn, variants }) => ({ turn, served: Array.from({ length: variants }, () => 0) })),
    observed: observedIn(tally, exact !== null && clears && exact.leaves > 1),
    reasons,
  };
}

/** Null when it was not run, or refused. */
function exactOf(text: string | null): ExactReport | null {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  return isExact(parsed) ? parsed : null;
}

const SAMPLED_FIELDS = [
  'passRate',
  'passRateInterval',
  'strictPassK',
  'virtualMs.mean',
  'cost.first',
  'cost.mean',
  'cost.perSuccess',
  'cost.perSuccessInterval',
];

/** Seen in passing leaves; reliability where the bar holds although answers vary. */
function observedIn(
  { observedLow, observedHigh }: FoldScenarioInput['tally'],
  heldUnderVariation: boolean,
): readonly string[] {
  return CAPABILITIES.flatMap(([id], i) => {
    const seen =
      id === 'reliability_passk' ? heldUnderVariation : ((i < 32 ? observedLow : observedHigh) >>> (i % 32)) & 1;
    return seen ? [id] : [];
  });
}
