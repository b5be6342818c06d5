import { PasskError } from '../errors.ts';
import type { Json } from '../types/json.ts';
import type { JudgeRuling } from '../types/judges/judge.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';

/** `judge`: a model has found every criterion of its rubric met. It was asked before: the ruling comes with the trial. */
export function judgeCheck(judge: string): CheckParts {
  const unmet = (view: TrialView): readonly string[] => {
    const ruling = rulingOf(view, judge);
    return ruling.criteria.filter(({ met }) => met === false).map(({ criterion }) => criterion);
  };
  return {
    name: `judge ${judge}`,
    expected: true,
    wanted: 'every criterion to be met',
    holds: (view) => rulingOf(view, judge).met === true,
    got: (view): Json => unmet(view).slice(),
    saw: (view) => {
      const missed = unmet(view);
      return missed.length === 0
        ? 'all of them met'
        : `unmet: ${missed.map((id) => shownUnmet(view, judge, id)).join('; ')}`;
    },
  };
}

/** `prefers`: a model has found the trial's answer better than another, in both orders. It was asked before, as above. */
export function prefersCheck(judge: string): CheckParts {
  const said = (view: TrialView): string => {
    const { answers } = rulingOf(view, judge);
    const reasons = answers.flatMap(({ verdicts }) => verdicts.filter(({ met }) => !met).map(({ reason }) => reason));
    return reasons[0] ?? 'it is preferred';
  };
  return {
    name: `prefers ${judge}`,
    expected: true,
    wanted: 'the answer to be preferred to the other',
    holds: (view) => rulingOf(view, judge).met === true,
    got: (view): Json => rulingOf(view, judge).met,
    saw: (view) => showText(said(view)),
  };
}

/** Throws `INTERNAL` where nobody was asked, or gave no verdict: a trial without one is broken before it is judged. */
function rulingOf(view: TrialView, judge: string): JudgeRuling {
  const ruling = view.rulings?.().find((one) => one.judge === judge);
  if (ruling?.met === undefined || ruling.met === null) {
    throw new PasskError('INTERNAL', `Judge "${judge}" has given no verdict on this trial.`);
  }
  return ruling;
}

function shownUnmet(view: TrialView, judge: string, criterion: string): string {
  const said = rulingOf(view, judge).answers.flatMap(({ verdicts }) => verdicts);
  const reason = said.find((verdict) => verdict.criterion === criterion && !verdict.met)?.reason ?? '';
  return reason === '' ? showText(criterion) : `${showText(criterion)}, because ${showText(reason)}`;
}
