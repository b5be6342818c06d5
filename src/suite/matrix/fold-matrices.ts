import { stratifiedDifference } from '../../stats/stratified-difference.ts';
import type { MatrixCell, MatrixChange, MatrixReport, MatrixRow, MatrixValue } from '../../types/matrix/matrix.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { groupBy } from '../../values/group-by.ts';

type InMatrix = Exclude<ScenarioReport, { readonly verdict: 'load_error' }> & { readonly matrix: MatrixCell };

/** A scenario whose trials ran. */
type Tried = SampledScenario & { readonly matrix: MatrixCell };

/** The matrices of a run, in the order of their first scenarios. */
export function foldMatrices(scenarios: readonly ScenarioReport[]): readonly MatrixReport[] {
  const standing = scenarios.filter((one): one is InMatrix => one.verdict !== 'load_error' && one.matrix !== undefined);
  return [...groupBy(standing, ({ file, matrix }) => JSON.stringify([file, matrix.of])).values()].flatMap(
    (own): readonly MatrixReport[] => {
      const [first] = own;
      return first === undefined ? [] : [foldMatrix(first, own)];
    },
  );
}

function foldMatrix({ file, matrix }: InMatrix, scenarios: readonly InMatrix[]): MatrixReport {
  const tried = scenarios.filter((one): one is Tried & InMatrix => isSampled(one) && one.trials.executed > 0);
  const axes = matrix.values.map(({ axis }) => axis);
  const values = axes.flatMap((axis) => {
    const only = ({ values: all }: MatrixCell): readonly MatrixValue[] => all.filter((one) => one.axis === axis);
    return rowsBy(only, { scenarios, tried });
  });
  const cells = axes.length === 1 ? [] : rowsBy((cell) => cell.values, { scenarios, tried });
  return { matrix: matrix.of, file, cases: new Set(scenarios.map((one) => one.matrix.case)).size, values, cells };
}

/** A row for each of the values that cells are told apart by, in the order of the file. */
function rowsBy(
  valuesIn: (cell: MatrixCell) => readonly MatrixValue[],
  { scenarios, tried }: { readonly scenarios: readonly InMatrix[]; readonly tried: readonly Tried[] },
): readonly MatrixRow[] {
  const keyOf = (cell: MatrixCell): string => JSON.stringify(valuesIn(cell));
  const groups = groupBy(tried, (one) => keyOf(one.matrix));
  const rows = new Map(scenarios.map(({ matrix }) => [keyOf(matrix), valuesIn(matrix)]));
  const [firstKey] = rows.keys();
  const first = groups.get(firstKey ?? '') ?? [];
  return [...rows].map(([key, values]): MatrixRow => {
    const own = groups.get(key) ?? [];
    return {
      values,
      scenarios: own.length,
      trials: own.reduce((sum, { trials }) => sum + trials.executed, 0),
      passRate: meanOf(own.map(({ passRate }) => passRate)),
      tokens: meanOf(own.map(({ cost }) => cost.mean.llmTokens)),
      change: key === firstKey ? null : changeFrom(first, own, values),
    };
  });
}

/** Scenarios are paired that differ in these values alone: two runs of the same task, each with draws of its own. */
function changeFrom(
  before: readonly Tried[],
  after: readonly Tried[],
  values: readonly MatrixValue[],
): MatrixChange | null {
  const axes = new Set(values.map(({ axis }) => axis));
  const restOf = ({ matrix }: Tried): string =>
    JSON.stringify([matrix.case ?? null, matrix.values.filter(({ axis }) => !axes.has(axis))]);
  const partners = new Map(before.map((one) => [restOf(one), one]));
  const strata = after.flatMap((one) => {
    const partner = partners.get(restOf(one));
    return partner === undefined ? [] : [{ kind: 'runs', before: runOf(partner), after: runOf(one) } as const];
  });
  const change = stratifiedDifference(strata);
  return change === null ? null : { mean: change.mean, interval: change.interval, pairs: strata.length };
}

function runOf({ trials }: Tried): { readonly passed: number; readonly trials: number } {
  return { passed: trials.passed, trials: trials.executed };
}

/** Null: there is nothing, or not of all. */
function meanOf(values: readonly (number | null)[]): number | null {
  const all = values.filter((value) => value !== null);
  return all.length === 0 || all.length < values.length
    ? null
    : all.reduce((sum, value) => sum + value, 0) / all.length;
}
