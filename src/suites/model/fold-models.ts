import type { Capability } from '../../types/model-test.ts';
import { CAPABILITIES } from '../../types/model-test.ts';
import type {
  ModelCell,
  ModelCellState,
  ModelColumn,
  ModelParity,
  ModelReport,
  ModelSuite,
  SpecModel,
} from '../../types/model-suite.ts';
import {
  failuresOf,
  isSampled,
  type SampledScenario,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import type { TrialCounts } from '../../types/reports/suite-summary.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { shortenSaid } from '../../text/shorten-said.ts';
import { textOf } from '../../values/message-text.ts';
import type { PartResult } from '../suite-kind.ts';
import { firstNames } from '../../text/first-names.ts';

/** What the models of a spec file gave, from the results of their tests. Pure, and the same for any order of parts. */
export function foldModels(suite: ModelSuite, parts: readonly PartResult[]): ModelReport {
  const { name, file, plugin, runtime, runner, models, missingEnv } = suite;
  const byCell = new Map<string, PartResult>();
  for (const part of parts) {
    const of = part.plan.scenario.part;
    if (of?.kind === 'model' && of.of === name) byCell.set(keyOf(of.model, of.test), part);
  }
  const isSkipped = missingEnv.length > 0;
  const cells = models.flatMap((model) =>
    model.tests.flatMap(({ id, at }) => {
      const part = byCell.get(keyOf(model.name, id));
      if (part !== undefined) return [cellOf({ model: model.name, test: id, at }, part, suite)];
      // What the run's filters left out has no cell.
      return isSkipped ? [skipped({ model: model.name, test: id, at })] : [];
    }),
  );
  const shown = new Set(cells.map(({ model }) => model));
  const tests = new Set(cells.map(({ test }) => test));
  return {
    kind: 'model',
    name,
    file,
    description: null,
    ...verdictOf(cells, suite),
    plugin,
    runtime,
    runner,
    models: models.map((model) => model.name).filter((model) => shown.has(model)),
    tests: columnsOf(models).filter(({ id }) => tests.has(id)),
    cells,
    missingEnv,
  };
}

function keyOf(model: string, test: string): string {
  return JSON.stringify([model, test]);
}

/** Built-in tests in their own order, then the others as the file has them. */
function columnsOf(models: readonly SpecModel[]): readonly ModelColumn[] {
  const columns = new Map<string, ModelColumn>();
  for (const { tests } of models) {
    for (const { id, name, capability } of tests) if (!columns.has(id)) columns.set(id, { id, name, capability });
  }
  const rank = (capability: Capability | null): number =>
    capability === null ? CAPABILITIES.length : CAPABILITIES.indexOf(capability);
  return [...columns.values()].sort((a, b) => rank(a.capability) - rank(b.capability));
}

const NO_TRIALS: TrialCounts = { requested: 0, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 };

const NOTHING_MEASURED = {
  passRate: null,
  passRateInterval: null,
  passHatK: [],
  retries: 0,
  tokens: 0,
  tokensPerSuccess: null,
} as const;

function measured({
  passRate,
  passRateInterval,
  passHatK,
  cost,
}: SampledScenario): Pick<ModelCell, keyof typeof NOTHING_MEASURED | 'untold'> {
  const { retries, llmTokens } = cost.total;
  const tokens = llmTokens ?? 0;
  const tokensPerSuccess = tokens === 0 ? null : cost.perSuccess;
  const untold = llmTokens === null && { untold: true as const };
  return { passRate, passRateInterval, passHatK, retries: retries ?? 0, tokens, ...untold, tokensPerSuccess };
}

type CellName = Pick<ModelCell, 'model' | 'test' | 'at'>;

function skipped(cell: CellName): ModelCell {
  return {
    ...cell,
    state: 'skipped',
    trials: NO_TRIALS,
    ...NOTHING_MEASURED,
    message: null,
    answer: null,
    log: null,
    replay: null,
  };
}

function cellOf(cell: CellName, { plan, report, replay }: PartResult, suite: ModelSuite): ModelCell {
  const { name } = plan.scenario;
  const [lowest] = failuresOf(report);
  const { trials } = report;
  return {
    ...cell,
    state: stateOf(report),
    ...(suite.expectedFailures.includes(name) && { expectedToFail: true as const }),
    trials,
    ...(isSampled(report) ? measured(report) : NOTHING_MEASURED),
    ...(lowest !== undefined && { trial: lowest.trial }),
    message: lowest === undefined ? cutText(report) : shortenSaid(messageOf(lowest)),
    answer: lowest === undefined ? null : answerOf(lowest),
    log: logOf(lowest),
    replay: lowest === undefined ? null : replay(lowest.trial),
  };
}

/** By its bar. What does not clear it is called by what went wrong in most of its trials. */
function stateOf(report: ScenarioReport): ModelCellState {
  if (!isSampled(report) || report.verdict === 'insufficient') return 'skipped';
  const { trials, statuses, cost, verdict } = report;
  if (trials.broken === 0 && verdict === 'passed') return (cost.total.retries ?? 0) > 0 ? 'flaky' : 'passed';
  const answered = trials.failed - statuses.errored - statuses.timed_out;
  const worst = Math.max(answered, statuses.timed_out, statuses.errored + trials.broken);
  if (worst === statuses.errored + trials.broken) return 'error';
  return worst === statuses.timed_out ? 'timed_out' : 'failed';
}

/** Null: all of its trials ran. */
function cutText({ trials: { requested, passed, failed, broken } }: ScenarioReport): string | null {
  const missing = requested - passed - failed - broken;
  return missing <= 0 ? null : `${formatCount(missing)} of ${plural(requested, 'trial')} did not run.`;
}

function messageOf({ brokenBy, findings }: FailureReport): string {
  return brokenBy ?? (findings.map(({ message }) => message).join(' ') || 'It failed.');
}

/** What the model said last, where the trial's record is kept. */
function answerOf({ record }: FailureReport): string | null {
  const last = record?.turns.findLast(({ answer }) => answer !== null);
  const text = last === undefined ? '' : textOf(last.parts);
  return text === '' ? null : shortenSaid(text);
}

function logOf(failure: FailureReport | undefined): string | null {
  const log = failure?.record?.model?.log ?? null;
  return log === null ? null : shortenSaid(log);
}

/** A cell that is not passed fails the suite, a flaky one where the user says so; without a cell nothing is told. */
function verdictOf(
  cells: readonly ModelCell[],
  { missingEnv, failsOnFlaky }: ModelSuite,
): Pick<ModelReport, 'verdict' | 'reasons'> {
  if (missingEnv.length > 0) {
    const [one] = missingEnv;
    const names = missingEnv.length === 1 ? `The variable ${one} is` : `The variables ${missingEnv.join(', ')} are`;
    return { verdict: 'skipped', reasons: [`${names} not set.`] };
  }
  if (cells.length === 0) return { verdict: 'insufficient', reasons: ['No test was run.'] };
  const inState = (...states: readonly ModelCellState[]): readonly ModelCell[] =>
    cells.filter(({ state }) => states.includes(state));
  const failed = inState('failed', 'error', 'timed_out').filter((cell) => cell.expectedToFail !== true);
  const mended = inState('passed', 'flaky').filter((cell) => cell.expectedToFail === true);
  const flaky = failsOnFlaky ? inState('flaky').filter((cell) => cell.expectedToFail !== true) : [];
  const isCut = ({ trials }: ModelCell): boolean => trials.passed + trials.failed + trials.broken > 0;
  const skipped = inState('skipped').filter((cell) => !isCut(cell));
  const cut = inState('skipped').filter(isCut);
  const isBroken = failed.length > 0 && failed.every(({ trials }) => trials.failed === 0 && trials.broken > 0);
  const reasons = [
    ...(failed.length > 0 ? [naming(failed, isBroken ? 'could not be run' : 'did not pass')] : []),
    ...(flaky.length > 0 ? [naming(flaky, 'passed only after a retry')] : []),
    ...(mended.length > 0 ? [naming(mended, 'passed though expected to fail')] : []),
    ...(skipped.length > 0 ? [naming(skipped, skipped.length === 1 ? 'was not run' : 'were not run')] : []),
    ...(cut.length > 0 ? [naming(cut, 'did not run all trials, which could decide')] : []),
  ];
  if (reasons.length === 0) return { verdict: 'passed', reasons: [] };
  // A runner that does not start says nothing about its models.
  const isOpen = (failed.length === 0 || isBroken) && flaky.length === 0 && mended.length === 0;
  return { verdict: isOpen ? 'insufficient' : 'failed', reasons };
}

/** Each suite beside the first one of its file that another runtime gave. */
export function withParity(results: readonly ModelReport[]): readonly ModelReport[] {
  const firsts = new Map<string, ModelReport>();
  return results.map((result) => {
    const first = firsts.get(result.file);
    if (first === undefined) firsts.set(result.file, result);
    return first === undefined ? result : { ...result, parity: parityOf(result, first) };
  });
}

function parityOf({ cells }: ModelReport, { runtime, cells: others }: ModelReport): ModelParity {
  const states = new Map(others.map((cell) => [keyOf(cell.model, cell.test), cell.state]));
  const both = cells.flatMap(({ model, test, state }) => {
    const first = states.get(keyOf(model, test));
    const isAsked = first !== undefined && first !== 'skipped' && state !== 'skipped';
    return isAsked ? [{ model, test, state, first }] : [];
  });
  return { runtime, compared: both.length, differences: both.filter(({ state, first }) => state !== first) };
}

/** More cells than this are counted instead of named. */
const MOST_NAMED = 6;

function naming(cells: readonly ModelCell[], what: string): string {
  const [first] = cells;
  // A model that all of them are of is named once.
  const only = first !== undefined && cells.every(({ model }) => model === first.model) ? ` of ${first.model}` : '';
  const names = cells.map(({ model, test }) => (only === '' ? `${test} of ${model}` : test));
  const listed = `${firstNames(names, MOST_NAMED)}${only}`;
  return `${cells.length} test${cells.length === 1 ? '' : 's'} ${what}: ${listed}.`;
}
