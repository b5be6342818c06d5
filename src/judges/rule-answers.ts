import {
  type JudgeAnswer,
  type JudgeRuling,
  type PlannedJudge,
  PREFERRED,
  type RuledCriterion,
} from '../types/judges/judge.ts';

/**
 * What a judge's answers to all its questions make of one trial. A criterion is met, or is not, where more than half of all
 * questions were answered so: an answer that cannot be read counts for neither side, and without such a majority there is
 * no verdict. Of yes and no the median is the majority. `ids` is what a judge rules on that has no rubric.
 */
export function ruleAnswers(
  { name, criteria, against }: PlannedJudge,
  answers: readonly JudgeAnswer[],
  ids: readonly string[] = against === undefined ? criteria.map(({ id }) => id) : [PREFERRED],
): JudgeRuling {
  const ruled = ids.map((id) => ruleCriterion(id, answers));
  const isOpen = ruled.some(({ met }) => met === null);
  return {
    judge: name,
    met: isOpen ? null : ruled.every(({ met }) => met === true),
    problem: isOpen ? whyOpen(answers, ruled) : null,
    criteria: ruled,
    answers,
  };
}

/** The ruling of a trial that no judge was asked about. */
export function unruled({ name }: PlannedJudge, problem: string): JudgeRuling {
  return { judge: name, met: null, problem, criteria: [], answers: [] };
}

function ruleCriterion(criterion: string, answers: readonly JudgeAnswer[]): RuledCriterion {
  const said = answers.flatMap(({ verdicts }) => verdicts.filter((verdict) => verdict.criterion === criterion));
  const met = said.filter((verdict) => verdict.met).length;
  const unmet = said.length - met;
  const most = Math.max(met, unmet);
  return { criterion, met: most * 2 > answers.length ? met > unmet : null, votes: [met, unmet] };
}

function whyOpen(answers: readonly JudgeAnswer[], ruled: readonly RuledCriterion[]): string {
  const problem = answers.find((answer) => answer.problem !== null)?.problem ?? null;
  if (problem !== null) return problem;
  const open = ruled.find(({ met }) => met === null);
  return `Its answers on "${open?.criterion ?? ''}" have no majority.`;
}
