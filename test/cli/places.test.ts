import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/index.ts';
import { aFolder, aGreeting, PASSK, runPassk } from './run-passk.ts';
import { judged } from '../support/sampled.ts';

/** A project with failing scenarios and contracts in `suite`, and an empty folder `here` beside it to work in. */
function aPlace({ marked = false }: { readonly marked?: boolean } = {}): {
  readonly base: string;
  readonly cwd: string;
} {
  const base = aFolder();
  const cwd = path.join(base, 'here');
  for (const folder of ['here', 'suite/a', "suite/it's b"]) mkdirSync(path.join(base, folder), { recursive: true });
  if (marked) writeFileSync(path.join(base, 'suite/.git'), '');
  writeFileSync(path.join(base, 'suite/a/f.toml'), aGreeting({ name: 'one', lastNode: 'greet' }));
  writeFileSync(path.join(base, "suite/it's b/f.toml"), aGreeting({ name: 'two', lastNode: 'greet' }));
  // A file of the same name where the reader is must not be taken for it.
  writeFileSync(path.join(cwd, 'f.toml'), aGreeting({ name: 'another' }));
  return { base, cwd };
}

/** Every command that a text shows, as words. */
function commandsIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/passk (trace .*?--trial \d+ --seed \d+)/gs)].map(
    ([, words = '']) =>
      words
        .replaceAll(/\\\n\s+/g, '')
        .match(/(?:'[^']*'|\\.|[^\s'\\])+/g)
        ?.map((word) => word.replaceAll(/'([^']*)'|\\(.)/g, '$1$2')) ?? [],
  );
}

const WAYS = [
  { way: 'a folder beside the current one', args: () => ['../suite'] },
  { way: 'a folder by its whole path', args: (base: string) => [path.join(base, 'suite')] },
  { way: 'files of several folders', args: () => ["../suite/it's b/f.toml", '../suite/a/f.toml'] },
  { way: 'a pattern', args: () => ['../suite/*/f.toml'] },
];

test.each(
  WAYS.flatMap((one) => [
    { ...one, marked: false },
    { ...one, marked: true },
  ]),
)(
  'commands that a report shows work in the folder it was made in: $way, in a project: $marked',
  async ({ args, marked }) => {
    const { base, cwd } = aPlace({ marked });
    const { stdout } = await runPassk([...args(base), '--workers', '0'], { cwd });
    const commands = commandsIn(stdout);
    expect(commands.length).toBe(2);
    const shown = await Promise.all(commands.map((words) => runPassk([...words, '--json'], { cwd })));
    const names = shown.map(({ stdout: json }) => (JSON.parse(json) as { scenario: { name: string } }).scenario.name);
    expect(names.sort()).toEqual(['one', 'two']);
  },
);

test.each(['junit', 'tap', 'markdown', 'github'])(
  '%s names files as they are typed where passk ran',
  async (reporter) => {
    const { cwd } = aPlace();
    const { stdout } = await runPassk(['../suite', '--workers', '0', '--reporter', `${reporter}:report`], { cwd });
    expect(stdout).toContain('../suite/a/f.toml');
    const written = readFileSync(path.join(cwd, 'report'), 'utf8');
    expect(written).toContain('../suite/a/f.toml');
    expect(written).not.toMatch(/(?<!suite\/)a\/f\.toml/);
  },
);

test('problems are shown where they are, seen from the current folder', async () => {
  const { base, cwd } = aPlace();
  writeFileSync(path.join(base, 'suite/a/bad.toml'), aGreeting({ name: 'bad', top: 'trails = 3' }));
  for (const words of [['../suite'], ['validate', '../suite'], ['../suite', '--keep-going']]) {
    const { stdout, stderr } = await runPassk(words, { cwd });
    expect([words, `${stdout}${stderr}`.includes('../suite/a/bad.toml:3:1')]).toEqual([words, true]);
  }
  const { stdout } = await runPassk(['list', '../suite', '--json'], { cwd });
  const files = (JSON.parse(stdout) as readonly { readonly file: string }[]).map(({ file }) => file);
  expect(files.map((file) => existsSync(path.join(cwd, file)))).toEqual([true, true]);
});

