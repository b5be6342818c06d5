import { CELL_NAMES, type CellNames, type GateScope } from '../types/reports/gate.ts';

/** True: the gate has one answer over several scenarios or cells. */
export function asksWhole({ kind }: GateScope): boolean {
  return kind === 'suite' || kind === 'cells' || kind === 'partition';
}

/** True: the cell has all of these names. */
export function isCellOf(cell: CellNames, names: CellNames): boolean {
  return CELL_NAMES.every((by) => names[by] === undefined || names[by] === cell[by]);
}

/** Cells of these names, such as `test system-role of model openai/gpt-4o`. */
export function cellsText({ plugin, model, test }: CellNames): string {
  const parts = [
    ...(test === undefined ? [] : [`test ${test}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(plugin === undefined ? [] : [`plug-in ${plugin}`]),
  ];
  return parts.join(' of ');
}

/** Who answers a gate that has one answer over several scenarios or cells. */
export function scopeText(scope: GateScope): string {
  if (scope.kind === 'cells') return cellsText(scope.names);
  return scope.kind === 'partition' ? `suite ${scope.name}` : 'the suite';
}
