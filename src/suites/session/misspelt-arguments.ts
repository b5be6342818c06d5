import type { Json, JsonObject } from '../../types/json.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Report } from '../../workflow/report.ts';

const MARKER = /\{\{\s*args\.([^{}.[\]\s]+)/g;
/** Keys of a schema that may allow arguments which `properties` does not list. */
const OPEN = ['patternProperties', 'allOf', 'anyOf', 'oneOf', 'if', '$ref', 'dependentSchemas'];

/** Tells markers of arguments that no call can have: they are filled with nothing in every trial. */
export function tellMisspeltArguments(parameters: JsonObject, value: Json, at: Pointer, report: Report): void {
  const names = argumentNames(parameters);
  if (names !== null) tellIn(value, { names, at, report });
}

/** Null: other arguments may come, too. */
function argumentNames(parameters: JsonObject): readonly string[] | null {
  const { properties = {}, additionalProperties = false } = parameters;
  const isOpen = additionalProperties !== false || OPEN.some((key) => Object.hasOwn(parameters, key));
  return isOpen || !isJsonObject(properties) ? null : Object.keys(properties);
}

interface Telling {
  readonly names: readonly string[];
  readonly at: Pointer;
  readonly report: Report;
}

function tellIn(value: Json, { names, at, report }: Telling): void {
  if (isJsonArray(value)) {
    for (const [index, entry] of value.entries()) tellIn(entry, { names, at: [...at, index], report });
  } else if (isJsonObject(value)) {
    for (const [key, entry] of Object.entries(value)) tellIn(entry, { names, at: [...at, key], report });
  } else if (typeof value === 'string') {
    for (const [, name = ''] of value.matchAll(MARKER)) {
      if (names.includes(name)) continue;
      const message = `The parameters of the tool have no "${name}", so that nothing is behind this marker.`;
      const hint = (): string => hintFor(name, names, 'parameters');
      report({ code: 'unknown_argument', severity: 'warning', message, at, hint });
    }
  }
}
