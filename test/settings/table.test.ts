import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { nameOf } from '../../src/cli/name-of.ts';
import { createProgram } from '../../src/cli/program.ts';
import { SettingOption } from '../../src/cli/setting-option.ts';
import { ALL_COMMANDS, CONFIGURED } from '../../src/settings/commands.ts';
import type { Setting } from '../../src/settings/setting.ts';
import { variableOf } from '../../src/settings/setting-names.ts';
import { SETTINGS } from '../../src/settings/table.ts';
import { aTerminal } from '../cli/a-terminal.ts';

const ROWS = Object.entries<Setting>(SETTINGS);

/** Every command that does something, by what it is called. */
async function commands(): Promise<ReadonlyMap<string, Command>> {
  const program = await createProgram(aTerminal().terminal, () => undefined);
  const all = program.commands.flatMap((one) => [one, ...one.commands]);
  return new Map(all.map((command) => [nameOf(command), command]));
}

test('the commands that rows name are those that there are', async () => {
  expect([...(await commands()).keys()].sort()).toEqual([...ALL_COMMANDS].sort());
});

test('no flag says twice that it is repeatable, or has nothing as its default', async () => {
  const options = [...(await commands()).values()].flatMap((command) => command.options);
  expect(
    options.filter(({ description }) => /repeatable.*repeatable/.test(description)).map(({ long }) => long),
  ).toEqual([]);
  expect(options.filter(({ defaultValue }) => Array.isArray(defaultValue)).map(({ long }) => long)).toEqual([]);
});

test('every command that a configuration file may set something of takes --config and --trust', async () => {
  const settable = [...(await commands())].filter(
    ([
      ,
      {
        options,
        registeredArguments: [first],
      },
    ]) => {
      const isKey = (option: unknown): boolean => option instanceof SettingOption && option.row.file !== undefined;
      return first?.name() === 'paths' || options.some(isKey);
    },
  );
  expect(settable.map(([name]) => name).sort()).toEqual([...CONFIGURED].sort());
});

test('no command has two flags for one variable, unless one is the negation of the other', async () => {
  for (const [name, { options }] of await commands()) {
    const variables = options.filter(({ negate }) => !negate).map((option) => variableOf(option.name()));
    expect([name, variables.filter((one, index) => variables.indexOf(one) !== index)]).toEqual([name, []]);
  }
});

test('the name of a flag follows from that of its setting, but where the unit is in the value or other tools have a name', () => {
  expect(ROWS.filter(([, { flag }]) => flag?.name !== undefined).map(([name]) => name)).toEqual([
    'timeoutMs',
    'runnerUrl',
    'pluginConcurrency',
  ]);
});

test('every default is a value that a program may give, and every file setting has a schema', () => {
  const wrong = ROWS.filter(([, row]) => row.default !== undefined && row.kind.problem(row.default) !== null);
  const shapeless = ROWS.filter(([, { file, kind }]) => file !== undefined && kind.schema === null);
  expect([...wrong, ...shapeless].map(([name]) => name)).toEqual([]);
});

test('what a switch takes is nothing, and every other flag reads words', () => {
  const odd = ROWS.filter(([, { flag, kind }]) => {
    if (flag === undefined) return false;
    return ((flag.kind ?? kind).read === null) !== (flag.value === undefined);
  });
  expect(odd.map(([name]) => name)).toEqual([]);
});
