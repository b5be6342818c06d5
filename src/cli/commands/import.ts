import type { Command } from 'commander';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import type { ImportReport } from '../../public/production.ts';
import { alignColumns } from '../align-columns.ts';
import { addScrubFlags, keyNote, type ScrubFlags, scrubOptions } from '../scrub-flags.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Each trace becomes a session file with the answers of its tools beside it, scrubbed on the way. What stands
in the folder already stays as it is. The files run at once, without network, keys or grants.

Examples:
  export PASSK_SCRUB_KEY=$(node -p "crypto.randomBytes(32).toString('hex')")
  passk import traces.jsonl --out sessions --consent consent.toml
  passk import dump/ --out sessions --consent consent.toml --tools tools.json --country DE,FR
  passk sessions                                 hold every conversation again, as it was recorded

Exit codes: 0 at least one trace stands in the folder, 1 none does, 2 usage or input error.`;

interface ImportFlags extends ScrubFlags {
  readonly out: string;
  readonly consent: string;
  readonly tools?: string;
}

/** Adds `passk import`: makes sessions of recorded traces. */
export function addImport(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('import')
    .summary('make sessions that run of recorded traces')
    .description('Makes a session file of each recorded trace, with what its tools were answered.')
    .argument('<traces...>', 'files and folders with recorded traces')
    .requiredOption('--out <dir>', 'the folder that gets the files')
    .requiredOption('--consent <file>', 'the policy by which traces may be kept')
    .option('--tools <file>', 'definitions of the tools, as providers and MCP write them (JSON)');
  addScrubFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (traces: readonly string[], flags: ImportFlags, own: Command) =>
      done(await importAll(traces, flags, { command: own, terminal })),
    );
}

async function importAll(
  traces: readonly string[],
  flags: ImportFlags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { out, consent, tools, keyEnv } = flags;
  const { importTraces } = await import('../../public/production.ts');
  const settings = settingsOf(command);
  const { plugins } = await runOptions([], settings, terminal);
  const report = await importTraces({
    ...sameOptions(settings, RECORDINGS),
    ...(plugins !== undefined && { plugins }),
    recordings: traces,
    out,
    consent,
    ...scrubOptions(flags),
    ...(tools !== undefined && { tools }),
  });
  const { json = false } = settings;
  if (json) terminal.printLargeJson(report);
  else terminal.print(textOf(report, { out, keyEnv }));
  return report.imported + report.present > 0 ? 0 : 1;
}

function textOf(
  { traces, imported, failed, unjudged, present, repeated, refused, scrubbed, joins, problems }: ImportReport,
  { out, keyEnv }: { readonly out: string; readonly keyEnv: string },
): string {
  const rows = [
    ['traces', `${traces}`],
    ['imported', `${imported}`, notes(failed, unjudged)],
    ...(present > 0 ? [['already there', `${present}`]] : []),
    ...(repeated > 0 ? [['repeated', `${repeated}`]] : []),
    ...refused.map(({ reason, count, message, places: [first] }) => [
      `refused: ${reason}`,
      `${count}`,
      `${message}${first?.file == null ? '' : ` First: ${first.file}, byte ${first.byte ?? 0}.`}`,
    ]),
    ...Object.entries(scrubbed).map(([kind, { found }]) => [`scrubbed: ${kind}`, `${found}`]),
  ];
  const warnings = problems.map((problem) => `warning: ${problem}\n`).join('');
  const lost = keyNote(joins || Object.keys(scrubbed).length === 0, keyEnv);
  const next = imported > 0 ? `\nRun them: passk run ${out}\n` : '';
  return `${warnings}${alignColumns(rows)}${lost}${next}`;
}

function notes(failed: number, unjudged: number): string {
  return [
    ...(failed > 0 ? [`${failed} failed when they were recorded: their calls are right for nobody`] : []),
    ...(unjudged > 0 ? [`${unjudged} that nobody judged: their calls are compared, and decide nothing`] : []),
  ].join('; ');
}
