import { toldCounters } from '../../engine/named-counters.ts';
import { encodeVerdicts } from '../../baseline/verdict-bits.ts';
import { digestOf } from '../../records/plan-digest.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import { type Baseline, BASELINE_FORMAT, type BaselineScenario } from '../../types/baseline.ts';
import type { PlanIdentity } from '../../types/plan-identity.ts';
import type { ModelPlan, RunPlan, ScenarioPlan } from '../../types/plan.ts';
import { VERSION } from '../../version.ts';
import { exactJsonText } from '../../values/exact-json.ts';
import { toldSums } from '../fold/fold-cost.ts';
import { spoiltTrials } from '../fold/fold-session.ts';
import { standsAlone } from '../gate-targets.ts';
import { isConstant } from '../is-constant.ts';
import { factsOf, isModelPlan } from '../../types/subjects.ts';

export interface MakeBaselineInput {
  readonly plan: RunPlan;
  /** In plan order. */
  readonly tallies: readonly Tally[];
  readonly seed: number;
  /** True: scenarios may have stopped early, after the first trials of each, without a gap. */
  readonly stopsEarly: boolean;
  readonly plugins: PlanIdentity['plugins'];
}

/** A run as later ones are compared with it. Depends on the tallies' values only, so equal runs give equal baselines. */
export function makeBaseline({ plan, tallies, seed, stopsEarly, plugins }: MakeBaselineInput): Baseline {
  const scenarios = plan.scenarios.flatMap((scenario) => {
    const tally = tallies[scenario.index];
    // Exact numbers are gated as they are; drift compares samples. Contracts are judged as a whole.
    return tally === undefined || scenario.sampler === 'exhaustive' || !standsAlone(scenario.scenario)
      ? []
      : [scenarioBaseline(scenario, tally, { stopsEarly, plugins })];
  });
  return { format: BASELINE_FORMAT, passk: VERSION, seed, scenarios };
}

function scenarioBaseline(
  plan: ScenarioPlan,
  tally: Tally,
  { stopsEarly, plugins }: Pick<MakeBaselineInput, 'stopsEarly' | 'plugins'>,
): BaselineScenario {
  const { passed, failed, sessions } = tally;
  const spoilt = spoiltTrials(sessions, plan.scenario.subject);
  const broken = tally.broken - spoilt;
  const judged = passed + failed + broken;
  const calls = sessions?.passedTrail ?? null;
  return {
    name: plan.scenario.name,
    file: plan.scenario.file,
    sampler: plan.sampler,
    words: plan.words,
    digest: contentDigest(plan, plugins),
    pure: plan.traits.repeatable,
    live: isLive(plan),
    constant: isConstant(plan),
    trials: judged,
    passed,
    failed,
    broken,
    ...(spoilt > 0 && { spoilt }),
    whole: stopsEarly || tally.executed === plan.trials,
    ...(stopsEarly && tally.executed < plan.trials && { stopped: true }),
    passRate: judged === 0 ? null : passed / judged,
    total: toldCounters(toldSums(tally)),
    tokensSquared: String((BigInt(tally.tokensSquaredHigh) << 32n) + BigInt(tally.tokensSquaredLow)),
    verdicts: encodeVerdicts(tally.verdicts.words),
    ...(calls !== null && { calls }),
  };
}

/** What decides the verdict of a trial with given draws; plug-ins count where the scenario runs code of the user. */
function contentDigest(plan: ScenarioPlan, plugins: PlanIdentity['plugins']): string {
  const decisive = isModelPlan(plan) ? unhurried(plan) : plan;
  const { index: _i, words: _w, trials: _t, sampler: _s, blockSize: _b, scenario, ...run } = decisive;
  const { dedupe: _dedupe, cassette: _cassette, ...rest } = run;
  const {
    trials: _trials,
    seed: _seed,
    sampler: _sampler,
    minPassRate: _bar,
    file: _file,
    description: _description,
    tags: _tags,
    capabilities: _capabilities,
    ...content
  } = scenario;
  // In written order, which has meaning when a trial runs.
  return digestOf(exactJsonText({ ...rest, scenario: content, plugins: plan.userCode ? plugins : [] }));
}

/** The plan as if one question were asked at a time: how many are decides no verdict. */
function unhurried(plan: ModelPlan): ScenarioPlan {
  const { traits, scenario, liveEndpoints = {} } = plan;
  const { subject } = scenario;
  const endpoints = Object.entries(liveEndpoints).map(([name, { endpoint, ...more }]) => {
    return [name, { ...more, endpoint: { ...endpoint, maxConcurrent: 1 } }] as const;
  });
  return {
    ...plan,
    traits: { ...traits, ...(traits.waitsFor !== undefined && { waitsFor: { ...traits.waitsFor, atOnce: 1 } }) },
    scenario: { ...scenario, subject: { ...subject, access: { ...subject.access, atOnce: 1, plugins: 1 } } },
    ...(plan.liveEndpoints !== undefined && { liveEndpoints: Object.fromEntries(endpoints) }),
  };
}

/** Functions of the host that answer as models are no more repeatable than models. */
function isLive(plan: ScenarioPlan): boolean {
  const { subject } = plan.scenario;
  return plan.liveModels.length > 0 || plan.liveEndpoints !== undefined || factsOf(subject).asksHost(subject);
}
