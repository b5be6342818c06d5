import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../settings/kinds.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import { withPrograms } from '../interrupt.ts';
import { visibleJson, visibleLines } from '../../text/visible-text.ts';
import { jsonPieces } from '../../values/exact-json.ts';
import { styleOf } from '../style-of.ts';
import type { Terminal } from '../terminal.ts';
import type { CommandContext } from '../print-document.ts';

/** Its own flags. */
interface TraceFlags {
  readonly trial: number;
  readonly part?: string;
  readonly dryRun?: true;
  readonly reporter?: TraceReport;
}

/** How a trace is printed. */
interface TraceReport {
  readonly name: 'text' | 'json' | 'reference-json';
  /** The file it goes to; absent: standard output. */
  readonly path?: string;
}

/** Adds `passk trace`: shows one trial step by step. */
export function addTrace(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('trace')
    .summary('show one trial step by step')
    .description('Runs one trial again and shows its nodes, branches, outputs, prompts and denials.')
    .argument('<file>', 'the scenario file, or a contract with --part')
    .addOption(new KindOption('--trial <n>', 'which trial, from 0', wholeNumber(0)).default(0))
    .option(
      '--part <name>',
      'which scenario of a file that holds several, or which part of a contract, such as "search-down, prompt 1"',
    )
    .option('--dry-run', 'ask and do nothing: no turn, mock or grant is needed, and policy judges every request')
    .addOption(
      new Option('-r, --reporter <name[:path]>', "text, json, or reference-json: agentd's record of a run")
        .argParser(parseReport)
        .conflicts('json'),
    )
    .addHelpText('after', '\nA failing trial in a report comes with the command that traces it.')
    .action(async (file: string, flags: TraceFlags, command: Command) =>
      done(await trace(file, flags, { settings: settingsOf(command), terminal })),
    );
}

async function trace(file: string, flags: TraceFlags, { settings, terminal }: CommandContext): Promise<number> {
  const { writeFileWhole } = await import('../../public/suites.ts');
  const { renderTrace, runRecord, traceLines, traceTrial } = await import('../../public/evidence.ts');
  const options = {
    ...(await runOptions([], settings, terminal)),
    file,
    trial: flags.trial,
    ...(flags.part !== undefined && { part: flags.part }),
    onOutput: terminal.relay,
    ...(flags.dryRun === true && { dryRun: true }),
  };
  const tracedTrial = await withPrograms(() => traceTrial(options));
  const style = styleOf(settings, terminal);
  const { name, path }: TraceReport = flags.reporter ?? { name: settings.json === true ? 'json' : 'text' };
  if (path !== undefined) {
    const pieces =
      name === 'text' ? [renderTrace(tracedTrial)] : jsonPieces(name === 'json' ? tracedTrial : runRecord(tracedTrial));
    const visible = name === 'text' ? visibleLines : visibleJson;
    await writeFileWhole(path, new TextEncoder().encode(`${[...pieces].map((piece) => visible(piece)).join('')}\n`));
  } else if (name === 'json') await terminal.printLargeJson(tracedTrial);
  else if (name === 'reference-json') await terminal.printLargeJson(runRecord(tracedTrial));
  if (path !== undefined || name === 'text') await terminal.printLines(traceLines(tracedTrial, style), style);
  return 0;
}

function parseReport(word: string): TraceReport {
  const [, name, path] = /^([^:]*)(?::(.+))?$/s.exec(word) ?? [];
  if (name !== 'text' && name !== 'json' && name !== 'reference-json') {
    throw new InvalidArgumentError('A trace is printed as text, json or reference-json.');
  }
  return path === undefined ? { name } : { name, path };
}
