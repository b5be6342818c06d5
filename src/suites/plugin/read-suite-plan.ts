import { invariantTypeOf } from '../../checks/invariants/builtin.ts';
import type { SuitePlan, SuiteProblem } from '../../plugin/suite-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { exactJsonText } from '../../values/exact-json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { ownData } from './own-data.ts';

/** What `load` of a plug-in said of a file. */
export type LoadAnswer = { readonly plan: SuitePlan } | { readonly problems: readonly SuiteProblem[] };

/** Checks what `load` of a plug-in returned: plug-ins are not typed when they run. Throws a `TypeError` naming all that is wrong. */
export function readSuitePlan(returned: unknown): LoadAnswer {
  const value = ownData(returned);
  const wrong = isJsonArray(value) ? problemsWrong(value) : planWrong(value);
  if (wrong.length > 0) throw new TypeError(wrong.join('; '));
  const answer = value as unknown as SuitePlan | readonly SuiteProblem[];
  return isList(answer) ? { problems: answer } : { plan: answer };
}

function isList(answer: SuitePlan | readonly SuiteProblem[]): answer is readonly SuiteProblem[] {
  return Array.isArray(answer);
}

function problemsWrong(list: readonly Json[]): readonly string[] {
  if (list.length === 0) return ['`load` returned neither cases nor a problem'];
  return list.flatMap((problem, at) => {
    const fits =
      isJsonObject(problem) &&
      typeof problem['message'] === 'string' &&
      isOptional(problem['hint'], 'string') &&
      isJsonArray(problem['at']) &&
      problem['at'].every((step) => typeof step === 'string' || typeof step === 'number');
    return fits ? [] : [`problem ${at + 1} of \`load\` is no { message, at, hint? } with \`at\` a list of keys`];
  });
}

function planWrong(plan: Json): readonly string[] {
  if (!isJsonObject(plan)) return ['`load` returned neither a plan nor a list of problems'];
  const wrong: string[] = [];
  if (!isName(plan['name'])) wrong.push('`name` must be a text that is not empty');
  if (!isOptional(plan['description'], 'string')) wrong.push('`description` must be a text');
  if (plan['data'] !== undefined && !isJsonObject(plan['data'])) wrong.push('`data` must be an object');
  const { cases } = plan;
  if (!isJsonArray(cases)) return [...wrong, '`cases` must be a list'];
  if (cases.length === 0) wrong.push('`cases` must hold one case at least');
  const names = new Set<Json>();
  cases.forEach((one, index) => {
    const at = `cases[${index}]`;
    if (!isJsonObject(one)) {
      wrong.push(`\`${at}\` must be an object`);
      return;
    }
    wrong.push(...caseWrong(one, at));
    const { name } = one;
    if (typeof name !== 'string') return;
    if (names.has(name)) wrong.push(`two cases have the name "${name}"`);
    names.add(name);
  });
  return wrong;
}

function caseWrong({ name, subject, trials = 1, invariants }: JsonObject, at: string): readonly string[] {
  const wrong: string[] = [];
  if (!isName(name)) wrong.push(`\`${at}.name\` must be a text that is not empty`);
  if (!isJsonObject(subject) || !isName(subject['type']) || !isJsonObject(subject['data'])) {
    wrong.push(`\`${at}.subject\` must be { type, data }, with \`data\` an object`);
  }
  if (!Number.isSafeInteger(trials) || Number(trials) < 1 || Number(trials) > MOST_TRIALS) {
    wrong.push(`\`${at}.trials\` must be a whole number from 1 to ${MOST_TRIALS}, got ${exactJsonText(trials)}`);
  }
  if (!isJsonArray(invariants)) return [...wrong, `\`${at}.invariants\` must be a list`];
  const ids = new Set<Json>();
  invariants.forEach((invariant, index) => {
    const place = `${at}.invariants[${index}]`;
    if (!isJsonObject(invariant)) {
      wrong.push(`\`${place}\` must be { id, rule }`);
      return;
    }
    const { id, rule } = invariant;
    if (typeof id !== 'string' || id === '') wrong.push(`\`${place}.id\` must be a text that is not empty`);
    else if (ids.has(id)) wrong.push(`two invariants of \`${at}\` have the id "${id}"`);
    else ids.add(id);
    const type = isJsonObject(rule) ? rule['type'] : undefined;
    if (typeof type !== 'string') wrong.push(`\`${place}.rule\` must be an object with a \`type\``);
    else if (invariantTypeOf({ type }) === undefined) {
      wrong.push(`\`${place}.rule.type\` is "${type}", which is no invariant`);
    }
  });
  return wrong;
}

/** Trials are numbered in 32 bits. */
const MOST_TRIALS = 2 ** 32;

function isName(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function isOptional(value: Json | undefined, type: 'string'): boolean {
  return value === undefined || typeof value === type;
}
