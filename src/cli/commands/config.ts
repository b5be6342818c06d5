import type { Command, Option } from 'commander';
import { alignColumns } from '../align-columns.ts';
import { CONFIG_KEYS, configuredValue } from '../settings.ts';
import type { Terminal } from '../terminal.ts';

interface Setting {
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

/** Adds `passk config`: what a run with the same flags would use, and where each value came from. */
export function addConfig(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('config')
    .summary('show the settings of a run and where each comes from')
    .description('Prints what a run with the same flags would use and where each value came from; runs nothing.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)');
  // Those of `run`, so that what is shown is what it would use.
  const run = program.commands.find((candidate) => candidate.name() === 'run');
  for (const option of run?.options ?? []) {
    if (option.long !== '--no-color') command.addOption(option);
  }
  command.addHelpText('after', EXAMPLES).action(async () => done(await show(command, terminal)));
}

async function show(command: Command, terminal: Terminal): Promise<number> {
  const { defaultConfig } = await import('../../index.ts');
  const defaults = defaultConfig();
  const settings = ['paths', ...command.options.filter(isShown).map((option) => option.attributeName())].map(
    (attribute): Setting => {
      const key = CONFIG_KEYS[attribute];
      const source = command.getOptionValueSource(attribute);
      const value: unknown =
        command.getOptionValue(attribute) ?? (key === undefined ? null : configuredValue(defaults, key)) ?? null;
      return { key: key ?? attribute, value, from: source === 'cli' ? 'command line' : (source ?? 'default') };
    },
  );
  if (command.getOptionValue('json') === true) {
    terminal.printJson(settings);
    return 0;
  }
  const rows = settings.map(({ key, value, from }) => [key, value === null ? '-' : JSON.stringify(value), from]);
  terminal.print(alignColumns([['setting', 'value', 'from'], ...rows]));
  return 0;
}

/** `--json` is about this command's own output; the address of a queue may hold a password. */
function isShown(option: Option): boolean {
  return (
    !option.negate && !option.hidden && !['json', 'watch', 'open', 'queue', 'config', 'trust'].includes(option.name())
  );
}
