import type { Expected } from './expected.ts';
import type { ModuleExport } from './module-check.ts';

/** The functions of the user that judge trials: checks, then rules of contracts; []: none does. */
export function judgingModules({ modules = [], invariants }: Expected): readonly ModuleExport[] {
  if (invariants === undefined) return modules;
  return [...modules, ...invariants.list.flatMap(({ rule }) => (rule.type === 'module' ? [rule] : []))];
}

/** The same for the same function. */
export function moduleKey({ file, exported }: ModuleExport): string {
  return `${exported} ${file}`;
}
