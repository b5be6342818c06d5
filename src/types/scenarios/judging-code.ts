import type { Expected } from './expected.ts';
import type { JudgingCode, JudgingModule } from './code-check.ts';

/** The code of the user that judges trials: checks, then rules of contracts; []: none does. */
export function judgingCode({ checks = [], invariants }: Expected): readonly JudgingCode[] {
  if (invariants === undefined) return checks;
  return [
    ...checks,
    ...invariants.list.flatMap(({ rule }) => (rule.type === 'module' || rule.type === 'plugin' ? [rule] : [])),
  ];
}

/** The modules among it, which the user has to grant. */
export function judgingModules(expected: Expected): readonly JudgingModule[] {
  return judgingCode(expected).filter(isModule);
}

/** True: code of the user judges trials, be it a module, a check of a plug-in, or one that compares texts. */
export function isJudgedByCode(expected: Expected): boolean {
  return expected.invariants?.similarity !== undefined || judgingCode(expected).length > 0;
}

export function isModule(code: JudgingCode): code is JudgingModule {
  return 'file' in code;
}

/** The same for the same function. */
export function codeKey(code: JudgingCode): string {
  return isModule(code) ? `${code.exported} ${code.file}` : JSON.stringify([code.plugin, code.settings]);
}

/** As messages call it. */
export function codeName(code: JudgingCode): string {
  return isModule(code) ? `of ${code.file}` : `"${code.plugin}"`;
}
