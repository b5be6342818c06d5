import { correctedRate } from '../../stats/judged/corrected-rate.ts';
import { predictionPoweredRate } from '../../stats/judged/prediction-powered-rate.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { readRubricVerdict } from '../read-rubric-verdict.ts';
import type { Dice } from './dice.ts';
import type { Evaluation } from './evaluation.ts';
import { type AnswerFault, answerText, drawLuck, type ItemFaults, type Luck, MARK } from './fake-judge.ts';
import type { Protocol } from './protocol.ts';

/** One question to a fake judge of single answers. */
export interface ItemAsked {
  readonly judge: ItemFaults;
  readonly isGood: boolean;
  readonly luck: Luck;
}

export interface ItemEvaluation {
  readonly items: number;
  readonly dice: Dice;
  /** True: good and bad items take turns; absent: they are drawn. Labels for `predict`, too. */
  readonly takesTurns?: boolean;
  /** Answers a question; null: nobody can read the answer. What is asked next does not depend on it. Default: embedded. */
  readonly answer?: (asked: ItemAsked) => boolean | null;
}

/** One evaluation: so many answers, passed or failed one by one under a protocol. */
export function judgeItems(
  faults: ItemFaults,
  protocol: Protocol,
  { items, dice, takesTurns = false, answer = answerItem }: ItemEvaluation,
): Evaluation {
  const panel = panelOf(faults, protocol.ensemble);
  const asking = { panel, repeats: protocol.repeats, dice, answer };
  const ask = (isGood: boolean): boolean | null => askPanel(asking, isGood);
  const isGoodAt = (at: number): boolean => (takesTurns ? at % 2 === 0 : dice.coin(faults.passing));
  let passed = 0;
  let errors = 0;
  for (let i = 0; i < items; i++) {
    const verdict = ask(isGoodAt(i));
    if (verdict === null) errors++;
    else if (verdict) passed++;
  }
  const judged = items - errors;
  const counts = { wins: passed, losses: judged - passed, ties: 0, errors, firstShare: null, consistency: null };
  const run = { trials: judged, passed };
  switch (protocol.correct) {
    case null:
      return { ...counts, rate: judged === 0 ? null : passed / judged, interval: wilsonInterval(judged, passed) };
    case 'accuracy': {
      const passes = labelled(faults.labels, () => ask(true));
      const failures = labelled(faults.labels, () => ask(false));
      const onPasses = { items: passes.length, agreed: passes.filter((verdict) => verdict).length };
      const onFailures = { items: failures.length, agreed: failures.filter((verdict) => !verdict).length };
      const found = correctedRate({ judged: run, onPasses, onFailures });
      return { ...counts, rate: found?.rate ?? null, interval: found?.interval ?? null };
    }
    case 'predict': {
      const both = Array.from({ length: 2 * faults.labels }, (_, at) => {
        const isGood = isGoodAt(at);
        return { isGood, verdict: ask(isGood) };
      }).filter(({ verdict }) => verdict !== null);
      const count = (isGood: boolean, verdict: boolean): number =>
        both.filter((one) => one.isGood === isGood && one.verdict === verdict).length;
      const found = predictionPoweredRate(
        {
          bothPassed: count(true, true),
          onlyHumanPassed: count(true, false),
          onlyJudgePassed: count(false, true),
          bothFailed: count(false, false),
        },
        run,
      );
      return { ...counts, rate: found?.rate ?? null, interval: found?.interval ?? null };
    }
  }
}

function labelled(labels: number, ask: () => boolean | null): readonly boolean[] {
  return Array.from({ length: labels }, ask).filter((verdict) => verdict !== null);
}

/** Whether a fake judge passes an answer, by its faults and its luck. */
export function passesItem({ judge, isGood, luck }: ItemAsked): boolean {
  const wrong = 1 - (isGood ? judge.sensitivity : judge.specificity);
  const isWrong = luck.verdict < wrong !== luck.noise < judge.noise;
  return isGood !== isWrong;
}

/** The judge, and others with ever smaller errors, the last with none. */
function panelOf(faults: ItemFaults, members: number): readonly ItemFaults[] {
  return Array.from({ length: members }, (_, at) => {
    const share = members === 1 ? 1 : 1 - at / (members - 1);
    const right = (accuracy: number): number => 1 - share * (1 - accuracy);
    return { ...faults, sensitivity: right(faults.sensitivity), specificity: right(faults.specificity) };
  });
}

interface Asking extends Required<Pick<ItemEvaluation, 'dice' | 'answer'>> {
  readonly panel: readonly ItemFaults[];
  readonly repeats: number;
}

/** What most answers say; null: none could be read, or as many say one as the other. */
function askPanel({ panel, repeats, dice, answer }: Asking, isGood: boolean): boolean | null {
  let score = 0;
  for (const judge of panel) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const verdict = answer({ judge, isGood, luck: drawLuck(judge, dice) });
      if (verdict !== null) score += verdict ? 1 : -1;
    }
  }
  return score === 0 ? null : score > 0;
}

/** What the embedded judge answers. */
function answerItem(asked: ItemAsked): boolean | null {
  return verdictOf(passesItem(asked), asked.luck.fault);
}

/** The verdict that passk reads of the text in which the judge gives it; null: it is unreadable. */
function verdictOf(met: boolean, fault: AnswerFault | null): boolean | null {
  const reading = readings.get(fault);
  if (reading !== undefined) return met ? reading.met : reading.unmet;
  const textOf = (says: boolean): string =>
    JSON.stringify({ mark: MARK, verdicts: [{ criterion: 'good', met: says }] });
  const read = (says: boolean): boolean | null => {
    const text = answerText(fault, { plain: textOf(says), other: textOf(!says) });
    const reading = readRubricVerdict(text, ['good'], MARK);
    return reading.ok ? (reading.verdicts[0]?.met ?? null) : null;
  };
  const both = { met: read(true), unmet: read(false) };
  readings.set(fault, both);
  return met ? both.met : both.unmet;
}

/** Texts of fake judges are few: each is read once. */
const readings = new Map<AnswerFault | null, { readonly met: boolean | null; readonly unmet: boolean | null }>();
