import type { Command, Option } from 'commander';
import type { ConfigKey } from '../index.ts';
import { configuredValue } from '../settings/configured-value.ts';
import { EVERYTHING } from '../settings/grant-kinds.ts';
import { UnreadableWord } from '../settings/kinds.ts';
import { keyOf, variableOf, VARIABLES } from '../settings/setting-names.ts';
import { agreedSettings } from './agreed-settings.ts';
import { KindOption, SettingOption } from './setting-option.ts';
import type { Terminal } from './terminal.ts';

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
  const variables = Object.keys(env).filter((name) => name.startsWith(VARIABLES));
  if (variables.length > 0) await applyVariables(command, env, variables);
  const takesPaths = command.registeredArguments[0]?.name() === 'paths';
  const given: unknown = command.processedArgs[0];
  let paths: Paths | null = Array.isArray(given) && given.length > 0 ? { value: given, from: 'cli' } : null;
  const fromEnv = env[variableOf('paths')];
  if (takesPaths && paths === null && isSet(fromEnv)) paths = { value: listOf(fromEnv), from: variableOf('paths') };
  const open = command.options.filter((option) => isConfigurable(command, option));
  const takesModels = command.options.some((option) => option.name() === 'model');
  if (open.length > 0 || takesPaths) {
    const uses = [
      ...open.map(({ setting, row }) => keyOf(setting, row) as ConfigKey),
      // Models of the file are asked only where real ones are.
      ...(takesModels && command.getOptionValue('live') === true ? (['models'] as const) : []),
      ...(takesPaths && paths === null ? (['paths'] as const) : []),
    ];
    const config = await agreedSettings(command, { uses, terminal });
    for (const option of config === null ? [] : open) {
      const { setting, row } = option;
      const value = config === null ? undefined : configuredValue(config.values, setting, row);
      if (value === undefined) continue;
      command.setOptionValueWithSource(option.attributeName(), value, config?.places[keyOf(setting, row) as ConfigKey]);
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

async function applyVariables(command: Command, env: NodeJS.ProcessEnv, names: readonly string[]): Promise<void> {
  try {
    // What the others mean depends on whether this is one part of a run.
    const options = [...command.options].sort((a, b) => Number(isShard(b)) - Number(isShard(a)));
    for (const option of options) applyVariable(command, option, env);
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    const { PasskError } = await import('../index.ts');
    throw new PasskError('USAGE', error.message);
  }
  await refuseMisspelt(command, names);
}

/** The text of the key that releases are signed with: no flag holds it, because command lines are seen by others. */
export const RELEASE_KEY = `${VARIABLES}RELEASE_KEY`;

/** A variable that is almost a flag's was meant to be it; what is unlike every flag belongs to someone else. */
async function refuseMisspelt(command: Command, names: readonly string[]): Promise<void> {
  const flags = commandsAround(command).flatMap(({ options }) => options.map((option) => variableOf(option.name())));
  const known = [...new Set([variableOf('paths'), RELEASE_KEY, ...flags])];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const { didYouMean, PasskError } = await import('../index.ts');
  const words = known.map((name) => name.slice(VARIABLES.length));
  for (const name of unknown) {
    const meant = didYouMean(name.slice(VARIABLES.length), words);
    if (meant === null) continue;
    throw new PasskError('USAGE', `There is no flag for the environment variable ${name}.`, {
      hint: `Did you mean ${VARIABLES}${meant}?`,
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

/** A configuration file may set it, and nobody else has. */
function isConfigurable(command: Command, option: Option): option is SettingOption {
  if (!(option instanceof SettingOption) || option.row.file === undefined) return false;
  return isOpen(command, option.attributeName()) && !isLeftToMerge(command, option);
}

/** One part of a run takes what is said of a whole run from the command line only, to refuse it there. */
function isLeftToMerge(command: Command, option: Option): boolean {
  if (command.getOptionValue('shard') === undefined) return false;
  return option instanceof SettingOption && option.row.flag.ofWholeRun === true;
}

function isOpen(command: Command, attribute: string): boolean {
  const source = command.getOptionValueSource(attribute);
  return source === undefined || source === 'default';
}

function applyVariable(command: Command, option: Option, env: NodeJS.ProcessEnv): void {
  const attribute = option.attributeName();
  const variable = variableOf(option.name());
  const text = env[variable];
  if (!isSet(text) || !isOpen(command, attribute) || isLeftToMerge(command, option)) return;
  const value = option.isBoolean() || option.negate ? isYes(text, variable) : parsedValue(option, text, variable);
  // `PASSK_NO_COLOR=0` forbids nothing.
  if (option.negate && value === false) return;
  command.setOptionValueWithSource(attribute, option.negate ? false : value, variable);
}

/** What people write for yes and no; as a host, a program or a file nobody means it. */
const YES_OR_NO = /^(?:0|1|yes|no|on|off|true|false)$/i;

function parsedValue(option: Option, text: string, variable: string): unknown {
  if (!(option instanceof KindOption) || option.kind.read === null) return text;
  const { read, isList } = option.kind;
  if (option instanceof SettingOption && option.row.flag.bare === EVERYTHING && YES_OR_NO.test(text.trim())) {
    throw new VariableError(variable, text, 'Name what is granted; "*" grants everything of its kind.');
  }
  try {
    return (isList === true ? listOf(text) : [text]).reduce<unknown>((before, word) => read(word, before), undefined);
  } catch (error) {
    if (error instanceof UnreadableWord) throw new VariableError(variable, text, error.message);
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
