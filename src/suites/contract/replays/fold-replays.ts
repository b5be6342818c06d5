import type { Contract } from '../../../types/contract.ts';
import type { ContractCell, ContractReport } from '../../../types/reports/contract-report.ts';
import type { Severity } from '../../../types/invariant.ts';
import type { SessionReplay } from '../../../types/replays/replayed-session.ts';

interface JudgedCell {
  readonly severity: Severity;
  readonly cell: ContractCell;
}

/** What became of each session that was run; null: the contract is held to none. */
export function foldReplays(
  { sessions, matrix }: Contract,
  cells: readonly JudgedCell[],
  columns: readonly string[],
): readonly SessionReplay[] | null {
  if (sessions === undefined) return null;
  return sessions
    .filter((_, at) => columns.includes(matrix[at]?.name ?? ''))
    .map(({ id, name, source, expectedFailure }) => {
      const state = stateOf(cells.filter(({ cell }) => cell.column === id));
      return { id, name, source, expectedFailure, state };
    });
}

function stateOf(cells: readonly JudgedCell[]): SessionReplay['state'] {
  const has = (state: ContractCell['state'], severity?: Severity): boolean =>
    cells.some((one) => one.cell.state === state && (severity === undefined || one.severity === severity));
  if (has('failed')) return 'failed';
  return has('broken') || has('inconclusive', 'critical') || !has('passed') ? 'undecided' : 'passed';
}

/** 100 × passed sessions / passed and failed ones; null: none was decided. */
export function replayScore(sessions: readonly SessionReplay[]): number | null {
  const passed = sessions.filter(({ state }) => state === 'passed').length;
  const decided = sessions.filter(({ state }) => state !== 'undecided').length;
  return decided === 0 ? null : (100 * passed) / decided;
}

/** Sessions that reasons name. */
const MOST_NAMED = 5;

/** A session that fails fails all, whatever its rules weigh: what went wrong once goes wrong again. */
export function replayVerdict(sessions: readonly SessionReplay[]): Pick<ContractReport, 'verdict' | 'reasons'> {
  const failed = sessions.filter(({ state }) => state === 'failed');
  const open = sessions.filter(({ state }) => state === 'undecided');
  const of = (list: readonly SessionReplay[], what: string): string =>
    `${list.length} of ${sessions.length} recorded ${sessions.length === 1 ? 'session' : 'sessions'} ${what}: ${named(list)}.`;
  const reasons = [
    ...(failed.length > 0 ? [of(failed, 'failed')] : []),
    ...(open.length > 0 ? [of(open, 'proved nothing')] : []),
    ...(sessions.length === 0 ? ['No session was run.'] : []),
  ];
  if (failed.length > 0) return { verdict: 'failed', reasons };
  return { verdict: reasons.length === 0 ? 'passed' : 'insufficient', reasons };
}

function named(sessions: readonly SessionReplay[]): string {
  const texts = sessions
    .slice(0, MOST_NAMED)
    .map(({ id, expectedFailure }) => (expectedFailure === null ? id : `${id} (recorded because: ${expectedFailure})`));
  return [...texts, ...(sessions.length > MOST_NAMED ? ['…'] : [])].join(', ');
}
