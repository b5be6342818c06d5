import { PasskError } from '../errors.ts';
import { hintFor } from '../source/did-you-mean.ts';
import type { Issue } from '../types/issue.ts';

/** What an option holds, as far as programs without types get it wrong in a way that would go unnoticed. */
export type OptionKind = 'texts' | 'any';

/** Throws one `USAGE` error over what no check of a single value finds: no table, unknown names, a text for a list. */
export function requireKnownOptions(options: unknown, known: Readonly<Record<string, OptionKind>>): void {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new PasskError('USAGE', 'The options must be one object, such as { paths: ["scenarios"] }.');
  }
  const issues = Object.entries(options).flatMap(([name, value]): readonly Issue[] => {
    if (!Object.hasOwn(known, name)) {
      const hint = hintFor(name, Object.keys(known), 'options');
      return [{ code: 'unknown_option', severity: 'error', message: `There is no option \`${name}\`.`, hint }];
    }
    if (known[name] !== 'texts' || value === undefined || isTexts(value)) return [];
    return [{ code: 'bad_option', severity: 'error', message: `\`${name}\` must be a list of texts.` }];
  });
  if (issues.length === 0) return;
  const text = issues.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}`)).join(' ');
  throw new PasskError('USAGE', text, { issues });
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
