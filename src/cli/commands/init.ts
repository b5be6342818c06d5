import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { alignColumns } from '../align-columns.ts';
import { FIRST_CONTRACT } from '../first-contract.ts';
import { FIRST_SCENARIO } from '../first-scenario.ts';
import type { Terminal } from '../terminal.ts';

/** What is written, where, and what to do with it next. */
interface FirstFile {
  readonly dir: string;
  readonly text: string;
  readonly schema: string;
  readonly next: (dir: string, file: string) => readonly (readonly [command: string, purpose: string])[];
}

const SCENARIO: FirstFile = {
  dir: 'scenarios',
  text: FIRST_SCENARIO,
  schema: 'scenario.schema.json',
  next: (dir, file) => [
    [`  passk ${dir}`, 'run it'],
    [`  passk trace ${file} --trial 1`, 'see one trial step by step'],
    [`  passk ${dir} --trials 100000`, 'run it on all cores'],
  ],
};

const CONTRACT: FirstFile = {
  dir: 'contracts',
  text: FIRST_CONTRACT,
  schema: 'contract.schema.json',
  next: (dir, file) => [
    [`  passk contract run ${dir}`, 'run it: two cells fail, and the report shows why'],
    [`  passk contract validate ${file}`, 'see what it holds'],
    [`  passk contract run ${dir} --reporter html:report.html`, 'see the matrix in a browser'],
  ],
};

/** Adds `passk init`: writes a first scenario or contract. */
export function addInit(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('init')
    .summary('write a first scenario or contract, with comments')
    .description(
      'Writes a first scenario or contract with comments, and the schema for editors. Never overwrites a file.',
    )
    .argument('[dir]', 'the folder to write to (default: scenarios, or contracts)')
    .option('--contract', 'write a contract')
    .action(async (dir: string | undefined, { contract }: { readonly contract?: boolean }) => {
      done(await init(dir, contract === true ? CONTRACT : SCENARIO, terminal));
    });
}

async function init(dirArgument: string | undefined, first: FirstFile, terminal: Terminal): Promise<number> {
  const { PasskError, contractJsonSchema, scenarioJsonSchema } = await import('../../index.ts');
  const dir = dirArgument ?? first.dir;
  const schema = await (first === CONTRACT ? contractJsonSchema() : scenarioJsonSchema());
  const file = path.join(dir, 'first.toml');
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(file, first.text, { flag: 'wx' });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const what = exists ? `${file} exists already and stays as it is.` : `${file} cannot be written.`;
    const hint = exists ? `Run it with: passk ${dir}. Or name another folder: passk init other-folder.` : String(cause);
    throw new PasskError('OUTPUT', what, { hint, cause });
  }
  const schemaText = `${JSON.stringify(schema, null, 2)}\n`;
  const files = [file, ...(await writeIfAbsent(path.join(dir, first.schema), schemaText))];
  terminal.print(`Wrote ${files.join(' and ')}.\n\nNext:\n${alignColumns(first.next(dir, file))}`);
  return 0;
}

async function writeIfAbsent(file: string, text: string): Promise<readonly string[]> {
  return writeFile(file, text, { flag: 'wx' }).then(
    () => [file],
    () => [],
  );
}
