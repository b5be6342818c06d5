import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Permissions, RunSuiteOptions } from '../index.ts';

/** Flags that say what passk may do on this machine. */
export interface PermissionFlags {
  readonly allowNet?: Permissions['net'];
  readonly allowRun?: Permissions['run'];
  readonly allowEnv?: Permissions['env'];
  readonly allowRead?: Permissions['read'];
  readonly allowWrite?: Permissions['write'];
}

const EVERYTHING = '*';

const FLAGS = [
  ['--allow-net', 'hosts', 'let scenarios send HTTP requests to these hosts'],
  ['--allow-run', 'programs', 'let scenarios run these programs, which are not sandboxed'],
  ['--allow-env', 'names', 'let scenarios read these environment variables'],
  ['--allow-read', 'paths', 'let scenarios read these files and folders'],
  ['--allow-write', 'paths', 'let scenarios write these files and folders'],
] as const;

/** Adds `--allow-net` and its like. */
export function addPermissionFlags(command: Command): Command {
  for (const [flag, what, description] of FLAGS) {
    const option = new Option(`${flag} <${what}>`, `${description}, or without a list any; repeatable`);
    option.argParser(flag === '--allow-net' ? collectHosts : collectGrant);
    // Only `=` binds a list: what follows a bare flag is a path to scenarios.
    option.flags = `${flag}[=${what}]`;
    command.addOption(option);
  }
  return command;
}

/** A bare `--allow-net` means everything; the parser would take the next word for its list. */
export function withWholeGrants(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) =>
    (end < 0 || index < end) && FLAGS.some(([flag]) => flag === arg) ? `${arg}=${EVERYTHING}` : arg,
  );
}

/** What to say of a word after a bare flag that was meant as its list; null: nothing, it is there or may be a pattern. */
export function unboundList(args: readonly string[], isThere: (word: string) => boolean): string | null {
  const end = args.indexOf('--');
  for (const [index, flag] of (end < 0 ? args : args.slice(0, end)).entries()) {
    const word = args[index + 1];
    if (word === undefined || !FLAGS.some(([name]) => name === flag)) continue;
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

/** The library option that these flags stand for. */
export function permissionOptions(flags: PermissionFlags): Pick<RunSuiteOptions, 'permissions'> {
  const { allowNet: net, allowRun: run, allowEnv: env, allowRead: read, allowWrite: write } = flags;
  const given = Object.entries({ net, run, env, read, write }).filter(([, grant]) => grant !== undefined);
  return given.length === 0 ? {} : { permissions: Object.fromEntries(given) };
}

function collectGrant(text: string, before: Permissions['net'] = []): Permissions['net'] {
  const entries = entriesOf(text);
  if (before === true || entries.includes(EVERYTHING)) return true;
  return [...(before === false ? [] : before), ...entries];
}

/** Everything leaves out addresses that are not public: what is listed beside it still counts. */
function collectHosts(text: string, before: Permissions['net'] = []): Permissions['net'] {
  const earlier = typeof before === 'boolean' ? (before ? [EVERYTHING] : []) : before;
  const all = [...earlier, ...entriesOf(text)];
  return all.every((entry) => entry === EVERYTHING) ? true : all;
}

function entriesOf(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new InvalidArgumentError('Expected a list with commas, and no empty entry in it.');
  return entries;
}
