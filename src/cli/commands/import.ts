import type { Command } from 'commander';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import type { ImportReport } from '../../index.ts';
import { alignColumns } from '../align-columns.ts';
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

interface ImportFlags {
  readonly out: string;
  readonly consent: string;
  readonly tools?: string;
  readonly keyEnv: string;
  readonly country: readonly string[];
  readonly id: readonly string[];
  readonly pattern: readonly string[];
}

/** Adds `passk import`: makes sessions of recorded traces. */
export function addImport(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('import')
    .summary('make sessions that run of recorded traces')
    .description('Makes a session file of each recorded trace, with what its tools were answered.')
    .argument('<traces...>', 'files and folders with recorded traces')
    .requiredOption('--out <dir>', 'the folder that gets the files')
    .requiredOption('--consent <file>', 'the policy by which traces may be kept')
    .option('--tools <file>', 'definitions of the tools, as providers and MCP write them (JSON)')
    .option('--key-env <variable>', 'the variable that holds the key of the tokens', 'PASSK_SCRUB_KEY')
    .option('--country <code,…>', 'find phone numbers as these countries write them, such as DE,FR', inLists, [])
    .option('--id <name,…>', 'find these numbers of people, besides us_ssn, such as br_cpf', inLists, [])
    .option(
      '--pattern <pattern>',
      'find what this pattern takes, too; repeatable',
      (one, all) => [...all, one],
      [] as readonly string[],
    )
    .addHelpText('after', EXAMPLES)
    .action(async (traces: readonly string[], flags: ImportFlags, command: Command) =>
      done(await importAll(traces, flags, { command, terminal })),
    );
}

function inLists(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(',').map((one) => one.trim())];
}

async function importAll(
  traces: readonly string[],
  { out, consent, tools, keyEnv, country, id, pattern }: ImportFlags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { importTraces } = await import('../../index.ts');
  const settings = settingsOf(command);
  const { plugins } = await runOptions([], settings, terminal);
  const key = process.env[keyEnv];
  const report = await importTraces({
    ...sameOptions(settings, RECORDINGS),
    ...(plugins !== undefined && { plugins }),
    recordings: traces,
    out,
    consent,
    countries: country,
    nationalIds: ['us_ssn', ...id],
    patterns: pattern,
    ...(tools !== undefined && { tools }),
    ...(key !== undefined && key !== '' && { key }),
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
  const told = problems.map((problem) => `warning: ${problem}\n`).join('');
  const lost =
    !joins && Object.keys(scrubbed).length > 0
      ? `\nThe key of these tokens is kept nowhere: they join with no other run's. Set ${keyEnv} to have the same again.\n`
      : '';
  const next = imported > 0 ? `\nRun them: passk run ${out}\n` : '';
  return `${told}${alignColumns(rows)}${lost}${next}`;
}

function notes(failed: number, unjudged: number): string {
  return [
    ...(failed > 0 ? [`${failed} failed when they were recorded: their calls are right for nobody`] : []),
    ...(unjudged > 0 ? [`${unjudged} that nobody judged: their calls are compared, and decide nothing`] : []),
  ].join('; ');
}
