import { EVERYTHING } from '../settings/grant-kinds.ts';
import type { Setting } from '../settings/setting.ts';
import { flagName } from '../settings/setting-names.ts';
import { SETTINGS } from '../settings/table.ts';

/** Flags that may stand alone, with what they mean then. */
const BARE: ReadonlyMap<string, string> = new Map(
  Object.entries<Setting>(SETTINGS).flatMap(([name, row]) =>
    row.flag?.bare === undefined ? [] : [[`--${flagName(name, row)}`, row.flag.bare] as const],
  ),
);

/** Says what a bare `--allow-net` or `--stop-early` means; the parser would take the next word for its value. */
export function withBareValues(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    const bare = end < 0 || index < end ? BARE.get(arg) : undefined;
    return bare === undefined ? arg : `${arg}=${bare}`;
  });
}

/** What to say of a word after a bare grant that was meant as its list; null: nothing, it is there or may be a pattern. */
export function unboundList(args: readonly string[], isThere: (word: string) => boolean): string | null {
  const end = args.indexOf('--');
  for (const [index, flag] of (end < 0 ? args : args.slice(0, end)).entries()) {
    const word = args[index + 1];
    if (word === undefined || BARE.get(flag) !== EVERYTHING) continue;
    if (
      word === '' ||
      word.startsWith('-') ||
      /[*?[\]{}()!]/.test(word) ||
      /\.(?:toml|ya?ml)$/.test(word) ||
      isThere(word)
    )
      continue;
    return `"${word}" does not exist. If it is what ${flag} is to grant, write ${flag}=${word}; without "=", ${flag} grants everything.`;
  }
  return null;
}
