import { PasskError } from '../errors.ts';
import type { Json } from '../types/json.ts';
import type { JudgeRuling } from '../types/judges/judge.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showText } from './show-value.ts';

/** `judge`: a model has found every criterion of its rubric met. It was asked before: the ruling comes with the trial. */
export function judgeCheck(judge: string): CheckParts {
  return {
    name: `judge ${judge}`,
    expected: true,
    wanted: 'every criterion to be met',
    holds: (view) => rulingOn(view, judge).met === true,
    got: (view): Json => unmetIn(rulingOn(view, judge)).slice(),
    saw: (view) => sawUnmet(rulingOn(view, judge)),
  };
}

/** `prefers`: a model has found the trial's answer better than another, in both orders. It was asked before, as above. */
export function prefersCheck(judge: string): CheckParts {
  return {
    name: `prefers ${judge}`,
    expected: true,
    wanted: 'the answer to be preferred to the other',
    holds: (view) => preferenceIn(view, judge) === true,
    got: (view): Json => preferenceIn(view, judge),
    saw: (view) => sawPreference(view, judge),
  };
}

/** Whether the judge prefers the trial's answer. */
export function preferenceIn(view: TrialView, judge: string): boolean | null {
  return rulingOn(view, judge).met;
}

/** Why it does not, as one of its answers says, in words. */
export function sawPreference(view: TrialView, judge: string): string {
  const said = rulingOn(view, judge).answers.flatMap(({ verdicts }) => verdicts);
  return showText(said.find(({ met }) => !met)?.reason ?? 'it is preferred');
}

/** Throws `INTERNAL` where nobody was asked, or gave no verdict: a trial without one is broken before it is judged. */
export function rulingOn(view: TrialView, judge: string): JudgeRuling {
  const ruling = view.rulings?.().find((one) => one.judge === judge);
  if (ruling?.met === undefined || ruling.met === null) {
    throw new PasskError('INTERNAL', `Judge "${judge}" has given no verdict on this trial.`);
  }
  return ruling;
}

/** The criteria that are not met. */
export function unmetIn({ criteria }: JudgeRuling): readonly string[] {
  return criteria.filter(({ met }) => met === false).map(({ criterion }) => criterion);
}

/** The same with the reasons that the judge gave, in words. */
export function sawUnmet(ruling: JudgeRuling): string {
  const unmet = unmetIn(ruling);
  return unmet.length === 0
    ? 'all of them met'
    : `unmet: ${unmet.map((criterion) => withReason(ruling, criterion)).join('; ')}`;
}

/** A criterion, by another name where it has one, and why it is not met, as an answer of the judge says. */
export function withReason({ answers }: JudgeRuling, criterion: string, name = criterion): string {
  const said = answers.flatMap(({ verdicts }) => verdicts);
  const reason = said.find((verdict) => verdict.criterion === criterion && !verdict.met)?.reason ?? '';
  return reason === '' ? showText(name) : `${showText(name)}, because ${showText(reason)}`;
}
