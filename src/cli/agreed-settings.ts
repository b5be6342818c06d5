import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import type { ConfigKey, ConfigRequest, LoadedConfig, PasskConfig } from '../index.ts';
import { messageOf } from './message-of.ts';
import { nameOf } from './name-of.ts';
import type { Terminal } from './terminal.ts';
import { isRemembered, remember, type Trusted } from './trust-store.ts';

/** Commands that act on what settings ask for; all others only look: they run no code that a folder names. */
const ACTING = new Set([
  'run',
  'ci',
  'contract run',
  'contract score',
  'model check',
  'score',
  'compare',
  'export',
  'price',
  'audit set',
  'trace',
  'worker',
  'release run',
  'certify',
]);

/** A longer question would hide what stands at its end. */
const LONGEST_QUESTION = 4000;

export interface AgreedSettingsOptions {
  /** Keys that the command would take from the file. */
  readonly uses: readonly ConfigKey[];
  readonly terminal: Terminal;
}

/**
 * The settings of the current folder, as far as the user agrees to them: standing in a folder is no consent to run its
 * code or to grant what it asks for. What nobody has agreed to is left out by commands that only look. Rejects with
 * `USAGE` where an acting command needs consent and gets none.
 */
export async function agreedSettings(
  command: Command,
  { uses, terminal }: AgreedSettingsOptions,
): Promise<LoadedConfig | null> {
  const { config: named, trust, quiet } = command.opts<SettingsFlags>();
  if (named === false) return null;
  const { configRequests, findConfig, loadConfig } = await import('../index.ts');
  const file = typeof named === 'string' ? path.resolve(named) : findConfig(process.cwd());
  if (file === null) return null;
  const shown = path.relative(process.cwd(), file);
  const acts = ACTING.has(nameOf(command));
  const agrees = async (requests: readonly ConfigRequest[], content: () => Promise<string | Uint8Array>) =>
    trust === true ||
    typeof named === 'string' ||
    isAgreedTo(requests, { trusted: { file, content: await content() }, shown, acts, terminal });
  const sayGrants = (config: LoadedConfig | null): LoadedConfig | null => {
    if (acts && quiet !== true && config !== null) for (const text of grantsOf(config, uses)) terminal.say(text);
    return config;
  };
  if (isModule(file)) {
    const request: ConfigRequest = { key: 'plugins', wants: 'run code', value: shown, from: shown };
    if (await agrees([request], () => readFile(file))) return sayGrants(await loadConfig({ file }));
    terminal.say(`${shown} was not run, and nothing of it is used; --trust runs it.`);
    return null;
  }
  const config = await loadConfig({ file });
  if (config === null) return null;
  const requests = configRequests(config);
  const used = requests.filter(({ key }) => uses.includes(key));
  const content = async (): Promise<string> => JSON.stringify(requests.map(({ key, value }) => [key, value]));
  if (used.length === 0 || (await agrees(requests, content))) return sayGrants(config);
  const keys = used.map(({ key }) => key);
  if (command.name() === 'config') return markedConfig(config, keys);
  terminal.say(`${shown}: ${keys.join(', ')} left out, since nobody has agreed to it; --trust uses it.`);
  return withoutKeys(config, keys);
}

interface SettingsFlags {
  readonly config?: string | boolean;
  readonly trust?: true;
  readonly quiet?: true;
}

interface Asking {
  readonly trusted: Trusted;
  /** The file as the user knows it. */
  readonly shown: string;
  readonly acts: boolean;
  readonly terminal: Terminal;
}

/** Whether the user has agreed before, or does now; false where there is no need to ask. */
async function isAgreedTo(requests: readonly ConfigRequest[], asking: Asking): Promise<boolean> {
  const { trusted, shown, acts, terminal } = asking;
  if (isRemembered(trusted)) return true;
  if (!acts) return false;
  const list = requests.map(({ wants, key, value, from }) =>
    isModule(from) ? `  ${wants}: ${from}` : `  ${wants}: ${key} = ${JSON.stringify(value)} (${from})`,
  );
  const what = `${shown} asks for things that you have not agreed to:\n${list.join('\n')}`;
  const { PasskError } = await import('../index.ts');
  const refusal = (why: string): Error =>
    new PasskError('USAGE', `${what}\n${why}; nothing was run.`, {
      hint: '--trust agrees for this run, as PASSK_TRUST=1 does in CI; --no-config leaves the file out. Look at the folder first.',
    });
  if (what.length > LONGEST_QUESTION) throw refusal('That is too long to be asked');
  if (!terminal.live || process.stdin.isTTY !== true) throw refusal('There is nobody to be asked');
  terminal.complain(`passk: ${what}\nAgree, until it asks for something else? [y/N] `);
  if (!/^y(?:es)?$/i.test((await typedLine()).trim())) throw refusal('You did not agree');
  try {
    await remember(trusted);
  } catch (error) {
    terminal.say(`Your answer counts for this run only, because it cannot be remembered: ${messageOf(error)}.`);
  }
  return true;
}

/** One line of the keyboard; the terminal edits it, and Ctrl-C ends passk as ever. */
function typedLine(): Promise<string> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const end = (text = ''): void => {
      stdin.pause().off('data', onData).off('end', end);
      resolve(String(text));
    };
    const onData = (bytes: Buffer): void => end(bytes.toString());
    stdin.on('data', onData).on('end', end).resume();
  });
}

function isModule(file: string): boolean {
  return !file.endsWith('.toml') && /\.[cm]?[jt]s$/.test(file);
}

/** What the file grants to this command, in words for people who wonder why something real was reached. */
function grantsOf({ values, places, file }: LoadedConfig, uses: readonly ConfigKey[]): readonly string[] {
  return Object.entries(values.allow ?? {}).flatMap(([kind, grant]) => {
    const key = `allow.${kind}` as ConfigKey;
    if (grant === false || !uses.includes(key)) return [];
    return [`${places[key] ?? file} grants ${key} = ${JSON.stringify(grant)}.`];
  });
}

function withoutKeys(config: LoadedConfig, keys: readonly ConfigKey[]): LoadedConfig {
  const { allow, ...values } = config.values;
  const kept = (entries: object, prefix: string): object =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.some((one) => one === prefix + key)));
  return {
    ...config,
    values: { ...kept(values, ''), ...(allow !== undefined && { allow: kept(allow, 'allow.') }) } as PasskConfig,
  };
}

function markedConfig(config: LoadedConfig, keys: readonly ConfigKey[]): LoadedConfig {
  const marks = keys.map((key) => [key, `${config.places[key] ?? config.file}, if you agree`] as const);
  return { ...config, places: { ...config.places, ...Object.fromEntries(marks) } };
}
