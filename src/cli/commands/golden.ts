import type { Command } from 'commander';
import type { RunGoldenOptions } from '../../public/production.ts';
import type { SuiteReport } from '../../public/types.ts';
import { measure, share, wholeNumber } from '../../settings/kinds.ts';
import { type CommandContext, printDocument } from '../print-document.ts';
import { planReportsBeside, writeReportsBeside } from '../reports-beside.ts';
import { KindOption, settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import { warnIdleModels } from '../warn-ahead.ts';
import type { Terminal } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';

type Done = (exitCode: number) => void;

const PIN_HELP = `
The set is pinned by what stands in its files and in those that they name. Its tasks run, and the runs are the baseline.
With --runs 2 or more, the noise floor is known: what the baseline does against itself.

Exit codes: 0 pinned, 2 usage or input error.

Examples:
  passk golden pin sessions --out golden.json --trials 4 --runs 2
  passk golden pin sessions --out golden.json --agents now.toml --allow-run=./desk.mjs`;

const RUN_HELP = `
The candidate is tried on the pinned tasks with the draws of the baseline. What regressed is filed before the verdict is told,
once for each fingerprint. Issues for a URL stand in a file beside the set first, until they are taken.

Exit codes: 0 no worse, 1 worse, 2 usage or input error, a set that is not what was pinned, or issues that cannot be
filed, 3 not enough evidence.

Examples:
  passk golden run golden.json --agents next.toml --allow-run=./desk.mjs --issue-sink issues.jsonl
  passk golden run golden.json --agents next.toml --allow-run=./desk.mjs --judge better --max-cost 2
  passk golden run golden.json --agents next.toml --allow-run=./desk.mjs --reporter html:golden.html
  passk golden run golden.json --issue-sink https://issues.example.com/new --allow-net=issues.example.com`;

const ACCEPT_HELP = `
Exit codes: 0 accepted, 2 usage or input error, or the candidate did not pass.

Examples:
  passk golden accept golden.json --reason 'cheaper model, same tasks' --by jane`;

interface RunFlags {
  readonly runs?: number;
  readonly issueSink?: string;
  readonly margin?: number;
  readonly maxRegressionRate?: number;
  readonly maxCostIncrease?: number;
  readonly judge?: string;
  readonly maxPreferenceLoss?: number;
  readonly alpha?: number;
  readonly minTasks?: number;
}

interface AcceptFlags {
  readonly reason: string;
  readonly by?: string;
  readonly force?: boolean;
}

/** Adds `passk golden`: holds candidates to a pinned set of tasks. */
export function addGolden(program: Command, terminal: Terminal, done: Done): void {
  const golden = program
    .command('golden')
    .summary('hold a candidate to a pinned set of tasks')
    .enablePositionalOptions()
    .description('Pins tasks as a golden set, compares candidates with the baseline on it, and accepts one.');
  addPin(golden, terminal, done);
  addRun(golden, terminal, done);
  addAccept(golden, terminal, done);
}

const RUNS = wholeNumber(1, 100);

function addPin(golden: Command, terminal: Terminal, done: Done): void {
  golden
    .command('pin')
    .summary('write down the set, and how the baseline does on it')
    .description('Writes down which files are the golden set, by their hashes, and how the baseline does on it.')
    .argument('[paths...]', 'scenario and session files, folders or globs (default: the current folder)')
    .requiredOption('--out <file>', 'the golden set, in a folder above its files')
    .addOption(new KindOption('--runs <n>', 'how often the baseline runs (default: 1)', RUNS))
    .addHelpText('after', PIN_HELP)
    .action(
      async (
        paths: readonly string[],
        // Settings stand among the flags, too.
        { out, runs }: { readonly out: string; readonly runs?: number },
        command: Command,
      ) => {
        const { golden: library } = await import('../../public/production.ts');
        const settings = settingsOf(command);
        const options = await runOptions(paths, settings, terminal);
        await warnIdleModels(settings, terminal);
        const times = runs === undefined ? {} : { runs };
        const set = await untilStopped(terminal, (signal) =>
          library.pin({ ...options, ...times, out, onOutput: terminal.relay, signal }),
        );
        if (set === null) return done(130);
        await printDocument(set, (style) => library.renderSet(set, style), { settings, terminal });
        done(0);
      },
    );
}

function addRun(golden: Command, terminal: Terminal, done: Done): void {
  golden
    .command('run')
    .summary('compare a candidate with the baseline on the set')
    .description('Compares a candidate with the baseline on the golden set, and files what regressed.')
    .argument('<set>', 'the file of `golden pin`')
    .argument('[paths...]', 'files that hold tasks of the same names, in place of the pinned ones')
    .option('--issue-sink <file|url>', 'add an issue for each regression to this file of JSON lines, or post it, once')
    .addOption(new KindOption('--runs <n>', 'how often the candidate runs, for later noise floors (default: 1)', RUNS))
    .addOption(new KindOption('--margin <share>', 'the loss of pass^k that does not matter (default: 0.02)', share))
    .addOption(
      new KindOption('--max-regression-rate <share>', 'the largest share of tasks lost (default: 0.05)', share),
    )
    .addOption(
      new KindOption('--max-cost-increase <share>', 'the largest rise of cost per success (default: 0.1)', measure),
    )
    .option('--judge <name>', 'have this judge of passk.toml compare the answers of candidate and baseline')
    .addOption(
      new KindOption(
        '--max-preference-loss <share>',
        'the largest share of answers that people find worse, less those better (default: 0.05)',
        share,
      ),
    )
    .addOption(new KindOption('--alpha <level>', 'the highest chance to fail what is no worse (default: 0.05)', share))
    .addOption(
      new KindOption('--min-tasks <n>', 'tasks that the set must have (default: 200)', wholeNumber(1, 1_000_000)),
    )
    .addHelpText('after', RUN_HELP)
    .action(async (set: string, paths: readonly string[], flags: RunFlags, command: Command) =>
      done(await run({ set, paths }, flags, { settings: settingsOf(command), terminal })),
    );
}

async function run(
  { set, paths }: { readonly set: string; readonly paths: readonly string[] },
  { runs, issueSink, margin, maxRegressionRate, maxCostIncrease, judge, maxPreferenceLoss, alpha, minTasks }: RunFlags,
  { settings, terminal }: CommandContext,
): Promise<number> {
  const { golden } = await import('../../public/production.ts');
  await warnIdleModels(settings, terminal);
  const options: RunGoldenOptions = {
    ...(await runOptions([], settings, terminal)),
    set,
    limits: {
      ...(margin !== undefined && { margin }),
      ...(maxRegressionRate !== undefined && { maxRegressionRate }),
      ...(maxCostIncrease !== undefined && { maxCostIncrease }),
      ...(maxPreferenceLoss !== undefined && { maxPreferenceLoss }),
      ...(alpha !== undefined && { alpha }),
      ...(minTasks !== undefined && { minTasks }),
    },
    ...(paths.length > 0 && { paths }),
    ...(runs !== undefined && { runs }),
    ...(issueSink !== undefined && { issueSink }),
    ...(judge !== undefined && { judge }),
    onOutput: terminal.relay,
  };
  const { plugins, permissions } = options;
  const reporting = await planReportsBeside(settings.reporters ?? [], {
    json: settings.json === true,
    ...(plugins !== undefined && { plugins }),
    ...(permissions !== undefined && { permissions }),
  });
  const reports: SuiteReport[] = [];
  const report = await untilStopped(terminal, (signal) =>
    golden.run({ ...options, onReport: (one) => void reports.push(one), signal }),
  );
  if (report === null) return 130;
  if (!reporting.takesOutput) {
    await printDocument(report, (style) => golden.render(report, style), { settings, terminal });
  }
  const isWritten = await writeReportsBeside(reports, reporting, { settings, terminal, permissions });
  return isWritten ? golden.exitCode(report) : 2;
}

function addAccept(golden: Command, terminal: Terminal, done: Done): void {
  golden
    .command('accept')
    .summary('make the candidate that was tried last the baseline')
    .description('Makes the candidate that was tried last the baseline of later ones.')
    .argument('<set>', 'the file of `golden pin`')
    .requiredOption('--reason <text>', 'why, for whoever reads the golden set')
    .option('--by <name>', 'who says so')
    .option('--force', 'accept also a candidate that did not pass')
    .addHelpText('after', ACCEPT_HELP)
    .action(async (set: string, { reason, by, force = false }: AcceptFlags, command: Command) => {
      const { golden: library } = await import('../../public/production.ts');
      const accepted = await library.accept({ set, reason, force, ...(by !== undefined && { by }) });
      const settings = settingsOf(command);
      await printDocument(accepted, (style) => library.renderSet(accepted, style), { settings, terminal });
      done(0);
    });
}
