import { firstNames } from '../../text/first-names.ts';
import { plural } from '../../text/format-number.ts';
import { alwaysPasses } from '../../gate/always-passes.ts';
import { describeGate } from '../../gate/describe-gate.ts';
import { describeTest } from '../../gate/describe-stops.ts';
import { isAsked } from '../../gate/describe-planned.ts';
import { chancePercent, ratePercent } from '../../gate/gate-text.ts';
import { undecidedChance } from '../../gate/undecided.ts';
import { liveModelFunction } from '../../plugin/live-node.ts';
import type { Issue } from '../../types/issue.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { standsAlone } from '../gate-targets.ts';
import { constantText, isConstant } from '../is-constant.ts';
import { idleConcurrency } from './idle-concurrency.ts';

type Models = Pick<ResolvedRunOptions, 'models' | 'live'>;
type Bars = Pick<ResolvedRunOptions, 'stopEarly' | 'minPassRate' | 'gates'>;

/** What is said before a run, and not all of it in its report. */
export function warningsAhead(plan: RunPlan, options: ResolvedRunOptions): readonly Issue[] {
  return [...idleConcurrency(plan, options), ...planWarnings(plan, options)];
}

/** Said before a run: which tests and gates have too few trials for a verdict, most likely, and which gates prove nothing. */
export function planWarnings(plan: RunPlan, bars: Bars): readonly Issue[] {
  const sampled = plan.scenarios.filter(({ sampler, scenario }) => sampler !== 'exhaustive' && standsAlone(scenario));
  const singlePlans = sampled.filter(({ scenario }) => scenario.part === undefined);
  return [
    ...testWarnings(singlePlans, bars),
    ...gateWarnings(sampled, bars),
    ...idleGates(bars),
    ...sameTrials(singlePlans, bars),
  ];
}

/** A run is called undecided before it begins where more than half of good ones would be. */
const LIKELY = 0.5;

function testWarnings(plans: readonly ScenarioPlan[], { stopEarly, minPassRate: floor }: Bars): readonly Issue[] {
  if (stopEarly?.rule !== 'sprt') return [];
  // Scenarios with the same bar, trials and blocks come to the same.
  const groups = new Map<
    string,
    { readonly names: string[]; readonly warning: string | null; readonly hint: string }
  >();
  for (const { scenario, trials, blockSize } of plans) {
    const { name, minPassRate } = scenario;
    if (minPassRate === null) continue;
    const bar = Math.max(minPassRate, floor ?? 0);
    const key = JSON.stringify([bar, trials, blockSize]);
    const group = groups.get(key);
    if (group !== undefined) {
      group.names.push(name);
      continue;
    }
    const test = describeTest({ bar, trials, block: blockSize }, stopEarly);
    const isLikely = test !== null && test.good.undecided > LIKELY;
    const share = isLikely ? chancePercent(test.good.undecided) : '';
    const warning = isLikely
      ? `with ${plural(trials, 'trial')} the sequential test of its bar leaves ${share} of good runs undecided (exit code 3)`
      : null;
    groups.set(key, { names: [name], warning, hint: hintOf(test?.needed ?? null) });
  }
  return [...groups.values()].flatMap(({ names, warning, hint }) =>
    warning === null ? [] : [issue(`${firstNames(names, MOST_NAMES)}: ${warning}.`, hint)],
  );
}

function gateWarnings(plans: readonly ScenarioPlan[], { gates }: Bars): readonly Issue[] {
  return gates.flatMap((gate) => {
    const { scope } = gate;
    const gated = plans.filter(
      ({ scenario }) => scope.kind === 'every' || (scope.kind === 'scenario' && scope.name === scenario.name),
    );
    const [first] = gated;
    if (first === undefined) return [];
    const fewest = gated.reduce((least, plan) => (plan.trials < least.trials ? plan : least), first);
    const { trials } = fewest;
    const undecided = undecidedChance(gate, trials);
    if (undecided === null || undecided.chance <= LIKELY) return [];
    const share = chancePercent(undecided.chance);
    const message =
      `${gate.text}: with ${plural(trials, 'trial')} of ${fewest.scenario.name} it stays undecided in ${share} of runs ` +
      `at ${ratePercent(undecided.rate)} (exit code 3).`;
    return [issue(message, hintOf(describeGate(gate, { trials }).needed?.trials ?? null))];
  });
}

/** Gates that every run meets: a mistyped bar reads as one that is kept. */
function idleGates({ gates }: Bars): readonly Issue[] {
  return gates.filter(alwaysPasses).map(
    ({ text, operator }): Issue => ({
      code: 'idle_gate',
      severity: 'warning',
      message: `${text}: every run meets this gate, so it proves nothing.`,
      hint: operator === '>=' ? 'Give a bar above 0.' : 'Give a bar below 1.',
    }),
  );
}

/** Gates that ask for a bound over trials that are all the same: it says nothing of what a model may answer. */
function sameTrials(plans: readonly ScenarioPlan[], { gates }: Bars): readonly Issue[] {
  const bounds = gates.filter(({ side }) => side.kind !== 'point');
  if (bounds.length === 0) return [];
  const constant = plans.filter((plan) => plan.trials > 1 && isConstant(plan)).map(({ scenario }) => scenario);
  return bounds.flatMap(({ text, scope }): readonly Issue[] => {
    const asked = constant.filter(({ name, origin: { suite } = {} }) =>
      isAsked(scope, { name, ...(suite !== undefined && { suite }) }),
    );
    if (asked.length === 0) return [];
    const names = asked.map(({ name }) => name);
    return [
      {
        code: 'same_trials_bound',
        severity: 'warning',
        message: `${text}: ${constantText(names, MOST_NAMES)}, and a bound of them says nothing of a model.`,
        hint: 'Try what they ask with --live, or an agent, give their turns variants, or ask the gate without a bound.',
      },
    ];
  });
}

/**
 * Functions that the program gave as models and that nobody asks: what passes says nothing of them. They are asked where a
 * scenario has no turns, in live runs, and by judges. Whoever carries them on to another place, such as a shard, keeps them
 * among the issues of the suite.
 */
export function idleModels({ hostFunctions }: RunPlan, { models, live }: Models): readonly Issue[] {
  const idle = Object.keys(models).filter((name) => !hostFunctions.includes(liveModelFunction(name)));
  if (idle.length === 0) return [];
  return [
    {
      code: 'idle_model',
      severity: 'warning',
      message: `Nobody asks the ${idle.length === 1 ? 'model' : 'models'} ${firstNames(idle, MOST_NAMES)} of \`models\` in this run.`,
      hint: live
        ? 'No scenario names such a backend.'
        : 'Where a scenario has turns, they answer in its place; `live: true` asks the model.',
    },
  ];
}

const MOST_NAMES = 5;

function hintOf(needed: number | null): string {
  return needed === null ? 'Choose a bar further from the true pass rate.' : `Plan ${plural(needed, 'trial')} or more.`;
}

function issue(message: string, hint: string): Issue {
  return { code: 'likely_undecided', severity: 'warning', message, hint };
}
