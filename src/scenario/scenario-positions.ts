import { isTable } from '../source/json-schema.ts';
import type { SourceFile } from '../source/source-file.ts';
import { parseToml } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Location } from '../types/issue.ts';
import { tableAt, tablesAt } from '../workflow/raw-data.ts';

/**
 * Where the parts of a scenario file stand that reports point at: `name`, `workflow`, `expected.last_node`,
 * `intel.turns[0]`, … From its text, which is parsed again, because loading keeps no positions; {} without a text.
 */
export function scenarioPositions(source: SourceFile | undefined): Readonly<Record<string, Location>> {
  const parsed = source === undefined ? null : parseToml(source);
  if (parsed?.ok !== true) return {};
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
