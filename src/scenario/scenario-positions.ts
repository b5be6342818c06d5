import { resolve } from 'node:path';
import { isTable } from '../source/json-schema.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml } from '../source/toml-document.ts';
import type { Pointer } from '../source/toml-positions.ts';
import type { Location } from '../types/issue.ts';
import { tableAt, tablesAt } from '../workflow/raw-data.ts';
import type { LoadOptions } from './load-scenario.ts';

/**
 * Where the parts of a scenario file stand that reports point at: `name`, `workflow`, `expected.last_node`,
 * `intel.turns[0]`, … Reads the file again, because loading keeps no positions; {} when it has gone or changed shape.
 */
export function scenarioPositions(
  file: string,
  options: Pick<LoadOptions, 'root' | 'maxBytes'>,
): Readonly<Record<string, Location>> {
  const read = readSource(resolve(options.root, file), options);
  if (!read.ok) return {};
  const parsed = parseToml(read.source);
  if (!parsed.ok) return {};
  const { data, locate } = parsed.document;
  const pointers: (readonly [name: string, at: Pointer])[] = [];
  for (const key of ['name', 'workflow', 'expected']) if (Object.hasOwn(data, key)) pointers.push([key, [key]]);
  for (const [key, value] of Object.entries(tableAt(data, 'expected'))) {
    pointers.push([`expected.${key}`, ['expected', key]]);
    if (!Array.isArray(value)) continue;
    for (const [index, item] of value.entries()) {
      if (isTable(item)) pointers.push([`expected.${key}[${index}]`, ['expected', key, index]]);
    }
  }
  for (const { index } of tablesAt(tableAt(data, 'intel'), 'turns')) {
    pointers.push([`intel.turns[${index}]`, ['intel', 'turns', index]]);
  }
  return Object.fromEntries(pointers.map(([name, at]) => [name, locate(at, name === 'workflow' ? 'key' : 'value')]));
}
