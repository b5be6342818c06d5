import { pointerText } from '../../source/check-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';

/** Values inside each other, as deep as a file may nest them. */
const DEEPEST = 100;

/** The JSON data that a live value stands for; a value that stands for none is an issue. Absent properties are left out. */
export function plainData(value: unknown, issues: Issue[], at: Pointer = []): Json {
  const refuse = (what: string): null => {
    const place = at.length === 0 ? 'The scenario' : `"${pointerText(at)}"`;
    const hint =
      typeof value === 'function'
        ? 'With an agent these may be functions: `agent`, `expected.checks`, and `check` of rules. All else is plain data.'
        : 'Scenarios are plain data: text, finite numbers, true, false, null, lists and objects.';
    issues.push({ code: 'not_json', severity: 'error', message: `${place} ${what}.`, hint });
    return null;
  };
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(`is ${String(value)}, which JSON cannot hold`);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'object':
      break;
    default:
      return refuse(`is ${value === undefined ? 'undefined' : `a ${typeof value}`}, not data`);
  }
  if (value === null) return null;
  if (at.length > DEEPEST) return refuse(`is nested deeper than ${DEEPEST} levels, or contains itself`);
  if (Array.isArray(value)) return value.map((item: unknown, index) => plainData(item, issues, [...at, index]));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return refuse('is an instance of a class, not plain data');
  const entries: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (key === '__proto__') refuse('has the key "__proto__", which is not allowed');
    else entries.push([key, plainData(inner, issues, [...at, key])]);
  }
  return Object.fromEntries(entries);
}
