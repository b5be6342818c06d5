import type { ContractCell, ContractExample, ContractReport } from '../types/contract-report.ts';
import type { Placing } from './result-kinds.ts';

/** The contract with its file, and the commands of its cells, as a reader would type them. */
export function placeContract(contract: ContractReport, { file, command }: Placing): ContractReport {
  const placed = <T extends ContractExample>(one: T): T => ({ ...one, replay: command(one.replay, contract.file) });
  const placeCell = (cell: ContractCell): ContractCell => ({
    ...cell,
    evidence: cell.evidence === null ? null : placed(cell.evidence),
    ...(cell.example !== undefined && { example: placed(cell.example) }),
  });
  return { ...contract, file: file(contract.file), cells: contract.cells.map(placeCell) };
}
