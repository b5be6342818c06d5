import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { mixesUsers, userOf } from '../../types/sessions/mixes-users.ts';
import { groupBy } from '../../values/group-by.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import type { FigureRow, Panel } from './panel.ts';
import { RUNS_IN_A_ROW } from './runs-in-a-row.ts';

type OfPersona = SampledScenario & { readonly axes: NonNullable<SampledScenario['axes']> };

/** The scenarios of a report that stand on axes of a pool of personas. */
export function scenariosOfPersonas(scenarios: readonly ScenarioReport[]): readonly OfPersona[] {
  return scenarios.filter((one): one is OfPersona => isSampled(one) && one.axes !== undefined);
}

/** How reliable the subject is with each persona, and over all. There must be at least one. */
export function personaPanel(scenarios: readonly OfPersona[]): Panel {
  const k = scenarios.reduce((least, { passHatK }) => Math.min(least, passHatK.at(-1)?.k ?? 1), RUNS_IN_A_ROW);
  // Users that follow scripts and users that a model plays are never in one pass^k.
  const isMixed = mixesUsers(scenarios);
  const kinds = isMixed ? (['script', 'model'] as const) : [null];
  const rows = kinds.flatMap((kind) => {
    const members = scenarios.filter((one) => kind === null || userOf(one) === kind);
    const axes = [...new Set(members.flatMap((one) => one.axes.map(({ axis }) => axis)))];
    const found = [rowOf(['all', 'personas'], members, k), ...axes.flatMap((axis) => rowsOf(axis, members, k))];
    return kind === null ? found : found.map((row) => ofKind(row, kind));
  });
  return {
    title: 'Personas',
    isTitled: true,
    mark: null,
    headline: [`${plural(scenarios.length, 'scenario')} with personas`, 'means over scenarios'],
    isTelling: true,
    isTrouble: false,
    blocks: [
      {
        type: 'figures',
        corners: ['axis', 'value'],
        headers: ['scenarios', 'pass rate', `pass^${k}`],
        rows,
      },
    ],
  };
}

function ofKind({ names, parts, ...row }: FigureRow, kind: 'script' | 'model'): FigureRow {
  const name = `${names[1]} (${kind})`;
  return { ...row, names: [names[0], name], parts: [name, ...parts.slice(1)] };
}

/** A row for each value of an axis, the weakest first. */
function rowsOf(axis: string, scenarios: readonly OfPersona[], k: number): readonly FigureRow[] {
  const valueIn = ({ axes }: OfPersona): string | undefined => axes.find((one) => one.axis === axis)?.value;
  const groups = groupBy(
    scenarios.filter((one) => valueIn(one) !== undefined),
    (one) => valueIn(one) ?? '',
  );
  return [...groups]
    .sort(([, a], [, b]) => meanRate(a) - meanRate(b))
    .map(([value, members]) => rowOf([axis, value], members, k));
}

function rowOf(names: FigureRow['names'], members: readonly OfPersona[], k: number): FigureRow {
  const rate = formatRate(meanRate(members));
  const inARow = formatRate(mean(members.map(({ passHatK }) => passHatK.find((one) => one.k === k)?.value ?? 0)));
  return {
    names,
    cells: [formatCount(members.length), rate, inARow],
    parts: [names[1], `pass rate ${rate}`, `pass^${k} ${inARow}`],
  };
}

function meanRate(members: readonly OfPersona[]): number {
  return mean(members.map(({ passRate }) => passRate));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
