import type { Command, Option } from 'commander';
import type { ConfigKey, LoadedConfig } from '../public/configuration.ts';
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
 * Fills the flags and paths that the command line does not set: from `PASSK_*` variables, then from the configuration
 * file, as far as the user agrees to it. The source of each value says where it came from. Rejects with a `PasskError` for
 * values that cannot be used.
 */
export async function applySettings(command: Command, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const variables = Object.keys(env).filter((name) => name.startsWith(VARIABLES));
  if (variables.length > 0) await applyVariables(command, env, variables);
  const takesPaths = command.registeredArguments[0]?.name() === 'paths';
  const words: unknown = command.processedArgs[0];
  let paths: Paths | null = Array.isArray(words) && words.length > 0 ? { value: words, from: 'cli' } : null;
  const fromEnv = env[variableOf('paths')];
  if (takesPaths && paths === null && isSet(fromEnv)) paths = { value: listOf(fromEnv), from: variableOf('paths') };
  const settingOptions = command.options.filter((option) => isConfigurable(command, option));
  const takesModels = command.options.some((option) => option.name() === 'model');
  if (settingOptions.length > 0 || takesPaths) {
    const uses = [
      ...settingOptions.map(({ setting, row }) => keyOf(setting, row) as ConfigKey),
      // Models of the file are asked in live runs only, and by its judges in every run.
      ...(takesModels && command.getOptionValue('live') === true ? (['models'] as const) : []),
      ...(takesModels ? (['judges'] as const) : []),
      ...(takesPaths && paths === null ? (['paths'] as const) : []),
    ];
    const config = await agreedSettings(command, { uses, terminal });
    if (config !== null) warnOfReplacedGates(command, config, terminal);
    for (const option of config === null ? [] : settingOptions) {
      const { setting, row } = option;
      const value = config === null ? undefined : configuredValue(config.values, setting, row);
      if (value === undefined) continue;
      command.setOptionValueWithSource(option.attributeName(), value, config?.places[keyOf(setting, row) as ConfigKey]);
    }
    // They stand beside those of the flags: `--model` sets models one by one, by name.
    if (config?.values.models !== undefined && takesModels) {
      command.setOptionValueWithSource('models', config.values.models, config.places.models);
    }
    // Who merges reads what a judge's calibration says, and asks nobody.
    if (config?.values.judges !== undefined && (takesModels || command.name() === 'merge')) {
      command.setOptionValueWithSource('judges', config.values.judges, config.places.judges);
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

/** Gates of the command line are all that hold: who adds one to those of the file hears that these are gone. */
function warnOfReplacedGates(command: Command, { values, places, file }: LoadedConfig, terminal: Terminal): void {
  const flag = command.options.find((option) => option instanceof SettingOption && option.setting === 'gates');
  const attribute = flag?.attributeName();
  if (attribute === undefined || isUnset(command, attribute) || command.getOptionValue('quiet') === true) return;
  const gates: unknown = command.getOptionValue(attribute);
  const left = (values.gates ?? []).filter((gate) => !Array.isArray(gates) || !gates.includes(gate));
  if (left.length === 0) return;
  const what = left.length === 1 ? 'A gate' : `${left.length} gates`;
  terminal.say(
    `warning: ${what} of ${places.gates ?? file} ${left.length === 1 ? 'is' : 'are'} not judged: --gate takes the place of them all.`,
  );
}

async function applyVariables(command: Command, env: NodeJS.ProcessEnv, names: readonly string[]): Promise<void> {
  try {
    // `--shard` comes first: some of the others do not hold for a part of a run.
    const options = [...command.options].sort((a, b) => Number(isShard(b)) - Number(isShard(a)));
    for (const option of options) applyVariable(command, option, env);
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    const { PasskError } = await import('../public/suites.ts');
    throw new PasskError('USAGE', error.message);
  }
  await refuseMisspelt(command, names);
}

/** Holds the text of the key that releases are signed with. No flag does: others can read command lines. */
export const RELEASE_KEY = `${VARIABLES}RELEASE_KEY`;

/** Throws for a variable that is almost the name of a flag's. One that is like none belongs to another program. */
async function refuseMisspelt(command: Command, names: readonly string[]): Promise<void> {
  const flags = commandsAround(command).flatMap(({ options }) => options.map((option) => variableOf(option.name())));
  const flagVariables = [...new Set([variableOf('paths'), RELEASE_KEY, ...flags])];
  const others = names.filter((name) => !flagVariables.includes(name));
  if (others.length === 0) return;
  const { didYouMean, PasskError } = await import('../public/suites.ts');
  const words = flagVariables.map((name) => name.slice(VARIABLES.length));
  for (const name of others) {
    const meant = didYouMean(name.slice(VARIABLES.length), words);
    if (meant === null) continue;
    throw new PasskError('USAGE', `There is no flag for the environment variable ${name}.`, {
      hint: `Did you mean ${VARIABLES}${meant}?`,
    });
  }
}

/** All commands of the program, with their subcommands. */
function commandsAround(command: Command): readonly Command[] {
  let top = command;
  while (top.parent !== null) top = top.parent;
  const below = (one: Command): readonly Command[] => [one, ...one.commands.flatMap(below)];
  return below(top);
}

function isShard(option: Option): boolean {
  return option.name() === 'shard';
}

/** Whether a configuration file may set the option, and neither a flag nor a variable has set it. */
function isConfigurable(command: Command, option: Option): option is SettingOption {
  if (!(option instanceof SettingOption) || option.row.file === undefined) return false;
  return isUnset(command, option.attributeName()) && !isForMerge(command, option);
}

/** A shard has no use for settings of a whole run. It takes them from the command line alone, to refuse them. */
function isForMerge(command: Command, option: Option): boolean {
  if (command.getOptionValue('shard') === undefined) return false;
  return option instanceof SettingOption && option.row.flag.ofWholeRun === true;
}

function isUnset(command: Command, attribute: string): boolean {
  const source = command.getOptionValueSource(attribute);
  return source === undefined || source === 'default';
}

function applyVariable(command: Command, option: Option, env: NodeJS.ProcessEnv): void {
  const attribute = option.attributeName();
  const variable = variableOf(option.name());
  const text = env[variable];
  if (!isSet(text) || !isUnset(command, attribute) || isForMerge(command, option)) return;
  const value = option.isBoolean() || option.negate ? isYes(text, variable) : parsedValue(option, text, variable);
  // `PASSK_NO_COLOR=0` forbids nothing.
  if (option.negate && value === false) return;
  command.setOptionValueWithSource(attribute, option.negate ? false : value, variable);
}

/** What people write for yes and no. Nobody means a host, a program or a file by it. */
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

/** The values of a variable: they stand on lines of their own, or between semicolons. */
function listOf(text: string): readonly string[] {
  return text
    .split(/[;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
