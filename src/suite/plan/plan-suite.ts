import { PasskError } from '../../errors.ts';
import { barGate, describeGate } from '../../gate/describe-gate.ts';
import { describeRun, type RunToDescribe } from '../../gate/describe-run.ts';
import { describeStops, type StoppingScenario } from '../../gate/describe-stops.ts';
import { describePlanned } from '../../gate/describe-planned.ts';
import type { WantedErrors } from '../../stats/trials-needed.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { DefinitionBase } from '../../types/suite-base.ts';
import { hasResult } from '../../values/has-result.ts';
import { nounOf } from '../../values/noun-of.ts';
import type { StopRule } from '../../types/stop-early.ts';
import { type PlannedBar, SUITE_PLAN_SCHEMA, type SuitePlan } from '../../types/suite-plan.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import type { SuiteInput } from '../load-suite.ts';
import { standsAlone } from '../gate-targets.ts';
import { openKinds } from '../open-kinds.ts';
import { askedOutside } from '../asked-outside.ts';
import { idleModels, warningsAhead } from './plan-warnings.ts';
import { totalTrials } from './plan.ts';
import { prepareRun } from '../run-suite.ts';

/** As for a run, with the errors that the number of trials is to keep. */
export interface PlanSuiteOptions extends RunSuiteOptions {
  /** Highest chance that a workflow which should not pass does; default 0.05. */
  readonly falsePass?: number;
  /** Highest chance that a workflow which should pass does not; default 0.05. */
  readonly falseFail?: number;
}

type Wanted = Partial<Pick<WantedErrors, 'falsePass' | 'falseFail'>>;

/**
 * Loads scenarios and says, without running anything, what each bar and gate could tell of the planned trials and how
 * many trials the wanted errors need. Rejects as `runSuite` does.
 */
export async function planSuite(planOptions: PlanSuiteOptions = {}): Promise<SuitePlan> {
  const { falsePass, falseFail, ...runOptions } = planOptions;
  const wanted = wantedErrors({ falsePass, falseFail });
  const options = resolveRunOptions(runOptions);
  const { plan, input } = await prepareRun(options);
  const singlePlans = plan.scenarios.filter(({ scenario }) => scenario.part === undefined);
  const sampled = plan.scenarios.filter(({ sampler }) => sampler !== 'exhaustive');
  // Definitions have a bar of their own.
  const planned = sampled
    .filter(({ scenario }) => standsAlone(scenario))
    .map(({ scenario: { name, part, origin }, trials }) => {
      const names = part?.names;
      const suite = origin?.suite;
      return { name, trials, ...(names !== undefined && { names }), ...(suite !== undefined && { suite }) };
    });
  return {
    schema: SUITE_PLAN_SCHEMA,
    trials: totalTrials({ ...plan, scenarios: sampled }),
    ...askedOutside(plan),
    scenarios: [
      ...plannedBars(singlePlans.map(barOf), { floor: options.minPassRate, wanted, stopEarly: options.stopEarly }),
      ...plannedBars(await definitionBars(input, plan, options), { floor: null, wanted, stopEarly: null }),
    ],
    gates: options.gates.flatMap((gate) => describePlanned(gate, planned, wanted) ?? []),
    warnings: [...idleModels(plan, options), ...warningsAhead(plan, options)],
    run: describeRun(judgedRun(singlePlans, options, input.suite.definitions), wanted),
  };
}

/** What decides the run by passes, and the names of what else does. */
function judgedRun(
  singlePlans: readonly ScenarioPlan[],
  { gates, minPassRate: floor }: Pick<ResolvedRunOptions, 'gates' | 'minPassRate'>,
  definitions: readonly DefinitionBase[],
): RunToDescribe {
  const isSampled = ({ sampler }: ScenarioPlan): boolean => sampler !== 'exhaustive';
  const scenarios = singlePlans.filter(isSampled).map(({ scenario: { name, minPassRate }, trials }) => ({
    name,
    trials,
    bar: barOver(minPassRate, floor),
  }));
  const enumerated = singlePlans.filter((plan) => !isSampled(plan)).map(({ scenario }) => scenario.name);
  return {
    scenarios,
    gates,
    others: [
      ...enumerated,
      ...definitions.filter(hasResult).map((definition) => `${nounOf(definition)} ${definition.name}`),
    ],
  };
}

