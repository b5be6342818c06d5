import type { Command, Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { ConfigKey, PasskConfig } from '../index.ts';
import { agreedSettings } from './agreed-settings.ts';
import type { Terminal } from './terminal.ts';

const PREFIX = 'PASSK_';

/** Flags that a configuration file may set, by the name Commander gives them; `paths` is the argument. */
export const CONFIG_KEYS: Readonly<Record<string, Exclude<ConfigKey, 'models'>>> = {
  paths: 'paths',
  name: 'names',
  tag: 'tags',
  plugin: 'plugins',
  trials: 'trials',
  seed: 'seed',
  sampler: 'sampler',
  workers: 'workers',
  isolation: 'isolation',
  concurrency: 'concurrency',
  minPassRate: 'minPassRate',
  gate: 'gates',
  reporter: 'reporters',
  baseline: 'baseline',
  saveBaseline: 'saveBaseline',
  drift: 'drift',
  tokenTolerance: 'tokenTolerance',
  driftMargin: 'driftMargin',
  driftComparisons: 'driftComparisons',
  forecastRunsPerDay: 'forecastRunsPerDay',
  prices: 'prices',
  history: 'history',
  journal: 'journal',
  resume: 'resume',
  dedupe: 'dedupe',
  bail: 'bail',
  stopEarly: 'stopEarly',
  timeout: 'timeoutMs',
  keepGoing: 'keepGoing',
  maxFileSize: 'maxFileSize',
  maxCost: 'maxCost',
  maxTokens: 'maxTokens',
  allowNet: 'allow.net',
  allowRun: 'allow.run',
  allowEnv: 'allow.env',
  allowRead: 'allow.read',
  allowWrite: 'allow.write',
};

/** Said of a whole run: one part of it takes them from the command line only, to refuse them there. */
const WHOLE_RUN = [
  'minPassRate',
  'minScore',
  'gate',
  'reporter',
  'json',
  'baseline',
  'saveBaseline',
  'drift',
  'tokenTolerance',
  'driftMargin',
  'driftComparisons',
  'history',
  'forecastRunsPerDay',
];

/** The environment variable that stands for a flag or argument: `PASSK_MIN_PASS_RATE`. */
export function variableOf(name: string): string {
  return `${PREFIX}${name
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('-', '_')
    .toUpperCase()}`;
}

interface Paths {
  readonly value: readonly string[];
  readonly from: string;
}

/**
 * Fills the flags and paths that the command line leaves open: from `PASSK_*` variables, then from the configuration
 * file, as far as the user agrees to what that asks for. Sources tell where each value came from. Rejects with a
 * `PasskError` for values that cannot be used.
 */
export async function applySettings(command: Command, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  try {
    // What the others mean depends on whether this is one part of a run.
    const options = [...command.options].sort((a, b) => Number(isShard(b)) - Number(isShard(a)));
    for (const option of options) applyVariable(command, option, env);
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    const { PasskError } = await import('../index.ts');
    throw new PasskError('USAGE', error.message);
  }
  await refuseMisspelt(command, env);
  const takesPaths = command.registeredArguments[0]?.name() === 'paths';
  const given: unknown = command.processedArgs[0];
  let paths: Paths | null = Array.isArray(given) && given.length > 0 ? { value: given, from: 'cli' } : null;
  const fromEnv = env[variableOf('paths')];
  if (takesPaths && paths === null && isSet(fromEnv)) paths = { value: listOf(fromEnv), from: variableOf('paths') };
  const open = command.options.filter((option) => isConfigurable(command, option));
  const takesModels = command.options.some((option) => option.name() === 'model');
  if (open.length > 0 || takesPaths) {
    const uses = [
      ...open.flatMap((option) => CONFIG_KEYS[option.attributeName()] ?? []),
      // Models of the file are asked only where real ones are.
      ...(takesModels && command.getOptionValue('live') === true ? (['models'] as const) : []),
      ...(takesPaths && paths === null ? (['paths'] as const) : []),
    ];
    const config = await agreedSettings(command, { uses, terminal });
    for (const option of config === null ? [] : open) {
      const attribute = option.attributeName();
      const key = CONFIG_KEYS[attribute];
      const value = key === undefined || config === null ? undefined : configuredValue(config.values, key);
      if (key === undefined || value === undefined) continue;
      command.setOptionValueWithSource(attribute, value, config?.places[key]);
    }
    // Not in place of flags but beside them: models are told apart by name.
    if (config?.values.models !== undefined && takesModels) {
      command.setOptionValueWithSource('models', config.values.models, config.places.models);
    }
    const configured = config?.values.paths;
    if (takesPaths && paths === null && configured !== undefined) {
      paths = { value: configured, from: config?.places.paths ?? '' };
    }
  }
  if (!takesPaths || paths === null) return;
  command.processedArgs[0] = paths.value;
  command.setOptionValueWithSource('paths', paths.value, paths.from);
}

/** Whether a configuration file may set anything of the command. */
export function usesSettings(command: Command): boolean {
  const takesPaths = command.registeredArguments[0]?.name() === 'paths';
  return takesPaths || command.options.some((option) => CONFIG_KEYS[option.attributeName()] !== undefined);
}

/** What a configuration says for a key; undefined: nothing. */
export function configuredValue(
  { allow, models: _, ...values }: PasskConfig,
  key: Exclude<ConfigKey, 'models'>,
): unknown {
  switch (key) {
    case 'allow.net':
      return allow?.net;
    case 'allow.run':
      return allow?.run;
    case 'allow.env':
      return allow?.env;
    case 'allow.read':
      return allow?.read;
    case 'allow.write':
      return allow?.write;
    default:
      return values[key];
  }
}

/** A variable that is almost a flag's was meant to be it; what is unlike every flag belongs to someone else. */
async function refuseMisspelt(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const flags = commandsAround(command).flatMap(({ options }) => options.map((option) => variableOf(option.name())));
  const known = [...new Set([variableOf('paths'), ...flags])];
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  if (unknown.length === 0) return;
  const { didYouMean, PasskError } = await import('../index.ts');
  const words = known.map((name) => name.slice(PREFIX.length));
  for (const name of unknown) {
    const meant = didYouMean(name.slice(PREFIX.length), words);
    if (meant === null) continue;
    throw new PasskError('USAGE', `There is no flag for the environment variable ${name}.`, {
      hint: `Did you mean ${PREFIX}${meant}?`,
    });
  }
}

/** Every command of the program, with those below it. */
function commandsAround(command: Command): readonly Command[] {
  let top = command;
  while (top.parent !== null) top = top.parent;
  const below = (one: Command): readonly Command[] => [one, ...one.commands.flatMap(below)];
  return below(top);
}

function isShard(option: Option): boolean {
  return option.name() === 'shard';
}

function isConfigurable(command: Command, option: Option): boolean {
  const attribute = option.attributeName();
  if (CONFIG_KEYS[attribute] === undefined || !isOpen(command, attribute)) return false;
  return !isOnePart(command) || !WHOLE_RUN.includes(attribute);
}

function isOpen(command: Command, attribute: string): boolean {
  const source = command.getOptionValueSource(attribute);
  return source === undefined || source === 'default';
}

function isOnePart(command: Command): boolean {
  return command.getOptionValue('shard') !== undefined;
}

function applyVariable(command: Command, option: Option, env: NodeJS.ProcessEnv): void {
  const attribute = option.attributeName();
  const variable = variableOf(option.name());
  const text = env[variable];
  if (!isSet(text) || !isOpen(command, attribute) || (isOnePart(command) && WHOLE_RUN.includes(attribute))) return;
  const value = option.isBoolean() || option.negate ? isYes(text, variable) : parsedValue(option, text, variable);
  // `PASSK_NO_COLOR=0` forbids nothing.
  if (option.negate && value === false) return;
  command.setOptionValueWithSource(attribute, option.negate ? false : value, variable);
}

/** What people write for yes and no; as a host, a program or a file nobody means it. */
const YES_OR_NO = /^(?:0|1|yes|no|on|off|true|false)$/i;

function parsedValue(option: Option, text: string, variable: string): unknown {
  if (option.name().startsWith('allow-') && YES_OR_NO.test(text.trim())) {
    throw new VariableError(variable, text, 'Name what is granted; "*" grants everything of its kind.');
  }
  const { parseArg } = option;
  if (parseArg === undefined) return text;
  const isList = option.description.endsWith('repeatable');
  try {
    const parse = parseArg as (text: string, before: unknown) => unknown;
    return (isList ? listOf(text) : [text]).reduce<unknown>((before, word) => parse(word, before), undefined);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new VariableError(variable, text, error.message);
    throw error;
  }
}

class VariableError extends Error {
  constructor(variable: string, text: string, why: string) {
    super(`${variable}=${text}: ${why}`);
  }
}

function isYes(text: string, variable: string): boolean {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new VariableError(variable, text, 'Expected 1 or 0.');
}

/** Several values of one variable stand on lines of their own, or between semicolons. */
function listOf(text: string): readonly string[] {
  return text
    .split(/[;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
