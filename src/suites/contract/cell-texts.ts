import { formatCount, plural } from '../../text/format-number.ts';
import { formatBar } from '../../text/format-rate.ts';
import type { ChaosScenario } from '../../types/contract.ts';
import type { ContractEvidence } from '../../types/reports/contract-report.ts';
import type { FaultCount } from '../../types/scenarios/failure-report.ts';
import type { CellCounts } from './count-cell.ts';
import type { ContractPartResult } from './part-result.ts';

interface Share {
  readonly counts: CellCounts;
  readonly minPassRate: number;
  readonly evidence: ContractEvidence | null;
}

/** How many trials obeyed, of the struck ones first, and the bar; of a single trial, what was wrong with it. */
export function shareText({ counts, minPassRate, evidence }: Share): string {
  const { judged, obeyed, struck, obeyedStruck } = counts;
  if (judged === 1 && evidence !== null) return evidence.message;
  const bar = minPassRate === 1 ? '' : `; its bar is ${formatBar(minPassRate)}`;
  const all = `${formatCount(obeyed)} of ${plural(judged, 'trial')} obeyed`;
  if (struck === 0) return `${all}${bar}`;
  const ofStruck = `${formatCount(obeyedStruck)} of ${plural(struck, 'struck trial')} obeyed`;
  return `${ofStruck}${struck === judged ? '' : `, ${formatCount(obeyed)} of ${formatCount(judged)} in all`}${bar}`;
}

/** Which declared faults never fired, and what would make them. */
export function silentText(silent: readonly FaultCount[], column: ChaosScenario, trials: number): string {
  const named = `never fired: ${silent.map(({ fault }) => fault).join(', ')}`;
  const chances = [...column.toolFaults, ...column.llmFaults, ...column.contextAttacks].flatMap(
    ({ probability }) => probability ?? [],
  );
  const rarest = chances.filter((chance) => chance > 0 && chance < 1).reduce((a, b) => Math.min(a, b), 1);
  if (rarest === 1) return named;
  const wanted = Math.ceil(Math.log(0.05) / Math.log(1 - rarest));
  return trials >= wanted ? named : `${named}; with a probability of ${rarest} it takes about --trials ${wanted}`;
}

/** Why attacks that fired prove nothing. */
export function unreadText(unread: readonly FaultCount[]): string {
  const named = unread.map(({ fault }) => fault).join(', ');
  return `nothing reads what ${named} puts in: the model answers from written turns; ask a real one with --live`;
}

/** Why too few trials could be judged. */
export function unknownText(parts: readonly ContractPartResult[], { broken, missing }: CellCounts): string {
  const texts: string[] = [];
  if (broken > 0) {
    const cause = parts.flatMap(({ report }) => report.failures).find((failure) => failure.brokenBy !== null)?.brokenBy;
    const reason = cause == null ? '' : ` (${cause.replace(/\.$/, '')})`;
    texts.push(`${broken === 1 ? '1 trial is' : `${formatCount(broken)} trials are`} broken${reason}`);
  }
  if (missing > 0) texts.push(`${plural(missing, 'trial')} did not run`);
  return texts.join(' and ');
}