test('the report itself is the same from any folder and in any clone; timing says where its names start', async () => {
  const { base, cwd } = aPlace({ marked: true });
  const clone = path.join(aFolder(), 'elsewhere/clone');
  mkdirSync(clone, { recursive: true });
  cpSync(path.join(base, 'suite'), path.join(clone, 'suite'), { recursive: true });
  const reports: SuiteReport[] = [];
  for (const [folder, from] of [
    ['../suite', cwd],
    [path.join(clone, 'suite'), cwd],
    ['.', path.join(clone, 'suite')],
  ] as const) {
    const { stdout } = await runPassk([folder, '--json', '--workers', '0'], { cwd: from });
    reports.push(JSON.parse(stdout) as SuiteReport);
  }
  const lasting = reports.map(({ timing: _, ...report }) => report);
  expect(lasting[1]).toEqual(lasting[0]);
  expect(lasting[2]).toEqual(lasting[0]);
  expect(reports.map(({ timing: { root } }) => root)).toEqual(['../suite', path.join(clone, 'suite'), undefined]);
});

test('the command for a recorded trial finds it in its cassette, wherever the files lie', async () => {
  const { base, cwd } = aPlace();
  const text = aGreeting({ name: 'asks', lastNode: 'greet' }).replace(
    'type = "template_render"',
    'type = "read_env"\nkey = "PLACE"\n#',
  );
  const asking = text.replace(/#.*\n(?:template|input_from) = .*\n(?:template|input_from) = .*\n/, '\n');
  writeFileSync(path.join(base, 'suite/a/f.toml'), asking);
  const run = await runPassk(['../suite', '--allow-env=PLACE', '--record', 'run.cassette'], {
    cwd,
    env: { PLACE: 'x' },
  });
  const [command] = [...run.stdout.matchAll(/passk (trace .*?--replay\s(?:\\\n\s+)?run\.cassette)/gs)].map(
    ([, words = '']) => words.replaceAll(/\\\n\s+/g, '').split(/\s+/),
  );
  const shown = await runPassk(command ?? [], { cwd });
  expect(shown.stderr).toBe('');
  expect(shown.stdout).toContain('PLACE');
});

/** What people, and strangers, call files. */
const NAMES = [
  '--plugin=x.toml',
  '-e.toml',
  '--.toml',
  '-.toml',
  '~x.toml',
  '$HOME.toml',
  '`id`.toml',
  "it's.toml",
  'two words.toml',
  '[a-c].toml',
  '*.toml',
  '#x.toml',
  '!x.toml',
  'a;b.toml',
  'a=b.toml',
  '\\x.toml',
  'history.toml',
  '{a,b}.toml',
];

test('commands that a report shows work in a shell, whatever files are called', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'passk'), `#!/bin/sh\nexec '${process.execPath}' '${PASSK}' "$@"\n`, { mode: 0o755 });
  for (const [index, name] of NAMES.entries()) {
    writeFileSync(path.join(cwd, name), aGreeting({ name: `${index}`, trials: 1, lastNode: 'greet' }));
  }
  const { stdout } = await runPassk(['.', '--workers', '0', '--json'], { cwd });
  const { scenarios } = JSON.parse(stdout) as SuiteReport;
  expect(scenarios.length).toBe(NAMES.length);
  const commands = scenarios.map(judged).map(({ name, failures: [failure] }) => [name, failure?.replay ?? ''] as const);
  for (const [name, command] of commands) {
    const shown = spawnSync('bash', ['-c', `${command} --json`], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${cwd}:${process.env['PATH']}`, HOME: '/nowhere' },
    });
    expect([command, shown.stderr]).toEqual([command, '']);
    expect((JSON.parse(shown.stdout) as { scenario: { name: string } }).scenario.name).toBe(name);
  }
});
