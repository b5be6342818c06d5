import type { Command } from 'commander';
import type { CompareRecordingsOptions } from '../../public/evidence.ts';
import { share } from '../../settings/kinds.ts';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import { withInterrupt } from '../interrupt.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { runOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { printDocument } from '../print-document.ts';

const EXAMPLES = `
Exit code: 0 better, or no worse by the margin; 1 worse; 2 input; 3 undecided.

Examples:
  passk compare gpt-4o.json cheaper.json                    is it better or worse?
  passk compare gpt-4o.json cheaper.json --margin 0.02      will the cheaper model do?
  passk compare before/ after/ --protocol compare.toml      the same, stated beforehand`;

/** Its own flags. */
interface CompareFlags {
  readonly set?: string;
  readonly margin?: number;
  readonly alpha?: number;
  readonly protocol?: string;
}

/** Adds `passk compare`: two sets of recorded runs, task by task. */
export function addCompare(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('compare')
    .summary('compare two sets of recorded runs')
    .description('Compares two sets of runs that other programs recorded, task by task.')
    .argument('<baseline>', 'a file or folder with recorded runs')
    .argument('<candidate>', 'another, of the same tasks')
    .option('--set <name>', 'which set, where a side has several')
    .addOption(new KindOption('--margin <share>', 'the loss of the mean pass rate that does not matter', share))
    .addOption(new KindOption('--alpha <level>', 'the two-sided level of every test (default: 0.05)', share))
    .option('--protocol <file>', 'a TOML file with [compare], where margin and level were stated beforehand')
    .addHelpText('after', EXAMPLES)
    .action(async (baseline: string, candidate: string, flags: CompareFlags, command: Command) =>
      done(await compare([baseline, candidate], flags, { command, terminal })),
    );
}

async function compare(
  [baseline, candidate]: readonly [string, string],
  flags: CompareFlags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { compareRecordings, renderComparison } = await import('../../public/evidence.ts');
  const settings = settingsOf(command);
  const { plugins, workers, seed } = await runOptions([], settings, terminal);
  const { set, margin, alpha, protocol } = flags;
  const options: CompareRecordingsOptions = {
    ...sameOptions(settings, RECORDINGS),
    ...(plugins !== undefined && { plugins }),
    ...(workers !== undefined && { workers }),
    ...(seed !== undefined && { seed }),
    ...(set !== undefined && { set }),
    ...(margin !== undefined && { margin }),
    ...(alpha !== undefined && { alpha }),
    ...(protocol !== undefined && { protocol }),
    baseline: [baseline],
    candidate: [candidate],
    onOutput: terminal.relay,
  };
  const stopping = (): void => terminal.say('stopping. Ctrl-C again stops at once.');
  const { value: report, interrupted } = await withInterrupt(stopping, (signal, begin) => {
    begin();
    return compareRecordings({ ...options, signal });
  });
  if (interrupted) return 130;
  await printDocument(report, (style) => renderComparison(report, style), { settings, terminal });
  return { better: 0, no_worse: 0, worse: 1, undecided: 3 }[report.verdict];
}
