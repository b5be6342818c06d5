import { logistic } from '../../stats/judged/logistic-fit.ts';
import type { Dice } from './dice.ts';

/** How a fake judge errs when it compares, and what it is shown. Log-odds but where it says otherwise. */
export interface PairFaults {
  /** What one unit of quality is worth to it. */
  readonly skill: number;
  /** For the answer that stands first. */
  readonly position: number;
  /** For an answer that is one standard deviation longer, through tanh. */
  readonly length: number;
  /** For an answer in another style, such as Markdown. */
  readonly style: number;
  /** For an answer of the judge's own family. */
  readonly family: number;
  /** Share of verdicts that are turned round. */
  readonly noise: number;
  /** Share of answers that are no plain verdict. */
  readonly garbled: number;
  /** How much better the candidate is, on average. */
  readonly edge: number;
  /** Standard deviation of that from pair to pair. */
  readonly spread: number;
  /** How much longer the candidate's answers are on average, in standard deviations. */
  readonly longer: number;
  /** 1: the candidate writes in the other style. */
  readonly styled: number;
  /** 1: the candidate is of the judge's family. */
  readonly kin: number;
}

/** Words of `--bias` for pairs, with what they are where nobody says. */
export const PAIR_FAULTS: PairFaults = {
  skill: 1,
  position: 0,
  length: 0,
  style: 0,
  family: 0,
  noise: 0,
  garbled: 0,
  edge: 0,
  spread: 0,
  longer: 0,
  styled: 0,
  kin: 0,
};

/** How a fake judge errs when it passes or fails answers one by one, and what is known of that. Shares but `labels`. */
export interface ItemFaults {
  /** Of the good answers: those that it passes. */
  readonly sensitivity: number;
  /** Of the bad answers: those that it fails. */
  readonly specificity: number;
  /** Answers that are good. */
  readonly passing: number;
  /** So many good answers, and as many bad ones, have a label of people. */
  readonly labels: number;
  readonly noise: number;
  readonly garbled: number;
}

/** Words of `--bias` for items. */
export const ITEM_FAULTS: ItemFaults = {
  sensitivity: 0.92,
  specificity: 0.85,
  passing: 0.5,
  labels: 50,
  noise: 0,
  garbled: 0,
};

/** One pair as a fake judge sees it: the candidate against the other. */
export interface FakePair {
  readonly better: number;
  /** In standard deviations. */
  readonly longer: number;
}

/** Draws the pair that a judge is shown; lengths only where they matter, because a draw takes time. */
export function drawPair(
  { edge, spread, longer }: PairFaults,
  { dice, hasLengths }: { readonly dice: Dice; readonly hasLengths: boolean },
): FakePair {
  return {
    better: spread === 0 ? edge : edge + spread * dice.normal(),
    longer: hasLengths ? longer + dice.normal() : longer,
  };
}

/** The chance that the judge prefers the candidate. */
export function chanceOfCandidate(judge: PairFaults, pair: FakePair, isFirst: boolean): number {
  const { skill, position, length, style, family, styled, kin } = judge;
  return logistic(
    skill * pair.better +
      (isFirst ? position : -position) +
      length * Math.tanh(pair.longer) +
      style * styled +
      family * kin,
  );
}

/** The chance that the judge prefers the one that it is shown first; both are measured from the same zero. */
export function chanceOfFirst(judge: PairFaults, first: ShownAnswer, second: ShownAnswer): number {
  const { skill, position, length, style, family } = judge;
  return logistic(
    skill * (first.quality - second.quality) +
      position +
      length * Math.tanh(first.length - second.length) +
      style * (first.styled - second.styled) +
      family * (first.kin - second.kin),
  );
}

/** What one answer is like: its quality, its length in standard deviations, its style and its family. */
export interface ShownAnswer {
  readonly quality: number;
  readonly length: number;
  readonly styled: number;
  readonly kin: number;
}

/** What decides an answer of a fake judge besides its faults. Numbers between 0 and 1. */
export interface Luck {
  readonly verdict: number;
  /** 1: the judge has no noise. */
  readonly noise: number;
  /** How the answer is garbled; null: it is not. */
  readonly fault: AnswerFault | null;
}

/** Draws the luck of one answer; a draw takes time, so that there is none for noise that is not there. */
export function drawLuck({ noise, garbled }: Pick<PairFaults, 'noise' | 'garbled'>, dice: Dice): Luck {
  return {
    verdict: dice.uniform(),
    noise: noise > 0 ? dice.uniform() : 1,
    fault: drawFault(garbled, dice),
  };
}

/** What an answer of a judge looks like that is no plain verdict; the first two are readable. */
export const ANSWER_FAULTS = ['prose', 'fenced', 'empty', 'contradictory', 'truncated', 'foreign', 'huge'] as const;
export type AnswerFault = (typeof ANSWER_FAULTS)[number];

/** A verdict as the text of an answer: `plain` is the JSON object with the mark, `other` the same with another verdict. */
export function answerText(
  fault: AnswerFault | null,
  { plain, other }: { readonly plain: string; readonly other: string },
): string {
  switch (fault) {
    case null:
      return plain;
    case 'prose':
      return `I have compared both with care {see above}. My verdict:\n${plain}\nI hope that helps.`;
    case 'fenced':
      return `\`\`\`json\n${plain}\n\`\`\``;
    case 'empty':
      return '[]';
    case 'contradictory':
      return `${plain}\nOn second thoughts:\n${other}`;
    case 'truncated':
      return plain.slice(0, -2);
    case 'foreign':
      return `Mein Urteil, denn die erste Antwort ist vollständig:\n${plain.replaceAll('"verdict', '"Urteil')}`;
    case 'huge':
      return `${plain}${'.'.repeat(2 ** 20)}`;
  }
}

/** The mark of every question in the tunnel. */
export const MARK = 'm-tunnel';

/** How the next answer is garbled; null: it is not. */
function drawFault(garbled: number, dice: Dice): AnswerFault | null {
  if (garbled === 0 || !dice.coin(garbled)) return null;
  return ANSWER_FAULTS[Math.floor(dice.uniform() * ANSWER_FAULTS.length)] ?? null;
}
