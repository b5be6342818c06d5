import { CELL_NAMES, type CellName, type CellNames, type Gate, type GateProblem } from '../types/reports/gate.ts';
import { cellsText, isCellOf } from './gate-scope.ts';

/** What a run has that gates may name. */
export interface GateTargets {
  /** Scenarios and cells. */
  readonly scenarios: readonly string[];
  readonly cells: readonly CellNames[];
}

/** Why the gate cannot be asked of this run; null when it can. Call it before a run, not after. */
export function checkGate({ scope, text }: Gate, { scenarios, cells }: GateTargets): GateProblem | null {
  if (scope.kind === 'scenario') {
    if (scenarios.includes(scope.name)) return null;
    return {
      code: 'unknown_scenario',
      message: `There is no scenario "${scope.name}" in this run.`,
      ...placeOf(text, 'scenario'),
      word: scope.name,
      candidates: scenarios,
    };
  }
  if (scope.kind !== 'cells' || cells.some((cell) => isCellOf(cell, scope.names))) return null;
  for (const by of CELL_NAMES) {
    const name = scope.names[by];
    const names = namesBy(cells, by);
    if (name === undefined || names.includes(name)) continue;
    const message = `There is no ${by} "${name}" in this run.`;
    return { code: 'unknown_cell', message, ...placeOf(text, by), word: name, candidates: names };
  }
  const message = `This run has no ${cellsText(scope.names)}.`;
  return { code: 'unknown_cell', message, column: 1, endColumn: text.lastIndexOf(').') + 1, word: '', candidates: [] };
}

function namesBy(cells: readonly CellNames[], by: CellName): readonly string[] {
  return [...new Set(cells.flatMap((cell) => cell[by] ?? []))];
}

/** Of the name behind a word; the last scope of a gate ends with the last `).`. */
function placeOf(text: string, word: string): Pick<GateProblem, 'column' | 'endColumn'> {
  const start = text.indexOf(`${word}(`) + word.length;
  const next = CELL_NAMES.flatMap((other) => {
    const at = text.indexOf(`).${other}(`, start);
    return at < 0 ? [] : [at];
  });
  const end = Math.min(...next, text.lastIndexOf(').'));
  return { column: start + 2, endColumn: end + 1 };
}
