import type { Expected } from './expected.ts';
import type { JudgingModule } from './module-check.ts';

/** The functions of the user that judge trials: checks, then rules of contracts; []: none does. */
export function judgingModules({ modules = [], invariants }: Expected): readonly JudgingModule[] {
  if (invariants === undefined) return modules;
  return [...modules, ...invariants.list.flatMap(({ rule }) => (rule.type === 'module' ? [rule] : []))];
}

/** True: code of the user judges trials, be it a module or a plug-in that compares texts. */
export function isJudgedByCode(expected: Expected): boolean {
  return expected.invariants?.similarity !== undefined || judgingModules(expected).length > 0;
}

/** The same for the same function. */
export function moduleKey({ file, exported }: JudgingModule): string {
  return `${exported} ${file}`;
}
