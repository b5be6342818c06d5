import type { JudgeAnswer, JudgeRuling } from '../../types/judges/judge.ts';
import { addInto } from '../../values/add-into.ts';
import { zeros } from '../../values/zeros.ts';

/** What is counted of each judge, in the order in which it stands in `JudgeCounts`. */
export const JUDGE_COUNTS = [
  'met', // trials in which all criteria are met
  'unmet',
  'errors', // trials without a verdict
  'alone', // of the unmet: trials in which nothing failed but what judges were asked
  'answers', // answers that could be read, to judges that repeat
  'flips', // of these, those that differ from what most answers of their model say
  'rounds', // comparisons in both orders
  'consistent', // of these, those that say the same in both
  'decisive', // verdicts of single orders that name one of the two
  'first', // of these, those that name the one that stands first
  'claims', // claims with a verdict
  'supported', // of these, those that contexts support
  'scored', // scores of claims, by models that score
  'millionths', // their sum, in millionths: whole numbers add up to the same in any order
] as const;

export type JudgeCount = (typeof JUDGE_COUNTS)[number];

/** Two models of an ensemble: both passed a trial, only the first, only the second, neither. */
const PAIR = 4;

/** What judges made of trials. Merges as the tally does. */
export class JudgeCounts {
  /** How many models each judge asks. */
  readonly models: readonly number[];
  readonly counts: number[];
  /** Of each judge each two of its models. */
  readonly pairs: number[];

  constructor(models: readonly number[]) {
    this.models = models;
    this.counts = zeros(models.length * JUDGE_COUNTS.length);
    this.pairs = zeros(models.reduce((sum, many) => sum + pairsOf(many) * PAIR, 0));
  }

  /** Adds the rulings on one trial, in plan order; `failed`: how many of its checks failed, null: it is broken. */
  add(rulings: readonly JudgeRuling[], failed: number | null): void {
    const unmet = rulings.filter((ruling) => ruling.met === false).length;
    let from = 0;
    for (const [judge, ruling] of rulings.entries()) {
      const { met } = ruling;
      // Without claims or contexts a judge that verifies is asked nothing.
      const isAsked = met === null || ruling.answers.length > 0;
      if (isAsked) this.count(judge, met === null ? 'errors' : met ? 'met' : 'unmet');
      if (ruling.claims !== undefined) this.countClaims(judge, ruling);
      if (met === false && failed === unmet) this.count(judge, 'alone');
      const byModel = answersByModel(ruling);
      for (const verdicts of byModel) this.countFlips(judge, verdicts);
      for (const { orders } of ruling.answers) if (orders !== undefined) this.countOrders(judge, orders);
      this.countPairs(byModel.map(majorityOf), from);
      from += pairsOf(this.models[judge] ?? 0) * PAIR;
    }
  }

  of(judge: number, what: JudgeCount): number {
    return this.counts[judge * JUDGE_COUNTS.length + JUDGE_COUNTS.indexOf(what)] ?? 0;
  }

  /** How two models of a judge agree, by their positions: both passed, only the first, only the second, neither. */
  pairOf(judge: number, first: number, second: number): readonly [number, number, number, number] {
    const before = this.models.slice(0, judge).reduce((sum, many) => sum + pairsOf(many), 0);
    const at = (before + pairAt(this.models[judge] ?? 0, first, second)) * PAIR;
    const [both = 0, onlyFirst = 0, onlySecond = 0, neither = 0] = this.pairs.slice(at, at + PAIR);
    return [both, onlyFirst, onlySecond, neither];
  }

  merge(other: JudgeCounts): void {
    addInto(this.counts, other.counts);
    addInto(this.pairs, other.pairs);
  }

  private count(judge: number, what: JudgeCount, by = 1): void {
    const at = judge * JUDGE_COUNTS.length + JUDGE_COUNTS.indexOf(what);
    this.counts[at] = (this.counts[at] ?? 0) + by;
  }

  /** A single answer differs from nothing. */
  private countFlips(judge: number, verdicts: readonly boolean[]): void {
    if (verdicts.length < 2) return;
    const passed = verdicts.filter((verdict) => verdict).length;
    this.count(judge, 'answers', verdicts.length);
    this.count(judge, 'flips', Math.min(passed, verdicts.length - passed));
  }

  private countClaims(judge: number, { criteria, answers }: JudgeRuling): void {
    for (const score of answers.flatMap(({ scores = [] }) => scores)) {
      this.count(judge, 'scored');
      this.count(judge, 'millionths', Math.round(score * 1e6));
    }
    this.count(judge, 'claims', criteria.length);
    this.count(judge, 'supported', criteria.filter(({ met }) => met === true).length);
  }

  private countOrders(judge: number, { first, second }: NonNullable<JudgeAnswer['orders']>): void {
    this.count(judge, 'rounds');
    if (first === second) this.count(judge, 'consistent');
    this.count(judge, 'decisive', (first === 'tie' ? 0 : 1) + (second === 'tie' ? 0 : 1));
    this.count(judge, 'first', (first === 'win' ? 1 : 0) + (second === 'loss' ? 1 : 0));
  }

  private countPairs(verdicts: readonly (boolean | null)[], from: number): void {
    for (const [first, one] of verdicts.entries()) {
      for (let second = first + 1; second < verdicts.length; second++) {
        const other = verdicts[second] ?? null;
        if (one === null || other === null) continue;
        const at = from + pairAt(verdicts.length, first, second) * PAIR + (one ? 0 : 2) + (other ? 0 : 1);
        this.pairs[at] = (this.pairs[at] ?? 0) + 1;
      }
    }
  }
}

function pairsOf(models: number): number {
  return (models * (models - 1)) / 2;
}

/** Position among all pairs of so many, first by first. */
function pairAt(models: number, first: number, second: number): number {
  return first * models - (first * (first + 1)) / 2 + (second - first - 1);
}

/** What each answer that could be read says of the trial as a whole, model by model. */
function answersByModel({ answers, claims }: JudgeRuling): readonly (readonly boolean[])[] {
  const least = claims?.minScore ?? 1;
  const byModel = new Map<string, boolean[]>();
  for (const { model, problem, verdicts } of answers) {
    const list = byModel.get(model) ?? [];
    byModel.set(model, list);
    if (problem !== null || verdicts.length === 0) continue;
    list.push(verdicts.filter(({ met }) => met).length / verdicts.length >= least);
  }
  return [...byModel.values()];
}

/** Null: there is none. */
function majorityOf(verdicts: readonly boolean[]): boolean | null {
  const passed = verdicts.filter((verdict) => verdict).length;
  return passed * 2 === verdicts.length ? null : passed * 2 > verdicts.length;
}