/** A floor raises a bar; where there is none, every trial must pass anyway. */
function barOver(minPassRate: number | null, floor: number | null): number | null {
  return minPassRate === null ? null : Math.max(minPassRate, floor ?? 0);
}

interface Barred extends Pick<ScenarioPlan, 'trials' | 'sampler'>, Pick<Scenario, 'name' | 'file' | 'minPassRate'> {
  /** Trials after which it may stop early; null: it never does. */
  readonly block: number | null;
}

function barOf({ scenario: { name, file, minPassRate }, trials, sampler, blockSize: block }: ScenarioPlan): Barred {
  return { name, file, minPassRate, trials, sampler, block };
}

async function definitionBars(
  { kinds, suite }: SuiteInput,
  { scenarios }: RunPlan,
  { minPassRate: floor }: Pick<ResolvedRunOptions, 'minPassRate'>,
): Promise<readonly Barred[]> {
  const opened = await openKinds({ kinds, definitions: suite.definitions, parts: [] });
  return opened.flatMap(({ verbs, definitions }) =>
    definitions.flatMap((definition): readonly Barred[] => {
      const found = verbs.barOf(definition, scenarios);
      if (found === null) return [];
      const { what, bar, trials } = found;
      const { name, file } = definition;
      const hasCells = scenarios.some(({ scenario }) => scenario.part?.of === name && standsAlone(scenario));
      const minPassRate = barOver(bar, hasCells ? floor : null);
      return [{ name: `${name}: ${what}`, file, minPassRate, trials, sampler: 'seeded', block: null }];
    }),
  );
}

interface BarOptions {
  readonly floor: number | null;
  readonly wanted: Wanted;
  readonly stopEarly: StopRule | null;
}

function plannedBars(plans: readonly Barred[], { floor, wanted, stopEarly }: BarOptions): readonly PlannedBar[] {
  // Many scenarios share bar, trials and blocks, and the trials needed take a while to find.
  const byKey = new Map<string, Pick<PlannedBar, 'bar' | 'stops'>>();
  return plans.map(({ name, file, minPassRate, trials, sampler, block }) => {
    const bar = barOver(minPassRate, floor);
    if (sampler === 'exhaustive') return exactBar(name, file, bar);
    const key = `${bar} ${trials} ${block}`;
    // Its own bar is a matter of one scenario, whatever the others do.
    const gate = { ...barGate(bar), scope: { kind: 'scenario', name } } as const;
    const described = byKey.get(key) ?? {
      bar: describeGate(gate, { trials }, wanted),
      stops: stopsOf({ bar, trials, block }, stopEarly),
    };
    byKey.set(key, described);
    return { name, file, trials, ...described, bar: { ...described.bar, gate } };
  });
}

/** Null where all trials are one block, unless the run is to stop early. */
function stopsOf(
  { bar, trials, block }: Pick<StoppingScenario, 'bar' | 'trials'> & { readonly block: number | null },
  stopEarly: StopRule | null,
): PlannedBar['stops'] {
  if (block === null || (block >= trials && stopEarly === null)) return null;
  return describeStops({ bar, trials, block }, stopEarly?.rule === 'sprt' ? stopEarly : undefined);
}

/** Nothing is left to chance where answers are enumerated. */
function exactBar(name: string, file: string, bar: number | null): PlannedBar {
  const gate = { ...barGate(bar), metric: 'exact.pass_rate', scope: { kind: 'scenario', name } } as const;
  const sentences = [`${gate.text}: answers are enumerated, so the pass rate is exact and the verdict without error.`];
  const bars = { gate, trials: 0, scenarios: 1, passing: null, characteristic: [], needed: null, sentences };
  return { name, file, trials: 0, bar: bars, stops: null };
}

function wantedErrors(errors: { readonly [error in keyof Wanted]: number | undefined }): Wanted {
  const entries = Object.entries(errors).filter(([, value]) => value !== undefined);
  const bad = entries.filter(([, value]) => !(typeof value === 'number' && value > 0 && value < 1));
  if (bad.length === 0) return Object.fromEntries(entries);
  const message = bad.map(([name, value]) => `\`${name}\` must be between 0 and 1, got ${String(value)}.`).join(' ');
  throw new PasskError('USAGE', message, { hint: 'Give the highest chance of that error, such as 0.05.' });
}
