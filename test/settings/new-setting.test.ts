import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { sameOptions } from '../../src/cli/setting-options.ts';
import { configSchema } from '../../src/settings/config-schema.ts';
import { defaultConfig } from '../../src/settings/default-config.ts';
import { wholeNumber } from '../../src/settings/kinds.ts';
import { readConfig } from '../../src/settings/load-config.ts';
import { optionIssues } from '../../src/settings/option-issues.ts';
import { filledIn } from '../../src/settings/options.ts';
import type { Setting, Table } from '../../src/settings/setting.ts';
import { SETTINGS } from '../../src/settings/table.ts';
import { aTerminal } from '../cli/a-terminal.ts';

// What CONTRIBUTING says that a new setting costs: one row.
const loudness: Setting = {
  kind: wholeNumber(1, 9),
  file: 'How loud the bell is.',
  option: 'run',
  default: 3,
  flag: { on: ['run'], value: 'n', help: 'how loud the bell is' },
};
const table: Table = { ...SETTINGS, bellLoudness: loudness };

/** What the program prints with the table of this test. */
async function printed(...words: readonly string[]): Promise<string> {
  const { terminal, text } = aTerminal();
  const program = await createProgram(terminal, () => undefined, { table });
  await program.parseAsync(words, { from: 'user' });
  return text();
}

/** The line of `passk config` about it. */
async function configured(...words: readonly string[]): Promise<unknown> {
  const settings = JSON.parse(await printed('config', '--no-config', '--json', ...words)) as { readonly key: string }[];
  return settings.find(({ key }) => key === 'bellLoudness');
}

test('a new row is a flag, with its default, in the help of the commands that take it', async () => {
  const program = await createProgram(aTerminal().terminal, () => undefined, { table });
  const helps = program.commands.map((command) => [command.name(), command.helpInformation()] as const);
  const having = helps.filter(([, help]) => /--bell-loudness <n> +how loud the bell is \(default: 3\)/.test(help));
  expect(having.map(([name]) => name)).toEqual(['run', 'config']);
});

test('a new row is a key of both kinds of configuration files', () => {
  const schema = { type: 'integer', minimum: 1, maximum: 9, description: 'How loud the bell is.' };
  expect(configSchema(true, table)).toMatchObject({ properties: { bell_loudness: schema } });
  expect(configSchema(false, table)).toMatchObject({ properties: { bellLoudness: schema } });
});

test('passk config shows a new row with its default, from its variable and from its flag', async () => {
  expect(await configured()).toEqual({ key: 'bellLoudness', value: 3, from: 'default' });
  vi.stubEnv('PASSK_BELL_LOUDNESS', '4');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await configured()).toEqual({ key: 'bellLoudness', value: 4, from: 'PASSK_BELL_LOUDNESS' });
  expect(await configured('--bell-loudness', '5')).toEqual({ key: 'bellLoudness', value: 5, from: 'command line' });
  expect(defaultConfig(table)).toMatchObject({ bellLoudness: 3 });
});

test('a new row is read from a configuration file, and refused there with its place', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-bell-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = path.join(cwd, 'passk.toml');
  writeFileSync(file, 'bell_loudness = 7\n');
  const read = await readConfig({ cwd, file }, table);
  expect([read?.values, read?.places]).toEqual([{ bellLoudness: 7 }, { bellLoudness: 'passk.toml:1' }]);
  writeFileSync(file, 'bell_loudnes = 7\nbell_loudness = 10\n');
  const refused = await readConfig({ cwd, file }, table).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    issues: [
      { message: '"bell_loudnes" is not a known key.', hint: 'Did you mean "bell_loudness"?', at: { line: 1 } },
      { message: '"bell_loudness" must be at least 1 and at most 9, not 10.', at: { line: 2 } },
    ],
  });
});

test('a new row is an option of the library, checked and filled in', () => {
  expect(optionIssues({ bellLoudness: 5 }, table)).toEqual([]);
  expect(optionIssues({ bellLoudness: 10, bellLoudnes: 5 }, table).map(({ message, hint }) => hint ?? message)).toEqual(
    ['`bellLoudness` must be a whole number from 1 to 9, got 10.', 'Did you mean "bellLoudness"?'],
  );
  expect(filledIn({}, 'run', table)).toMatchObject({ bellLoudness: 3 });
  expect(filledIn({ bellLoudness: 5 }, 'run', table)).toMatchObject({ bellLoudness: 5 });
  // What its flag says is what the library is told.
  expect(sameOptions({ bellLoudness: 5 } as object, table)).toEqual({ bellLoudness: 5 });
});
