import type { Command } from 'commander';
import { Option } from 'commander';
import type { ExportTrialsOptions, TableFormat } from '../../public/evidence.ts';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import { withInterrupt } from '../interrupt.ts';
import { requireWritable } from '../reports.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { writeStreamed } from '../write-streamed.ts';
import { visibleJson, visibleLines } from '../../text/visible-text.ts';

const EXAMPLES = `
Columns: set, task, attempt, trial, id, verdict, passed, error, score, scores, cost_usd, prompt_tokens,
completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, duration_ms, model_calls,
tool_calls, format, file, byte.

Examples:
  passk export results.json --format csv --out trials.csv    for a spreadsheet, pandas or R
  passk export runs/ --format jsonl | jq 'select(.verdict == "error")'
  passk score trials.csv                                     what was written is scored alike`;

/** Its own flags. */
interface ExportFlags {
  readonly format: TableFormat;
  readonly from?: string;
  readonly out?: string;
}

/** Adds `passk export`: a row for each recorded trial, for analysis elsewhere. */
export function addExport(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('export')
    .summary('write recorded trials as a table')
    .description('Writes a row for each trial of recorded runs, judged as score judges it.')
    .argument('<files...>', 'files and folders with recorded runs')
    .addOption(new Option('--format <name>', 'what is written').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--out <file>', 'where it is written (default: standard output)')
    .option('--from <name>', 'the format of the files (default: told by what stands in them)')
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: ExportFlags, command: Command) =>
      done(await exportFiles(files, flags, { command, terminal })),
    );
}

async function exportFiles(
  files: readonly string[],
  { format, from, out }: ExportFlags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { exportTrials, renderTrialRow, trialRowsHead } = await import('../../public/evidence.ts');
  const settings = settingsOf(command);
  const { plugins } = await runOptions([], settings, terminal);
  if (out !== undefined) await requireWritable(out, 'table');
  const options: ExportTrialsOptions = {
    ...sameOptions(settings, RECORDINGS),
    ...(plugins !== undefined && { plugins }),
    ...(from !== undefined && { format: from }),
    recordings: files,
    onProgress: (event) => {
      if (event.kind !== 'loaded') return;
      for (const { severity, message } of event.issues) terminal.say(`${severity}: ${message}`);
    },
  };
  const stopping = (): void => terminal.say('stopping. Ctrl-C again stops at once.');
  const { interrupted } = await withInterrupt(stopping, async (signal, begin) => {
    begin();
    const lines = async function* () {
      yield trialRowsHead(format);
      for await (const row of exportTrials({ ...options, signal })) yield renderTrialRow(row, format);
      // A part of the trials is no table of them.
      if (signal.aborted && out !== undefined) throw signal.reason;
    };
    // JSON says the same with escapes; cells of CSV show what a terminal would obey.
    const shown = format === 'jsonl' ? visibleJson : (text: string) => visibleLines(text);
    await (out === undefined ? printAll(lines(), shown, terminal) : writeStreamed(out, lines()));
  });
  return interrupted ? 130 : 0;
}

async function printAll(
  pieces: AsyncIterable<string>,
  shown: (text: string) => string,
  terminal: Terminal,
): Promise<void> {
  let batch = '';
  for await (const piece of pieces) {
    batch += shown(piece);
    if (batch.length < BATCH) continue;
    terminal.printData(batch);
    batch = '';
    // Whoever ends the command says why nothing more can be written.
    const isGone = await terminal.flush().then(
      () => false,
      () => true,
    );
    if (isGone) return;
  }
  terminal.printData(batch);
}

/** Characters that are written at once. */
const BATCH = 64 * 1024;
