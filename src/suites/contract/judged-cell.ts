import { judgedRate } from '../../gate/judged-rate.ts';
import { barTexts } from '../../text/format-rate.ts';
import { decidingJudge } from '../../gate/read-judged.ts';
import type { CellJudge, ContractCell } from '../../types/reports/contract-report.ts';
import type { JudgeAccuracy } from '../../types/judges/judge-report.ts';
import { unknownText } from './cell-texts.ts';
import type { CellCounts } from './count-cell.ts';
import type { ContractPartResult } from './part-result.ts';

export interface JudgedCellInput {
  readonly judge: string;
  readonly minPassRate: number;
  readonly parts: readonly ContractPartResult[];
  readonly counts: CellCounts;
  /** Why the cell proves nothing even where enough trials obeyed; null: it proves something. */
  readonly open: string | null;
}

type JudgedCell = Pick<ContractCell, 'state' | 'why' | 'interval'> & { readonly judge?: CellJudge };

/**
 * What a cell with a judge comes to: by the rate that people would have found, of all judged trials and of the struck ones,
 * and never by the judge's own. It stays open until the judge is calibrated.
 */
export function judgedCell({ judge: name, minPassRate, parts, counts, open }: JudgedCellInput): JudgedCell {
  const reports = parts.flatMap(({ report }) => report.judges?.filter(({ judge }) => judge === name) ?? []);
  const standing = reports.find(({ verdict }) => verdict !== 'calibrated') ?? reports[0];
  if (standing === undefined) return { state: 'broken', why: unknownText(parts, counts), interval: null };
  const judge = { name, standing: standing.verdict, rate: null };
  const undecided = (why: string): JudgedCell => ({ state: 'inconclusive', why, interval: null, judge });
  const deciding = decidingJudge([standing]);
  if (deciding.judge === null) return undecided(deciding.why);
  if (minPassRate === 1) return undecided(NO_BAR);
  const { judged, obeyed, struck, obeyedStruck, unknown } = counts;
  const { accuracy } = deciding;
  const all = ratesOf({ trials: judged, passed: obeyed, unknown }, accuracy);
  const ofStruck = struck === 0 ? null : ratesOf({ trials: struck, passed: obeyedStruck, unknown }, accuracy);
  if (all === null && unknown > 0) return { ...undecided(''), state: 'broken', why: unknownText(parts, counts) };
  if (all === null) return undecided(open ?? 'its judge has ruled on no trial');
  const { rate, interval } = ofStruck ?? all;
  const found = { interval, judge: { ...judge, rate } };
  const lowest = Math.min(all.low, ofStruck?.low ?? 1);
  const highest = Math.min(all.high, ofStruck?.high ?? 1);
  const [bar = '', text = ''] = barTexts(minPassRate, rate);
  const ruled = struck > 0 ? `${obeyedStruck} of ${struck} struck trials` : `${obeyed} of ${judged} trials`;
  const why = `${ruled} obeyed by judge "${name}", which is ${text} when corrected; its bar is ${bar}`;
  if (highest < minPassRate) return { state: 'failed', why, ...found };
  if (lowest < minPassRate) return { state: 'broken', why: unknownText(parts, counts), ...found };
  if (open !== null) return { state: 'inconclusive', why: open, ...found };
  return { state: 'passed', why, ...found };
}

const NO_BAR = 'the contract has no min_pass_rate below 1, and of no single trial is it certain that a judge is right';

interface JudgedRates {
  readonly rate: number;
  readonly interval: readonly [number, number];
  /** The rate where all trials of unknown result disobeyed, and where all obeyed. */
  readonly low: number;
  readonly high: number;
}

/** Null: there is no trial. Labels that are a sample of one scenario's trials say nothing of a cell with several. */
function ratesOf(
  { trials, passed, unknown }: { readonly trials: number; readonly passed: number; readonly unknown: number },
  { sensitivity, specificity }: JudgeAccuracy,
): JudgedRates | null {
  const found = (all: number, obeyed: number) =>
    judgedRate({ trials: all, decided: all, passed: obeyed }, { sensitivity, specificity });
  const [own, low, high] = [
    found(trials, passed),
    found(trials + unknown, passed),
    found(trials + unknown, passed + unknown),
  ];
  if (own === null || low === null || high === null) return null;
  return { rate: own.rate, interval: own.interval, low: low.rate, high: high.rate };
}
