import { createHash } from 'node:crypto';
import { worstVerdict } from '../gate/worst-verdict.ts';
import type { JsonObject } from '../types/json.ts';
import { SUITE_NAMES, type SuiteName } from '../types/release/origin.ts';
import type {
  AxisReason,
  AxisResult,
  EvalBody,
  EvalScenario,
  ScenarioSetFacts,
  TrialTotals,
} from '../types/release/eval-body.ts';
import { AXES, type Axis } from '../types/release/release-rules.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { costAxis } from './axes/cost-axis.ts';
import { isGating, outcomeAxis } from './axes/outcome-axis.ts';
import { releaseGate } from './axes/judge-rules.ts';
import { ruleAxis } from './axes/rule-axis.ts';
import { safetyAxis } from './axes/safety-axis.ts';
import { billingFacts } from './billing/billing-facts.ts';
import { costFacts } from './cost-facts.ts';
import { countTrials } from './count-trials.ts';
import type { ReleaseEvidence, TriedScenario } from './evidence.ts';
import { governanceOf } from './governance.ts';
import { MerkleTree } from './merkle-tree.ts';
import { reliabilityOf } from './reliability.ts';
import { safetyFacts, utilityFacts } from './safety-facts.ts';
import { candidateText } from './release-texts.ts';

/** The k of pass^k that every record lists. */
const LISTED = [1, 2, 4, 8];

/**
 * What a release was found to be: a pure function of its evidence, so that whoever has the trials comes to the same body,
 * byte by byte. Throws `INPUT` for rules that cannot be judged, and `INTEGRITY` for trials that are not those of the record.
 */
export function evaluateRelease(evidence: ReleaseEvidence): EvalBody {
  const { rules, candidate, tier, release, asOf, engine, rateCard, results, audit, prior, canary, partial } = evidence;
  const scenarios = countTrials(evidence.scenarios, evidence.trials);
  const gating = scenarios.filter(isGating);
  const ks = [...new Set([...LISTED, ...rules.outcome.flatMap((text) => releaseGate(text).k ?? [])])].sort(
    (a, b) => a - b,
  );
  const attacks = scenarios.filter(({ suite }) => suite === 'adversarial');
  const safety = { ...safetyFacts(attacks, rules.attackLevel), utility: utilityFacts(scenarios) };
  // The first try of a candidate is no ceiling for the next one.
  const before = prior?.candidate === candidateText(candidate) ? null : prior;
  const cost = costFacts(gating, { rules, priorUsd: before?.costPerSuccessUsd ?? null, ks });
  const billing = evidence.billing === undefined ? null : billingFacts(evidence.billing, scenarios);
  const axes: Readonly<Record<Axis, AxisResult>> = {
    outcome: outcomeAxis(scenarios, rules, { results, audit, partial }),
    trajectory: ruleAxis('trajectory', rules.trajectory, { scenarios, isAdvisory: !rules.allowTrajectoryGate }),
    faithfulness: ruleAxis('faithfulness', rules.faithfulness, { scenarios, isAdvisory: false }),
    cost: costAxis(cost, rules, { billing, errors: totals(gating).errors }),
    safety: safetyAxis(safety, rules, { results, scenarios }),
  };
  const governance = governanceOf({ ...evidence, scenarios });
  return {
    candidate,
    tier,
    release,
    asOf,
    engine,
    scenarioSet: scenarioSet(scenarios),
    ...(evidence.generated !== undefined && { generated: evidence.generated }),
    rules,
    rateCard,
    counts: totals(scenarios),
    reliability: reliabilityOf(gating, ks),
    scenarios: scenarios.map(({ trials: _, ...scenario }): EvalScenario => scenario),
    safety,
    cost,
    ...(evidence.merged !== undefined && { merged: evidence.merged }),
    ...(billing !== null && { billing }),
    results,
    audit,
    axes,
    prior,
    canary,
    partial,
    governance,
    ...verdictOf(axes, governance),
    trialsRoot: rootOf(scenarios),
  };
}

/** The worst of what decides. An axis that only informs decides nothing. */
function verdictOf(
  axes: Readonly<Record<Axis, AxisResult>>,
  governance: readonly AxisReason[],
): Pick<EvalBody, 'verdict' | 'reasons'> {
  const deciding = AXES.filter((axis) => !axes[axis].isAdvisory);
  const open = ({ verdict }: AxisReason): boolean => verdict !== 'pass';
  return {
    verdict: worstVerdict([...deciding.map((axis) => axes[axis].verdict), ...governance.map(({ verdict }) => verdict)]),
    reasons: [
      ...deciding.flatMap((axis) => axes[axis].reasons.filter(open).map(({ message }) => `${axis}: ${message}`)),
      ...governance.filter(open).map(({ message }) => `governance: ${message}`),
    ],
  };
}

function scenarioSet(scenarios: readonly TriedScenario[]): ScenarioSetFacts {
  const hash = createHash('sha256');
  for (const scenario of scenarios) hash.update(`${scenario.hash}\n`);
  const counts = SUITE_NAMES.map((name) => [name, scenarios.filter(({ suite }) => suite === name).length] as const);
  // Every suite has its count.
  const bySuite = Object.fromEntries(counts) as Readonly<Record<SuiteName, number>>;
  return { hash: hash.digest('hex'), count: scenarios.length, bySuite };
}

function totals(scenarios: readonly TriedScenario[]): TrialTotals {
  const sum = (pick: (scenario: TriedScenario) => number): number =>
    scenarios.reduce((total, scenario) => total + pick(scenario), 0);
  return {
    planned: sum(({ planned }) => planned),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    errors: sum(({ errors }) => errors),
  };
}

function rootOf(scenarios: readonly TriedScenario[]): string {
  const tree = new MerkleTree();
  for (const { trials } of scenarios) {
    for (const trial of trials) tree.add(canonicalJson(trial as unknown as JsonObject));
  }
  return tree.root();
}
