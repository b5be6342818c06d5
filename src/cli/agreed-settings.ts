import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import type { ConfigKey, ConfigRequest, LoadedConfig, PasskConfig } from '../public/configuration.ts';
import { messageOf } from './message-of.ts';
import { nameOf } from './name-of.ts';
import type { Terminal } from './terminal.ts';
import { isRemembered, remember, type Trusted } from './trust-store.ts';

/** Commands that do what settings ask for. All others only look: they run no code that a folder names. */
const ACTING = new Set([
  'run',
  'ci',
  'probe',
  'contract run',
  'contract score',
  'model check',
  'score',
  'compare',
  'export',
  'price',
  'import',
  'audit set',
  'trace',
  'worker',
  'release run',
  'certify',
  'golden pin',
  'golden run',
  'canary shadow',
]);

/** Characters of a question. The end of a longer one could scroll out of sight. */
const LONGEST_QUESTION = 4000;

export interface AgreedSettingsOptions {
  /** Keys that the command takes from the file. */
  readonly uses: readonly ConfigKey[];
  readonly terminal: Terminal;
}

/**
 * The settings of the current folder that the user agrees to. To work in a folder is no consent to run its code, or to
 * grant what it asks for. Commands that only look leave out what the user has not agreed to. Rejects with `USAGE` where a
 * command that acts gets no consent.
 */
export async function agreedSettings(
  command: Command,
  { uses, terminal }: AgreedSettingsOptions,
): Promise<LoadedConfig | null> {
  const { config: configFlag, trust, quiet } = command.opts<SettingsFlags>();
  if (configFlag === false) return null;
  const { findConfig } = await import('../public/suites.ts');
  const file = typeof configFlag === 'string' ? path.resolve(configFlag) : findConfig(process.cwd());
  if (file === null) return null;
  const { configRequests, loadConfig } = await import('../public/configuration.ts');
  const displayPath = path.relative(process.cwd(), file);
  // Who calibrates looks at labels, and who tries protocols at fake judges, unless a judge is asked.
  const asks = command.getOptionValue('ask') === true || nameOf(command) === 'judge tunnel';
  const acts = asks || ACTING.has(nameOf(command));
  const hasConsent = async (requests: readonly ConfigRequest[], content: () => Promise<string | Uint8Array>) =>
    trust === true ||
    typeof configFlag === 'string' ||
    isAgreedTo(requests, { trusted: { file, content: await content() }, displayPath, acts, terminal });
  const sayGrants = (config: LoadedConfig | null): LoadedConfig | null => {
    if (acts && quiet !== true && config !== null) for (const text of grantsOf(config, uses)) terminal.say(text);
    return config;
  };
  if (isModule(file)) {
    const request: ConfigRequest = { key: 'plugins', wants: 'run code', value: displayPath, from: displayPath };
    if (await hasConsent([request], () => readFile(file))) return sayGrants(await loadConfig({ file }));
    terminal.say(`${displayPath} was not run, and nothing of it is used; --trust runs it.`);
    return null;
  }
  const config = await loadConfig({ file });
  if (config === null) return null;
  const requests = configRequests(config);
  // Judges ask models of the file.
  const asksJudges = uses.includes('judges') && config.values.judges !== undefined;
  const used = requests.filter(({ key }) => uses.includes(key) || (key === 'models' && asksJudges));
  const content = async (): Promise<string> => JSON.stringify(requests.map(({ key, value }) => [key, value]));
  if (used.length === 0 || (await hasConsent(requests, content))) return sayGrants(config);
  const keys = used.map(({ key }) => key);
  if (command.name() === 'config') return markedConfig(config, keys);
  terminal.say(`${displayPath}: ${keys.join(', ')} left out, since nobody has agreed to it; --trust uses it.`);
  return withoutKeys(config, keys);
}

interface SettingsFlags {
  readonly config?: string | boolean;
  readonly trust?: true;
  readonly quiet?: true;
}

interface ConsentQuestion {
  readonly trusted: Trusted;
  /** The file, from the working folder on. */
  readonly displayPath: string;
  readonly acts: boolean;
  readonly terminal: Terminal;
}

/** Whether the user has agreed before, or agrees now; false for a command that only looks. */
async function isAgreedTo(requests: readonly ConfigRequest[], question: ConsentQuestion): Promise<boolean> {
  const { trusted, displayPath, acts, terminal } = question;
  if (isRemembered(trusted)) return true;
  if (!acts) return false;
  const list = requests.map(({ wants, key, value, from }) =>
    isModule(from) ? `  ${wants}: ${from}` : `  ${wants}: ${key} = ${JSON.stringify(value)} (${from})`,
  );
  const what = `${displayPath} asks for things that you have not agreed to:\n${list.join('\n')}`;
  const { PasskError } = await import('../public/suites.ts');
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

/** One line of the keyboard. The terminal edits it, and Ctrl-C ends passk. */
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

/** A sentence for each thing that the file grants to this command: the user sees why something real is reached. */
function grantsOf({ values, places, file }: LoadedConfig, uses: readonly ConfigKey[]): readonly string[] {
  return Object.entries(values.allow ?? {}).flatMap(([kind, grant]) => {
    const key = `allow.${kind}` as ConfigKey;
    if (grant === false || !uses.includes(key)) return [];
    return [`${places[key] ?? file} grants ${key} = ${JSON.stringify(grant)}.`];
  });
}

function withoutKeys(config: LoadedConfig, keys: readonly ConfigKey[]): LoadedConfig {
  const { allow, ...values } = config.values;
  const omitKeys = (entries: object, prefix: string): object =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.some((one) => one === prefix + key)));
  return {
    ...config,
    values: {
      ...omitKeys(values, ''),
      ...(allow !== undefined && { allow: omitKeys(allow, 'allow.') }),
    } as PasskConfig,
  };
}

function markedConfig(config: LoadedConfig, keys: readonly ConfigKey[]): LoadedConfig {
  const marks = keys.map((key) => [key, `${config.places[key] ?? config.file}, if you agree`] as const);
  return { ...config, places: { ...config.places, ...Object.fromEntries(marks) } };
}
