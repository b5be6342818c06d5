import type { Command } from 'commander';
import type { LoadedSuite } from '../../public/suites.ts';
import type { Contract, OverallScore } from '../../public/types.ts';
import { alignColumns } from '../align-columns.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { withPrograms } from '../interrupt.ts';
import { runAndReport } from '../run-and-report.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { RUN_PATHS } from './run.ts';

const EXAMPLES = `
Examples:
  passk contract run contracts --trials 1000
  passk contract run agent.yaml --allow-net=127.0.0.1:8000
  passk contract validate
  passk contract score finance.toml            for scripts: the score from 0 to 100 and nothing else`;

type Done = (exitCode: number) => void;

/** Adds `passk contract`: contracts alone, run, checked or scored. */
export function addContract(program: Command, terminal: Terminal, done: Done): void {
  const contract = program
    .command('contract')
    .summary('run, check or score contracts')
    .description('Runs contracts and leaves scenarios out: rules that must hold while the world breaks.')
    .addHelpText('after', EXAMPLES);
  contract
    .command('run')
    .summary('run contracts and report')
    .description('Runs contracts; reports as run.')
    .argument('[paths...]', RUN_PATHS)
    .action(async (paths: readonly string[], _, command: Command) => {
      const part = { only: 'contracts' } as const;
      done(await runAndReport(paths, settingsOf(command), { terminal, verb: ['contract', 'run'], part }));
    });
  contract
    .command('validate')
    .summary('check contract files and say what they hold')
    .description('Checks contract files without running them; prints what each holds, or every problem with its place.')
    .argument('[paths...]', 'contract files, folders or globs (default: the current folder)')
    .action(async (paths: readonly string[], _, command: Command) =>
      done(await check(paths, settingsOf(command), terminal)),
    );
  contract
    .command('score')
    .summary('print the score of contracts, and nothing else')
    .description('Runs contracts and prints their resilience score, 0.00 to 100.00; the exit code is that of a run.')
    .argument('[paths...]', RUN_PATHS)
    .action(async (paths: readonly string[], _, command: Command) =>
      done(await score(paths, settingsOf(command), terminal)),
    );
}

async function check(paths: readonly string[], settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { loadSuite, printIssues } = await import('../../public/suites.ts');
  const suite = await loadSuite({ ...(await runOptions(paths, settings, terminal)), only: 'contracts' });
  const { files, issues, definitions } = suite;
  const errors = issues.filter((issue) => issue.severity === 'error').length;
  const contracts = definitions.filter((one) => one.kind === 'contract').map((contract) => rowOf(contract, suite));
  if (settings.json === true) {
    const warnings = issues.length - errors;
    terminal.printJson({ files, errors, warnings, issues, contracts: contracts });
  } else {
    if (contracts.length > 0) terminal.print(contractTable(contracts));
    const color = settings.color !== false && terminal.color;
    if (issues.length > 0) terminal.print(printIssues(issues, { color }), { color });
    else if (files.length === 0) terminal.print('No contract files were found.\n');
  }
  return errors > 0 || files.length === 0 ? 2 : 0;
}

interface ContractRow {
  readonly name: string;
  readonly file: string;
  readonly phase: Contract['phase'];
  readonly subject: string;
  readonly invariants: number;
  readonly columns: number;
  readonly prompts: number;
  /** Cells that are judged, whichever faults fire. */
  readonly cells: number;
  readonly trials: number;
  /** What makes it fail. */
  readonly failsBy: 'critical cells' | 'min_score' | 'critical cells, min_score' | 'nothing';
}

function rowOf(contract: Contract, { scenarios }: LoadedSuite): ContractRow {
  const { name, file, phase, subject, invariants, matrix, prompts, trials } = contract;
  const cells = scenarios.flatMap(({ part, expected }) =>
    part?.kind === 'contract' && part.of === name
      ? (expected.invariants?.list ?? []).map(({ id }) => JSON.stringify([id, part.column]))
      : [],
  );
  return {
    name,
    file,
    phase,
    subject: subject.kind === 'workflow' ? 'workflow' : `${subject.agent.target.kind} agent`,
    invariants: invariants.length,
    columns: matrix.length,
    prompts: prompts.length,
    cells: new Set(cells).size,
    trials,
    failsBy: failsBy(contract),
  };
}

function failsBy({ invariants, minScore }: Contract): ContractRow['failsBy'] {
  const isCritical = invariants.some(({ severity }) => severity === 'critical');
  if (minScore === null) return isCritical ? 'critical cells' : 'nothing';
  return isCritical ? 'critical cells, min_score' : 'min_score';
}

function contractTable(contracts: readonly ContractRow[]): string {
  const head = ['contract', 'subject', 'invariants', 'columns', 'cells', 'prompts', 'trials', 'fails by', 'file'];
  const rows = contracts.map((one) => [
    one.name,
    one.subject,
    ...[one.invariants, one.columns, one.cells, one.prompts, one.trials].map(String),
    one.failsBy,
    one.file,
  ]);
  return alignColumns([head, ...rows]);
}

async function score(paths: readonly string[], settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { exitCode, runSuite } = await import('../../public/suites.ts');
  const options = await runOptions(paths, settings, terminal);
  // A signal ends the command without a score: that of some trials would be taken for that of all.
  const report = await withPrograms(() => runSuite({ ...options, only: 'contracts', onOutput: terminal.relay }));
  const overallScore = scoreIn(report.overall);
  if (overallScore !== null) terminal.print(`${scoreText(overallScore)}\n`);
  for (const reason of report.gate.reasons) terminal.say(reason);
  for (const { name, reasons } of report.results) {
    for (const reason of reasons) terminal.say(`${name}: ${reason}`);
  }
  return exitCode(report);
}

/** The score from 0 to 1 of the contracts, or of the other phases where there are no contracts. */
function scoreIn(overall: OverallScore | undefined): number | null {
  return overall?.phases.find(({ phase }) => phase === 'contract')?.score ?? overall?.score ?? null;
}

/** Two decimals, never a round 0 or 100 that it is not. */
function scoreText(share: number): string {
  const text = (100 * share).toFixed(2);
  if (text === '100.00' && share < 1) return '99.99';
  return text === '0.00' && share > 0 ? '0.01' : text;
}
