import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { displayName } from '../../source/source-file.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { AgentReset, AgentTarget } from '../../types/agent.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { namedCode } from '../../scenario/objects/named-code.ts';
import { isLiteralSecret } from '../../pii/literal-secret.ts';
import { listAt, tableAt, textAt } from '../../workflow/raw-data.ts';
import type { Found } from '../../workflow/report.ts';
import { requiredText } from '../../workflow/required-values.ts';
import type { Reading } from './reading.ts';

/** A key of the table of an agent, as messages name it. */
export function keyName(at: Pointer, key: string): string {
  return [...at.filter((part) => typeof part === 'string'), key].join('.');
}

/** `module:attribute`, split at the last colon; null when it is not written so, which is reported. */
export function callableAt(
  table: JsonObject,
  key: string,
  at: Pointer,
  { report }: Reading,
): { readonly module: string; readonly attribute: string } | null {
  const text = requiredText(table, key, at, report, CALLABLE);
  if (text === '') return null;
  const colon = text.lastIndexOf(':');
  const [module, attribute] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  if (colon > 0 && module !== '' && attribute !== '') return { module, attribute };
  report({
    code: 'bad_value',
    message: `"${keyName(at, key)}" names no callable: ${JSON.stringify(text)}.`,
    at: [...at, key],
    hint: CALLABLE,
  });
  return null;
}

const CALLABLE = 'Write module:attribute, such as my_agent:answer.';

/** A function of a JavaScript module; its file is looked for beside the contract. */
export function readAgentModule(table: JsonObject, at: Pointer, { report, places }: Reading): AgentTarget | null {
  const name = requiredText(table, 'module', at, report, 'Name the JavaScript file of the agent.');
  if (name === '') return null;
  const path = resolve(places.folder, name);
  if (!existsSync(path)) {
    report({
      code: 'file_missing',
      message: `There is no module "${name}".`,
      at: [...at, 'module'],
      hint: 'Its path starts at the folder of the contract file.',
    });
  }
  return {
    kind: 'module',
    file: displayName(path, places.root),
    exported: textAt(table, 'export') ?? 'default',
    inputKey: textAt(table, 'input_key') ?? null,
  };
}

/** What brings an agent back; an endpoint wins over a function, as in the reference. */
export function readReset(table: JsonObject, at: Pointer, reading: Reading): AgentReset | null {
  const written = textAt(table, 'reset_endpoint');
  if (written === undefined || written === '') {
    return readResetFunction(table, at, reading);
  }
  if (/^(?:https?:\/\/|\$)/i.test(written)) return { kind: 'http', url: written };
  const origin = /^https?:\/\/[^/?#]+/i.exec(textAt(table, 'endpoint') ?? '')?.[0];
  if (written.startsWith('/') && origin !== undefined) return { kind: 'http', url: origin + written };
  reading.report({
    code: 'bad_value',
    message: `"${keyName(at, 'reset_endpoint')}" is no URL: ${JSON.stringify(written)}.`,
    at: [...at, 'reset_endpoint'],
    hint: 'Write a whole URL, or a path of the host of the endpoint, such as /reset.',
  });
  return null;
}

/** Of a JavaScript agent a name alone is an export of its own module; paths start at the contract's folder. */
function readResetFunction(table: JsonObject, at: Pointer, reading: Reading): AgentReset | null {
  const code = namedCode(reading.document, [...at, 'reset_function'], reading.places);
  if (code !== null) return { kind: 'code', code };
  const called = textAt(table, 'reset_function');
  if (called === undefined || called === '') return null;
  const moduleName = textAt(table, 'module');
  if (moduleName === undefined) {
    const callable = callableAt(table, 'reset_function', at, reading);
    return callable === null ? null : { kind: 'function', ...callable };
  }
  const colon = called.lastIndexOf(':');
  return {
    kind: 'function',
    module: colon > 0 ? called.slice(0, colon) : moduleName,
    attribute: called.slice(colon + 1),
  };
}

/** Tells texts of an agent that hold a secret: whoever may read the file has it. */
export function tellSecrets(table: JsonObject, at: Pointer, { report }: Reading): void {
  const texts: readonly (readonly [Pointer, Json | undefined])[] = [
    ...['endpoint', 'reset_endpoint', 'request_template'].map((key) => [[key], table[key]] as const),
    ...['headers', 'query_params'].flatMap((key) =>
      Object.entries(tableAt(table, key)).map(([name, value]) => [[key, name], value] as const),
    ),
    ...listAt(table, 'command').map((word, index) => [['command', index], word] as const),
  ];
  for (const [key, text] of texts) {
    if (typeof text !== 'string' || !isLiteralSecret(String(key.at(-1)), text)) continue;
    report(literalSecret([...at, ...key]));
  }
}

/** A file with a secret in it. */
export function literalSecret(
  at: Pointer,
  hint = 'Write $NAME in its place, and grant the variable with --allow-env=NAME.',
): Found {
  const name = at.filter((part) => typeof part === 'string').join('.');
  return { code: 'literal_secret', severity: 'warning', message: `"${name}" holds a secret as it stands.`, at, hint };
}
