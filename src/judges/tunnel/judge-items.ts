import { correctedRate } from '../../stats/judged/corrected-rate.ts';
import { predictionPoweredRate } from '../../stats/judged/prediction-powered-rate.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { readRubricVerdict } from '../read-rubric-verdict.ts';
import type { Dice } from './dice.ts';
import type { Evaluation } from './evaluation.ts';
import { type AnswerFault, answerText, drawFault, type ItemFaults, MARK } from './fake-judge.ts';
import type { Protocol } from './protocol.ts';

/** One evaluation: so many answers, passed or failed one by one under a protocol. */
export function judgeItems(
  faults: ItemFaults,
  protocol: Protocol,
  { items, dice }: { readonly items: number; readonly dice: Dice },
): Evaluation {
  const ask = (isGood: boolean): boolean | null => askPanel(faults, protocol, { isGood, dice });
  let passed = 0;
  let errors = 0;
  for (let i = 0; i < items; i++) {
    const verdict = ask(dice.coin(faults.passing));
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
      const both = Array.from({ length: 2 * faults.labels }, () => {
        const isGood = dice.coin(faults.passing);
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

/** What most answers say; null: none could be read, or as many say one as the other. */
function askPanel(
  faults: ItemFaults,
  { ensemble, repeats }: Protocol,
  { isGood, dice }: { readonly isGood: boolean; readonly dice: Dice },
): boolean | null {
  const { sensitivity, specificity, noise, garbled } = faults;
  let score = 0;
  for (let member = 0; member < ensemble; member++) {
    const share = ensemble === 1 ? 1 : 1 - member / (ensemble - 1);
    const wrong = share * (1 - (isGood ? sensitivity : specificity));
    for (let repeat = 0; repeat < repeats; repeat++) {
      const isWrong = dice.coin(wrong) !== (noise > 0 && dice.coin(noise));
      const verdict = verdictOf(isGood !== isWrong, garbled, dice);
      if (verdict !== null) score += verdict ? 1 : -1;
    }
  }
  return score === 0 ? null : score > 0;
}

/** The verdict that passk reads of the text in which the judge gives it; null: it is unreadable. */
function verdictOf(met: boolean, garbled: number, dice: Dice): boolean | null {
  const fault = drawFault(garbled, dice);
  const known = readings.get(fault);
  if (known !== undefined) return met ? known.met : known.unmet;
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
