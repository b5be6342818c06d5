import { codeOf } from '../../values/file-problem.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { makeFolder } from '../../records/make-folder.ts';
import { fileWord, shellWord } from '../../values/shell-word.ts';
import { alignColumns } from '../align-columns.ts';
import { firstAgent } from '../first/agent.ts';
import { FIRST_CONTRACT } from '../first/contract.ts';
import { firstPipeline, PIPELINE_FILES, PIPELINES, type Pipeline } from '../first/pipeline.ts';
import { FIRST_SCENARIO } from '../first/scenario.ts';
import { installedSchema, type SchemaKind } from '../first/schema-file.ts';
import { FIRST_SESSION } from '../first/session.ts';
import { messageOf } from '../message-of.ts';
import type { Terminal } from '../terminal.ts';

/** What is written, and what to do with it next. */
interface First {
  readonly file: string;
  readonly text: string;
  /** What an editor checks it by; absent: nothing does. */
  readonly schema?: SchemaKind;
  readonly next: readonly (readonly [command: string, purpose: string])[];
}

interface InitFlags {
  readonly contract?: true;
  readonly session?: true;
  readonly agent?: string;
  readonly ci?: Pipeline;
}

const EXAMPLES = `
Examples:
  passk init
  passk init --agent http://localhost:8000/ask
  passk init --ci github scenarios`;

/** Adds `passk init`: writes a first file of each kind. */
export function addInit(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('init')
    .summary('write a first scenario, contract, tasks or CI file, with comments')
    .description(
      'Writes a first scenario, or what a flag says, with comments and the schema for editors. Never overwrites a file.',
    )
    .argument('[dir]', 'the folder to write to, or that --ci runs (default: scenarios, contracts, sessions or agents)')
    .addOption(new Option('--contract', 'write a contract').conflicts(['session', 'agent', 'ci']))
    .addOption(new Option('--session', 'write tasks for an agent with tools and a user').conflicts(['agent', 'ci']))
    .addOption(
      new Option('--agent <url>', 'write questions for the agent at this address').argParser(address).conflicts('ci'),
    )
    .addOption(new Option('--ci <service>', 'write the file that runs passk on every change').choices(PIPELINES))
    .addHelpText('after', EXAMPLES)
    .action(async (dir: string | undefined, flags: InitFlags) => done(await init(firstOf(dir, flags), terminal)));
}

function address(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('Write a whole address, such as http://localhost:8000/ask.');
  }
  return text;
}

function firstOf(dir: string | undefined, { contract, session, agent, ci }: InitFlags): First {
  if (ci !== undefined) return pipelineFirst(ci, dir ?? 'scenarios');
  if (contract === true) return contractFirst(dir ?? 'contracts');
  if (session === true) return sessionFirst(dir ?? 'sessions');
  return agent === undefined ? scenarioFirst(dir ?? 'scenarios') : agentFirst(dir ?? 'agents', agent);
}

/** The text with commands that work where `init` was run, as those below it do. */
function inPlace(text: string, file: string): string {
  return text.replaceAll(' first.toml', () => ` ${fileWord(file)}`);
}

function scenarioFirst(dir: string): First {
  const file = path.join(dir, 'first.toml');
  return {
    file,
    text: inPlace(FIRST_SCENARIO, file),
    schema: 'scenario',
    next: [
      [`passk ${fileWord(dir)}`, 'run it'],
      [`passk trace ${fileWord(file)} --trial 1`, 'see one trial step by step'],
      [`passk ${fileWord(dir)} --trials 100000`, 'run it on all cores'],
    ],
  };
}

function contractFirst(dir: string): First {
  const file = path.join(dir, 'first.toml');
  return {
    file,
    text: inPlace(FIRST_CONTRACT, file),
    schema: 'contract',
    next: [
      [`passk contract run ${fileWord(dir)}`, 'run it: two cells fail, and the report shows why'],
      [`passk contract validate ${fileWord(file)}`, 'see what it holds'],
      [`passk contract run ${fileWord(dir)} --reporter html:report.html`, 'see the matrix in a browser'],
    ],
  };
}

function sessionFirst(dir: string): First {
  const file = path.join(dir, 'first.toml');
  return {
    file,
    text: inPlace(FIRST_SESSION, file),
    schema: 'session',
    next: [
      [`passk ${fileWord(dir)}`, 'run it: one of two agents fails, and the report shows why'],
      [`passk audit set ${fileWord(dir)}`, 'ask whether its tasks tell good agents from bad ones'],
      [`passk ${fileWord(dir)} --reporter html:report.html`, 'see it in a browser'],
    ],
  };
}

function agentFirst(dir: string, endpoint: string): First {
  const grant = `--allow-net=${new URL(endpoint).host}`;
  const file = path.join(dir, 'first.toml');
  return {
    file,
    text: inPlace(firstAgent(endpoint), file),
    schema: 'session',
    next: [
      [`passk ${fileWord(dir)} ${shellWord(grant)}`, 'ask it'],
      [`passk ${fileWord(dir)} ${shellWord(grant)} --gate 'pass^8 >= 0.9'`, 'ask whether eight in a row go well'],
      [`passk ${fileWord(dir)} ${shellWord(grant)} --reporter html:report.html`, 'read what it said in a browser'],
    ],
  };
}

function pipelineFirst(pipeline: Pipeline, dir: string): First {
  return {
    file: path.normalize(PIPELINE_FILES[pipeline]),
    text: firstPipeline(pipeline, dir),
    next: [['npm install --save-dev passk', 'if it is not installed: CI runs `npm ci`']],
  };
}

async function init({ file, text, schema, next }: First, terminal: Terminal): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { contractJsonSchema, scenarioJsonSchema, sessionJsonSchema } = await import('../../public/schemas.ts');
  const schemas = { scenario: scenarioJsonSchema, contract: contractJsonSchema, session: sessionJsonSchema };
  const dir = path.dirname(file);
  const installed = schema === undefined ? null : installedSchema(dir, schema);
  // Before anything is written: nothing is left half made.
  const schemaText =
    schema === undefined || installed !== null ? null : `${JSON.stringify(await schemas[schema](), null, 2)}\n`;
  try {
    makeFolder(dir);
    await writeFile(file, installed === null ? text : text.replace(`./${schema}.schema.json`, installed), {
      flag: 'wx',
    });
  } catch (cause) {
    const exists = codeOf(cause) === 'EEXIST';
    const what = exists
      ? `${file} exists already and stays as it is.`
      : `${file} cannot be written: ${messageOf(cause)}.`;
    const [run] = next[0] ?? [''];
    const hint =
      schema === undefined
        ? 'Remove it first, or add a step to it.'
        : `Run it with: ${run}. Or name another folder: passk init other-folder.`;
    throw new PasskError('OUTPUT', what, { hint: exists ? hint : 'Name a folder that may be written to.', cause });
  }
  const files =
    schemaText === null
      ? [file]
      : [file, ...(await writeIfAbsent(path.join(dir, `${schema}.schema.json`), schemaText))];
  const commands = next.map(([command, purpose]) => [`  ${command}`, purpose]);
  terminal.print(`Wrote ${files.join(' and ')}.\n\nNext:\n${alignColumns(commands)}`);
  return 0;
}

async function writeIfAbsent(file: string, text: string): Promise<readonly string[]> {
  return writeFile(file, text, { flag: 'wx' }).then(
    () => [file],
    () => [],
  );
}
