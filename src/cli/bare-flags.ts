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

/** The arguments with a value for each bare flag, such as `--allow-net`: the parser would take the next word for it. */
export function withBareValues(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    const bare = end < 0 || index < end ? BARE.get(arg) : undefined;
    return bare === undefined ? arg : `${arg}=${bare}`;
  });
}

/** What is wrong with a word after a bare flag that looks like its value; null: the word is a path, or a pattern. */
export function unboundValue(args: readonly string[], isThere: (word: string) => boolean): string | null {
  const end = args.indexOf('--');
  for (const [index, flag] of (end < 0 ? args : args.slice(0, end)).entries()) {
    const word = args[index + 1];
    if (word === undefined || !BARE.has(flag)) continue;
    if (BARE.get(flag) !== EVERYTHING) {
      if (/^\d+$/.test(word) && !isThere(word))
        return `"${word}" does not exist. If it is the value of ${flag}, write ${flag}=${word}.`;
      continue;
    }
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
