import { invariantTypeOf } from '../../checks/invariants/builtin.ts';
import { kindsSpokenOf } from '../../checks/invariants/when-kinds.ts';
import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import { meetsBar } from '../../gate/meets-bar.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { KIND_BITS } from '../../types/chaos.ts';
import type { ChaosScenario } from '../../types/contract.ts';
import type { ContractCell } from '../../types/reports/contract-report.ts';
import type { Invariant } from '../../types/invariant.ts';
import { judgeOfRule } from '../../types/judges/named-judges.ts';
import type { FaultCount } from '../../types/scenarios/failure-report.ts';
import { cellEvidence, cellExample } from './cell-evidence.ts';
import { shareText, silentText, unknownText, unreadText } from './cell-texts.ts';
import { type CellCounts, countCell } from './count-cell.ts';
import { judgedCell } from './judged-cell.ts';
import { type ContractPartResult, firedIn } from './part-result.ts';

export interface FoldCellInput {
  readonly invariant: Invariant;
  readonly column: ChaosScenario;
  /** True: what tools of the subject answer can be changed. */
  readonly seesCalls: boolean;
  /** Share of trials that must obey. */
  readonly minPassRate: number;
  /** Those that judged this invariant in this column, in the order of prompts; at least one. */
  readonly parts: readonly ContractPartResult[];
}

/**
 * One cell that applies, from the trials of all its prompts. Enough judged trials must obey, and of those that a fault
 * struck enough must, too: a fault that strikes rarely must not be outvoted by the trials that it leaves alone.
 */
export function foldCell(input: FoldCellInput): ContractCell {
  const { invariant, column, minPassRate, parts } = input;
  const counts = countCell(parts, invariant.id);
  const { judged, obeyed, struck, obeyedStruck } = counts;
  const evidence = obeyed < judged ? cellEvidence(parts, invariant.id) : null;
  const [shown, trials] = struck > 0 ? [obeyedStruck, struck] : [obeyed, judged];
  const cell = (state: ContractCell['state'], why: string | null): ContractCell => ({
    invariant: invariant.id,
    column: column.name,
    state,
    judged,
    obeyed,
    ...(hasChaos(column) ? { struck, obeyedStruck } : { struck: null, obeyedStruck: null }),
    interval: trials < 2 ? null : wilsonInterval(trials, shown),
    why,
    evidence,
  });
  const { rule } = invariant;
  const judge = judgeOfRule(rule);
  if (judge !== null) {
    const open = whyOpen(input, counts);
    const { state, why, ...found } = judgedCell({ judge, minPassRate, parts, counts, open });
    return { ...cell(state, why), ...found };
  }
  const share = shareText({ counts, minPassRate, evidence });
  if (!clears(counts, minPassRate, counts.unknown + counts.undecided)) return cell('failed', share);
  if (counts.unknown > 0 && !clears(counts, minPassRate, 0)) return cell('broken', unknownText(parts, counts));
  const open = whyOpen(input, counts);
  if (open !== null) return cell('inconclusive', open);
  if (obeyed < judged) return cell('passed', share);
  const isSure = counts.undecided + counts.unknown + counts.unasked === 0;
  const example = isSure ? cellExample(parts, invariant.id, { struck: struck > 0 }) : null;
  return { ...cell('passed', null), ...(example !== null && { example }) };
}

/** Whether the cell passes when so many trials of which nothing is known are taken for obeying ones. */
function clears(counts: CellCounts, minPassRate: number, assumed: number): boolean {
  const { judged, obeyed, struck, obeyedStruck, undecided, unknown } = counts;
  // A bar of 1 is told apart from a share that is next to 1.
  const bar = minPassRate === 1 ? null : minPassRate;
  const all = judged + undecided + unknown;
  if (all > 0 && !meetsBar(obeyed + assumed, all, bar)) return false;
  return struck === 0 || meetsBar(obeyedStruck + assumed, struck + undecided + unknown, bar);
}

/** Why a cell in which enough trials obeyed proves nothing; null: it proves something. */
function whyOpen(
  { invariant, column, minPassRate, parts, seesCalls }: FoldCellInput,
  counts: CellCounts,
): string | null {
  const { judged, struck, undecided } = counts;
  if (undecided > 0 && !clears(counts, minPassRate, 0)) {
    return `nobody can tell in ${trialsText(undecided, undecided + judged)}, because ${invariantTypeOf(invariant.rule)?.undecided ?? 'what it looks at was not seen'}`;
  }
  if (!seesCalls && (column.recorded?.length ?? 0) > 0) return UNSERVED;
  if (!hasChaos(column)) return null;
  const faults = concerning(invariant, firedIn(parts));
  if (struck === 0 && counts.unasked > 0) return UNASKED;
  const silent = faults.filter(({ fired }) => fired === 0);
  // Whoever is told at the first failure that something is wrong need not go on.
  const isShown = column.inForce === true || (column.recorded !== undefined && struck > 0);
  if (silent.length > 0 && !isShown) return silentText(silent, column, counts.trials);
  if (struck > 0) return null;
  const unread = faults.filter((fault) => fault.unread === true);
  if (unread.length > 0) return unreadText(unread);
  return 'no trial was struck';
}

const UNSERVED =
  'what was recorded reaches no tool of the agent: its calls are out of sight; send them through the proxy (proxy_port)';
const UNASKED =
  'faults struck at the boundary, before the agent was asked, so no struck answer is its own; send its calls through the proxy (proxy_port)';

/** Declared faults that a rule speaks about: all, where it speaks about none. */
function concerning({ when }: Invariant, faults: readonly FaultCount[]): readonly FaultCount[] {
  const kinds = kindsSpokenOf(when);
  return faults.filter(({ kind }) => kinds === 0 || (KIND_BITS[kind] & kinds) !== 0);
}

function trialsText(count: number, all: number): string {
  return count === all ? (all === 1 ? 'its trial' : `any of ${all} trials`) : `${count} of ${all} trials`;
}
