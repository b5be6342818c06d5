import type { Expected } from './expected.ts';
import type { JudgingCode, JudgingFunction, JudgingModule } from './code-check.ts';

/** The code of the user that judges trials: checks, then rules of contracts; []: none does. */
export function judgingCode({ checks = [], invariants }: Expected): readonly JudgingCode[] {
  if (invariants === undefined) return checks;
  return [
    ...checks,
    ...invariants.list.flatMap(({ rule }) =>
      rule.type === 'module' || rule.type === 'plugin' || rule.type === 'function' ? [rule] : [],
    ),
  ];
}

/** The modules among it, which the user has to grant. */
export function judgingModules(expected: Expected): readonly JudgingModule[] {
  return judgingCode(expected).filter(isModule);
}

/** True: code of the user judges trials in workers, be it a module, a check of a plug-in, or one that compares texts. */
export function isJudgedByCode(expected: Expected): boolean {
  return expected.invariants?.similarity !== undefined || judgingCode(expected).some((code) => !isFunction(code));
}

/** True: functions of the program that made the scenario judge trials, which they can on the calling thread alone. */
export function isJudgedHere(expected: Expected): boolean {
  return judgingCode(expected).some(isFunction);
}

export function isModule(code: JudgingCode): code is JudgingModule {
  return 'file' in code;
}

export function isFunction(code: JudgingCode): code is JudgingFunction {
  return 'code' in code;
}

/** The same for the same function. */
export function codeKey(code: JudgingCode): string {
  if (isFunction(code)) return code.code;
  return isModule(code) ? `${code.exported} ${code.file}` : JSON.stringify([code.plugin, code.settings]);
}

/** As messages call it. */
export function codeName(code: JudgingCode): string {
  if (isFunction(code)) return JSON.stringify(code.code);
  return isModule(code) ? `of ${code.file}` : `"${code.plugin}"`;
}
