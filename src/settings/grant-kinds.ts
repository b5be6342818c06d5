import { Type } from '../source/schema-type.ts';
import type { Grant } from '../types/permissions.ts';
import { data, type Kind, UnreadableWord } from './kinds.ts';

/** What a bare `--allow-…` means. */
export const EVERYTHING = '*';

/** Everything of a kind, nothing, or a list; lists of several flags add up, and everything swallows them. */
export const grants: Kind<Grant> = {
  schema: data(Type.Union([Type.Boolean(), Type.Array(Type.String({ minLength: 1 }))])),
  read: (word, before) => {
    const entries = entriesOf(word);
    if (before === true || entries.includes(EVERYTHING)) return true;
    return [...earlier(before), ...entries];
  },
  problem: () => null,
  isList: true,
};

/** Everything leaves out addresses that are not public: what is listed beside it still counts. */
export const hostGrants: Kind<Grant> = {
  ...grants,
  read: (word, before) => {
    const all = [...(before === true ? [EVERYTHING] : earlier(before)), ...entriesOf(word)];
    return all.every((entry) => entry === EVERYTHING) ? true : all;
  },
};

export function isGrant(grant: Grant): boolean {
  return grant === true || (Array.isArray(grant) && grant.length > 0);
}

function earlier(before: unknown): readonly string[] {
  return Array.isArray(before) ? (before as readonly string[]) : [];
}

function entriesOf(word: string): readonly string[] {
  const entries = word.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new UnreadableWord('Expected a list with commas, and no empty entry in it.');
  return entries;
}
