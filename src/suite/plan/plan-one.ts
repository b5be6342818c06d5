import path from 'node:path';
import { PasskError } from '../../errors.ts';
import type { MadeScenario } from '../../scenario/objects/define-agent-scenario.ts';
import type { SuiteKind } from '../../suites/suite-kind.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { HasFilePlaces } from '../../types/check-places.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { Sampler, Scenario } from '../../types/scenario.ts';
import type { ProcessCode } from '../../types/scenarios/process-code.ts';
import { isOneOfSeveral } from '../../types/subjects.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { withBaselines } from '../contract-baselines.ts';
import { holdsScenarios } from '../holds-scenarios.ts';
import { loadFor, type SuiteInput } from '../load-suite.ts';
import { requireLoaded } from '../require-loaded.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import { planRun } from './plan.ts';

export interface PlannedOne extends Omit<RunPlan, 'scenarios'>, HasFilePlaces {
  /** As the file says, the sampler included. */
  readonly scenario: Scenario;
  readonly planned: ScenarioPlan;
  readonly options: ResolvedRunOptions;
  /** Code of this process that it has. */
  readonly processCode: ProcessCode;
}

export interface PlanOneOptions {
  /** Wins over the file's own. */
  readonly sampler?: Sampler;
  /** Which part of a contract. */
  readonly part?: string;
  /** True: nothing is asked or done, whatever the file says. */
  readonly dryRun?: boolean;
}

/** The plan of one scenario, a file or made in memory, or of one part of a contract file. Rejects as `runSuite` does. */
export async function planOne(
  what: string | MadeScenario,
  runOptions: RunSuiteOptions,
  { sampler, part, dryRun = false }: PlanOneOptions = {},
): Promise<PlannedOne> {
  const file = typeof what === 'string' ? what : MEMORY;
  const chosen = chosenBy(what, runOptions);
  const options = resolveRunOptions({ ...runOptions, ...chosen });
  const input = await loadFor(options, { isDryRun: dryRun });
  requireLoaded(input, { keepGoing: false });
  const scenario = onlyScenario(file, input, { sampler, part });
  const sampled = sampler === undefined ? scenario : { ...scenario, sampler };
  const { definitions } = input.suite;
  const planOfOne = await withBaselines(planRun({ ...input, scenarios: [sampled], definitions }, options), options);
  const { scenarios, ...plan } = planOfOne;
  const [planned] = scenarios;
  if (planned === undefined) throw new PasskError('INTERNAL', 'The scenario was not planned.');
  const { processCode, filePlaces } = input;
  return { ...plan, scenario, planned, options, processCode, filePlaces };
}

function chosenBy(
  what: string | MadeScenario,
  { cwd = '.' }: Pick<RunSuiteOptions, 'cwd'>,
): Pick<RunSuiteOptions, 'paths' | 'scenarios' | 'recordings'> {
  if (typeof what !== 'string') return { paths: [], scenarios: [what] };
  return holdsScenarios(path.resolve(cwd, what)) ? { paths: [what] } : { paths: [], recordings: [what] };
}

function onlyScenario(
  file: string,
  { suite: { scenarios }, kinds }: SuiteInput,
  { sampler, part }: { readonly sampler: Sampler | undefined; readonly part: string | undefined },
): Scenario {
  const parts = scenarios.filter((scenario) => scenario.part !== undefined || isOneOfSeveral(scenario));
  const [first] = parts;
  if (first !== undefined && first.case === undefined && sampler === 'exhaustive') {
    throw new PasskError('USAGE', `${file} is ${calledOf(first, kinds)}, whose answers are not enumerated.`, {
      hint: 'passk trace shows a trial of one of its parts.',
    });
  }
  const [scenario, ...others] = scenarios;
  if (part !== undefined) {
    const isAlone =
      scenario !== undefined && others.length === 0 && [scenario.name, shownName(scenario.name)].includes(part);
    return isAlone ? scenario : onlyPart(file, parts, part);
  }
  if (scenario !== undefined && others.length === 0) return scenario;
  if (first === undefined) {
    throw new PasskError('USAGE', `${file} is not one scenario file.`, { hint: 'Name a single .toml file.' });
  }
  const what = first.case === undefined ? 'parts' : 'cases';
  throw new PasskError('USAGE', `${file} is ${calledOf(first, kinds)} of ${parts.length} ${what}.`, {
    hint: `Name one with --part: ${named(parts)}.`,
  });
}

/** What a file is called that is run as several scenarios. */
function calledOf({ case: row, part, subject }: Scenario, kinds: readonly SuiteKind[]): string {
  if (row !== undefined) return 'a scenario file';
  // Kinds whose scenarios stand for themselves are called as what is tried in them.
  return kinds.find(({ type }) => type === (part?.kind ?? subject.kind))?.file ?? 'a file';
}

/** By its name, or by its name as reports show it, which the commands in them have. */
function onlyPart(file: string, parts: readonly Scenario[], wanted: string): Scenario {
  const exact = partsCalled(wanted, parts, (name) => name);
  const found = exact.length > 0 ? exact : partsCalled(wanted, parts, shownName);
  const [one, ...others] = found;
  if (one !== undefined && others.length === 0) return one;
  const what = found.length > 1 ? 'is the name of more than one part' : 'is no part';
  throw new PasskError('USAGE', `"${wanted}" ${what} of ${file}.`, {
    hint:
      parts.length === 0
        ? 'It has no parts: leave out --part.'
        : `Its parts: ${named(found.length > 1 ? found : parts)}.`,
  });
}

/** By the whole name, or by what stands behind the name of the contract, or of the file with cases. */
function partsCalled(wanted: string, parts: readonly Scenario[], as: (name: string) => string): readonly Scenario[] {
  return parts.filter(
    ({ name, part, case: row = name }) =>
      as(name) === wanted || as(row) === wanted || as(name) === `${as(`${part?.of}`)}: ${wanted}`,
  );
}

function shownName(name: string): string {
  return visibleText(name, { longest: Number.POSITIVE_INFINITY });
}

const MOST_NAMED = 8;

function named(parts: readonly Scenario[]): string {
  const names = parts.slice(0, MOST_NAMED).map(({ name }) => `"${name}"`);
  return parts.length > MOST_NAMED ? `${names.join(', ')} and ${parts.length - MOST_NAMED} more` : names.join(', ');
}
