import { lengthControlled, type LengthPair } from '../../stats/judged/length-controlled.ts';
import { logistic } from '../../stats/judged/logistic-fit.ts';
import { normalQuantile } from '../../stats/normal-quantile.ts';
import { pairedDifferenceInterval } from '../../stats/paired-difference.ts';
import { swappedOutcome, type PairOutcome } from '../../stats/judged/position-bias.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { type PairVerdict, readPairVerdict } from '../read-pair-verdict.ts';
import type { Dice } from './dice.ts';
import type { Evaluation } from './evaluation.ts';
import {
  type AnswerFault,
  answerText,
  chanceOfCandidate,
  drawLuck,
  drawPair,
  type FakePair,
  type Luck,
  MARK,
  type PairFaults,
} from './fake-judge.ts';
import type { Protocol } from './protocol.ts';

/** One question to a fake judge that compares. */
export interface PairAsked {
  readonly judge: PairFaults;
  readonly pair: FakePair;
  /** The candidate stands first. */
  readonly isFirst: boolean;
  readonly luck: Luck;
  /** Which pair of the evaluation, which judge of the panel, and which repeat of the question; from 0. */
  readonly at: number;
  readonly member: number;
  readonly repeat: number;
}

export interface PairEvaluation {
  readonly pairs: number;
  readonly dice: Dice;
  /** The pairs, where they are known; absent: they are drawn. */
  readonly shown?: readonly FakePair[];
  /** Answers a question; null: nobody can read the answer. What is asked next does not depend on it. Default: embedded. */
  readonly answer?: (asked: PairAsked) => PairVerdict | null;
}

/** One evaluation: so many pairs, judged by a fake judge under a protocol. */
export function judgePairs(
  faults: PairFaults,
  protocol: Protocol,
  { pairs, dice, shown, answer = answerPair }: PairEvaluation,
): Evaluation {
  const panel = panelOf(faults, protocol.ensemble);
  const judged: LengthPair[] = [];
  const counts = { win: 0, loss: 0, tie: 0 };
  const seen = { decisive: 0, first: 0 };
  const asking = { panel, repeats: protocol.repeats, dice, seen, answer };
  const hasLengths = protocol.length || faults.length !== 0;
  let consistent = 0;
  for (let i = 0; i < pairs; i++) {
    const pair = shown?.[i] ?? drawPair(faults, { dice, hasLengths });
    const first = askPanel(asking, { pair, at: i, isFirst: true });
    const second = protocol.swap ? askPanel(asking, { pair, at: i, isFirst: false }) : first;
    if (first === null || second === null) continue;
    if (first === second) consistent++;
    const outcome = protocol.swap ? swappedOutcome({ first, second }) : first;
    counts[outcome]++;
    if (protocol.length) judged.push({ preference: VALUES[outcome], longer: pair.longer });
  }
  const { win: wins, loss: losses, tie: ties } = counts;
  const verdicts = wins + losses + ties;
  return {
    wins,
    losses,
    ties,
    errors: pairs - verdicts,
    firstShare: seen.decisive === 0 ? null : seen.first / seen.decisive,
    consistency: protocol.swap && verdicts > 0 ? consistent / verdicts : null,
    ...(protocol.length ? lengthFreeRate(judged) : rateOf(counts)),
  };
}

/** What a judge without faults would prefer: its mean over all pairs, by 1,000 quantiles of their quality. */
export function truthOfPairs({ skill, edge, spread }: PairFaults): number {
  if (spread === 0) return logistic(skill * edge);
  let sum = 0;
  for (let i = 0; i < QUANTILES; i++) sum += logistic(skill * (edge + spread * normalQuantile((i + 0.5) / QUANTILES)));
  return sum / QUANTILES;
}

const QUANTILES = 1000;

/** The judge, and others with ever smaller biases, the last with none. */
function panelOf(faults: PairFaults, members: number): readonly PairFaults[] {
  return Array.from({ length: members }, (_, at) => {
    const share = members === 1 ? 1 : 1 - at / (members - 1);
    const { position, length, style, family } = faults;
    const biases = { position: position * share, length: length * share, style: style * share, family: family * share };
    return { ...faults, ...biases };
  });
}

interface Asking {
  readonly panel: readonly PairFaults[];
  readonly repeats: number;
  readonly dice: Dice;
  readonly answer: (asked: PairAsked) => PairVerdict | null;
  /** Counts every answer. */
  readonly seen: { decisive: number; first: number };
}

/** What most answers say; null: none could be read. */
function askPanel(
  { panel, repeats, dice, seen, answer }: Asking,
  { pair, at, isFirst }: Pick<PairAsked, 'pair' | 'at' | 'isFirst'>,
): PairOutcome | null {
  let score = 0;
  let read = 0;
  for (const [member, judge] of panel.entries()) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const verdict = answer({ judge, pair, isFirst, luck: drawLuck(judge, dice), at, member, repeat });
      if (verdict === null) continue;
      read++;
      if (verdict === 'tie') continue;
      seen.decisive++;
      if (verdict === 'A') seen.first++;
      score += (verdict === 'A') === isFirst ? 1 : -1;
    }
  }
  if (read === 0) return null;
  if (score === 0) return 'tie';
  return score > 0 ? 'win' : 'loss';
}

/** What the embedded judge answers. */
function answerPair({ judge, pair, isFirst, luck }: PairAsked): PairVerdict | null {
  const prefers = luck.verdict < chanceOfCandidate(judge, pair, isFirst) !== luck.noise < judge.noise;
  return verdictOf(prefers === isFirst ? 'A' : 'B', luck.fault);
}

/** The verdict that passk reads of the text in which the judge gives it; null: it is unreadable. */
function verdictOf(says: 'A' | 'B', fault: AnswerFault | null): PairVerdict | null {
  const reading = readings.get(fault);
  if (reading !== undefined) return reading[says];
  const textOf = (verdict: PairVerdict): string => JSON.stringify({ mark: MARK, reason: 'It is better.', verdict });
  const read = (plain: PairVerdict, other: PairVerdict): PairVerdict | null => {
    const reading = readPairVerdict(answerText(fault, { plain: textOf(plain), other: textOf(other) }), MARK);
    return reading.ok ? reading.verdict : null;
  };
  const both = { A: read('A', 'B'), B: read('B', 'A') };
  readings.set(fault, both);
  return both[says];
}

/** Texts of fake judges are few: each is read once. */
const readings = new Map<AnswerFault | null, Readonly<Record<'A' | 'B', PairVerdict | null>>>();

function lengthFreeRate(pairs: readonly LengthPair[]): Pick<Evaluation, 'rate' | 'interval'> {
  const found = lengthControlled(pairs);
  return { rate: found?.winRate ?? null, interval: found?.interval ?? null };
}

function rateOf({ win, loss, tie }: Readonly<Record<PairOutcome, number>>): Pick<Evaluation, 'rate' | 'interval'> {
  const verdicts = win + loss + tie;
  if (tie === 0) return { rate: verdicts === 0 ? null : win / verdicts, interval: wilsonInterval(verdicts, win) };
  // A pair counts 1, 0 or −1, as a paired difference does: pairs that are all ties are not sure to tie for ever.
  const [low, high] = pairedDifferenceInterval(loss, win, verdicts) ?? [-1, 1];
  return { rate: (win + VALUES.tie * tie) / verdicts, interval: [(1 + low) / 2, (1 + high) / 2] };
}

const VALUES: Readonly<Record<PairOutcome, number>> = { win: 1, tie: 0.5, loss: 0 };
