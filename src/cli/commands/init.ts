import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { alignColumns } from '../align-columns.ts';
import { FIRST_SCENARIO } from '../first-scenario.ts';
import type { Terminal } from '../terminal.ts';

/** Adds `passk init`: a first scenario to start from. */
export function addInit(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('init')
    .summary('write a first scenario, with comments')
    .description('Writes a first scenario with comments, and the schema for editors. Never overwrites a file.')
    .argument('[dir]', 'the folder to write to', 'scenarios')
    .action(async (dir: string) => done(await init(dir, terminal)));
}

async function init(dir: string, terminal: Terminal): Promise<number> {
  const { PasskError, scenarioJsonSchema } = await import('../../index.ts');
  const schema = `${JSON.stringify(await scenarioJsonSchema(), null, 2)}\n`;
  const scenario = path.join(dir, 'first.toml');
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(scenario, FIRST_SCENARIO, { flag: 'wx' });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const what = exists ? `${scenario} exists already and stays as it is.` : `${scenario} cannot be written.`;
    const hint = exists ? `Run it with: passk ${dir}. Or name another folder: passk init other-folder.` : String(cause);
    throw new PasskError('OUTPUT', what, { hint, cause });
  }
  const written = [scenario, ...(await writeIfAbsent(path.join(dir, 'scenario.schema.json'), schema))];
  const next = alignColumns([
    [`  passk ${dir}`, 'run it'],
    [`  passk trace ${scenario} --trial 1`, 'see one trial step by step'],
    [`  passk ${dir} --trials 100000`, 'run it on all cores'],
  ]);
  terminal.print(`Wrote ${written.join(' and ')}.\n\nNext:\n${next}`);
  return 0;
}

async function writeIfAbsent(file: string, text: string): Promise<readonly string[]> {
  return writeFile(file, text, { flag: 'wx' }).then(
    () => [file],
    () => [],
  );
}
