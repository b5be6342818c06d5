import type { Command, Option } from 'commander';
import { alignColumns } from '../align-columns.ts';
import { keyOf } from '../../settings/setting-names.ts';
import { SETTINGS } from '../../settings/table.ts';
import { SettingOption } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

interface SettingRow {
  readonly key: string;
  /** Null: nothing is set. */
  readonly value: unknown;
  /** `default`, `command line`, the variable, or the place in a file. */
  readonly from: string;
}

const EXAMPLES = `
Values come from flags, then PASSK_* variables, then passk.toml or passk.config.js, found upwards.

Examples:
  passk config                  what a run in this folder would use, and where it is said
  passk config --trials 100     the same with flags`;

/** Adds `passk config`: shows what a run with the same flags would use, and where each value came from. */
export function addConfig(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('config')
    .summary('show the settings of a run and where each comes from')
    .description('Prints what a run with the same flags would use and where each value came from; runs nothing.')
    // Its flags are those of `run`, so that what is shown is what a run would use.
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .addHelpText('after', EXAMPLES)
    .action(async () => done(show(command, terminal)));
}

function show(command: Command, terminal: Terminal): number {
  const settings = [
    settingOf(command, { key: 'paths', attribute: 'paths', defaultValue: SETTINGS.paths.default }),
    ...command.options.flatMap((option) =>
      isShown(option)
        ? settingOf(command, {
            key: keyOf(option.setting, option.row),
            attribute: option.attributeName(),
            defaultValue: option.row.default,
          })
        : [],
    ),
  ];
  if (command.getOptionValue('json') === true) {
    terminal.printJson(settings);
    return 0;
  }
  const rows = settings.map(({ key, value, from }) => [key, value === null ? '-' : JSON.stringify(value), from]);
  terminal.print(alignColumns([['setting', 'value', 'from'], ...rows]));
  return 0;
}

interface SettingSource {
  readonly key: string;
  readonly attribute: string;
  readonly defaultValue: unknown;
}

function settingOf(command: Command, { key, attribute, defaultValue }: SettingSource): SettingRow {
  const source = command.getOptionValueSource(attribute);
  const value: unknown = command.getOptionValue(attribute) ?? defaultValue ?? null;
  return { key, value, from: source === 'cli' ? 'command line' : (source ?? 'default') };
}

function isShown(option: Option): option is SettingOption {
  if (!(option instanceof SettingOption) || option.negate || option.hidden) return false;
  return option.row.flag.isUnlisted !== true;
}
