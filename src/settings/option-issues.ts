import { PasskError } from '../errors.ts';
import { hintFor } from '../text/did-you-mean.ts';
import type { Issue } from '../types/issue.ts';
import type { Table } from './setting.ts';
import { SETTINGS } from './table.ts';

/** Options that no setting of the table is, and values that its kind refuses. Throws `USAGE` where there is no object. */
export function optionIssues(options: unknown, table: Table = SETTINGS): readonly Issue[] {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new PasskError('USAGE', 'The options must be one object, such as { paths: ["scenarios"] }.');
  }
  return Object.entries(options).flatMap(([name, value]): readonly Issue[] => {
    const setting = Object.hasOwn(table, name) ? table[name] : undefined;
    if (setting?.option === undefined) {
      const names = Object.keys(table).filter((other) => table[other]?.option !== undefined);
      const hint = hintFor(name, names, 'options');
      return [{ code: 'unknown_option', severity: 'error', message: `There is no option \`${name}\`.`, hint }];
    }
    const why = value === undefined ? null : setting.kind.problem(value);
    if (why === null) return [];
    return [{ code: 'bad_option', severity: 'error', message: `\`${name}\` ${why}.` }];
  });
}
