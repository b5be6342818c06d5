import type { Issue } from '../types/issue.ts';
import type { JudgeSetting } from '../types/judges/judge.ts';
import { JUDGE_LIMITS, JUDGE_WORD } from './judges-schema.ts';

/** What is wrong with judges, each as a sentence that names the judge. Also for those that programs without types give. */
export function judgeIssues(judges: readonly JudgeSetting[] = []): readonly Issue[] {
  if (!Array.isArray(judges)) return [issue('`judges` must be a list.')];
  const list = judges as readonly JudgeSetting[];
  const problems = list.flatMap((judge, at) =>
    judgeProblems(judge).map((why) => issue(`Judge ${nameOf(judge, at)}: ${why}.`)),
  );
  const names = list.map((judge) => judge?.name);
  const doubled = names.find((name, at) => typeof name === 'string' && names.indexOf(name) !== at);
  return doubled === undefined ? problems : [...problems, issue(`There are two judges "${doubled}".`)];
}

function judgeProblems(judge: JudgeSetting): readonly string[] {
  if (typeof judge !== 'object' || judge === null) return ['it is no table'];
  const { name, models, module, timeoutMs, background, repeats, calibration, compares, verifies } = judge;
  const problems: string[] = [];
  if (!isWord(name)) problems.push('`name` must be a word of at most 64 letters, digits, dots and dashes');
  if (models === undefined && module === undefined) problems.push('it names neither `models` nor a `module`');
  if (module !== undefined && !isText(module)) problems.push('`module` must be the name of a file');
  if (timeoutMs !== undefined && !isWhole(timeoutMs, JUDGE_LIMITS.timeoutMs)) {
    problems.push(`\`timeoutMs\` must be a whole number from 1 to ${JUDGE_LIMITS.timeoutMs}`);
  } else if (timeoutMs !== undefined && module === undefined) problems.push('`timeoutMs` is for a `module`');
  if (models === undefined) {
    // A module judges alone.
  } else if (!isList(models, JUDGE_LIMITS.models) || !models.every((model) => isText(model))) {
    problems.push(`\`models\` must be a list of 1 to ${JUDGE_LIMITS.models} names of models`);
  } else if (new Set(models).size < models.length) problems.push('`models` names one of them twice');
  problems.push(...(verifies === true ? verifierProblems(judge) : criteriaProblems(judge)));
  if (background !== undefined && !isText(background)) problems.push('`background` must be a text');
  if (repeats !== undefined && !isWhole(repeats, JUDGE_LIMITS.repeats)) {
    problems.push(`\`repeats\` must be a whole number from 1 to ${JUDGE_LIMITS.repeats}`);
  }
  if (compares !== undefined && typeof compares !== 'boolean') problems.push('`compares` must be true or false');
  if (verifies !== undefined && typeof verifies !== 'boolean') problems.push('`verifies` must be true or false');
  if (calibration !== undefined && !isText(calibration)) problems.push('`calibration` must be the name of a file');
  return problems;
}

/** Of a judge that rules by criteria. */
function criteriaProblems({ criteria, minScore, splitter, threshold }: JudgeSetting): readonly string[] {
  const problems: string[] = [];
  if (!isList(criteria, JUDGE_LIMITS.criteria) || !criteria.every(isCriterion)) {
    problems.push(`\`criteria\` must be a list of 1 to ${JUDGE_LIMITS.criteria} tables with \`id\` and \`text\``);
  } else if (new Set(criteria.map(({ id }) => id)).size < criteria.length) {
    problems.push('`criteria` has one id twice');
  }
  if (minScore !== undefined || splitter !== undefined || threshold !== undefined) {
    problems.push('`minScore`, `splitter` and `threshold` are for judges that verify claims (`verifies`)');
  }
  return problems;
}

function verifierProblems({ criteria, compares, minScore, splitter, threshold }: JudgeSetting): readonly string[] {
  const problems: string[] = [];
  if (criteria !== undefined) problems.push('`criteria` are for judges that do not verify claims: each claim is one');
  if (compares === true) problems.push('it cannot both compare answers and verify claims');
  for (const [name, share] of Object.entries({ minScore, threshold })) {
    if (share === undefined || (typeof share === 'number' && share >= 0 && share <= 1)) continue;
    problems.push(`\`${name}\` must be a number from 0 to 1`);
  }
  if (minScore === 0) problems.push('`minScore` must be above 0: with 0 every answer passes');
  if (splitter !== undefined && !isText(splitter)) problems.push('`splitter` must be the name of a model');
  return problems;
}

function isCriterion(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, text } = value as { readonly id?: unknown; readonly text?: unknown };
  return isWord(id) && isText(text);
}

function isList(value: unknown, most: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= most;
}

function isWhole(value: unknown, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && new RegExp(JUDGE_WORD).test(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function nameOf(judge: JudgeSetting, at: number): string {
  return typeof judge?.name === 'string' ? JSON.stringify(judge.name) : `${at + 1}`;
}

function issue(message: string): Issue {
  return { code: 'bad_option', severity: 'error', message };
}
