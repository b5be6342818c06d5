import { type Command, Option } from 'commander';
import type { ScrubReport } from '../../public/production.ts';
import { alignColumns } from '../align-columns.ts';
import { addScrubFlags, keyNote, type ScrubFlags, scrubOptions } from '../scrub-flags.ts';
import { settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Found are e-mail addresses, phone numbers, IP addresses, card numbers, IBANs, numbers of people, keys and
tokens, and passwords in URLs; also in keys, file names, JSON in texts, and base64. Names of people, postal
addresses and dates of birth are not. The same value has the same token wherever it stands, so that files
still join; with another key it has another.

Examples:
  export PASSK_SCRUB_KEY=$(node -p "crypto.randomBytes(32).toString('hex')")
  passk scrub traces.jsonl --out scrubbed
  passk scrub exports/ --out scrubbed --country DE,FR --id de_steuer_id,fr_nir
  passk scrub sessions/ --check                  in which lines something is left

Exit codes: 0 scrubbed, or nothing was found, 1 --check found something, 2 usage or input error.`;

interface Flags extends ScrubFlags {
  readonly out?: string;
  readonly check?: boolean;
}

/** Adds `passk scrub`: writes files again without personal data and secrets. */
export function addScrub(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('scrub')
    .summary('replace personal data and secrets in files by tokens')
    .description('Writes files of text again, with tokens in place of personal data and secrets.')
    .argument('<files...>', 'files of text, and folders of them')
    .addOption(new Option('--out <dir>', 'the folder that gets the scrubbed files').conflicts('check'))
    .option('--check', 'write nothing, and end with 1 where something is found');
  addScrubFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: Flags, own: Command) =>
      done(await scrub(paths, flags, { command: own, terminal })),
    );
}

async function scrub(
  paths: readonly string[],
  flags: Flags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { out, check = false, keyEnv } = flags;
  const { PasskError } = await import('../../public/suites.ts');
  const { scrubFiles } = await import('../../public/production.ts');
  if (out === undefined && !check) {
    throw new PasskError('USAGE', 'Say where the scrubbed files go: --out DIR.', {
      hint: 'To see whether anything is to be scrubbed: --check.',
    });
  }
  const report = await scrubFiles({
    paths,
    ...scrubOptions(flags),
    ...(out !== undefined && { out }),
  });
  const { json = false } = settingsOf(command);
  if (json) terminal.printLargeJson(report);
  else terminal.print(textOf(report, keyEnv));
  return check && report.files.some(({ found }) => found > 0) ? 1 : 0;
}

function textOf({ files, leftOut, counts, joins }: ScrubReport, keyEnv: string): string {
  const isWritten = files.some(({ written }) => written !== null);
  const places = files.flatMap(({ file, written, found, places: [first] }) => {
    const where = first === undefined ? '' : `first in line ${first.line}: ${first.kinds.join(', ')}`;
    if (written !== null) return [[file, written, `${found} found`]];
    return found === 0 ? [] : [[file, `${found} found`, where]];
  });
  const kinds = Object.entries(counts).map(([kind, { found, values }]) => [
    kind,
    `${found} found`,
    `${values} ${values === 1 ? 'value' : 'values'}`,
  ]);
  const nothing =
    kinds.length === 0 ? `Nothing was found in ${files.length} ${files.length === 1 ? 'file' : 'files'}.\n` : '';
  const key = keyNote(joins || !isWritten || kinds.length === 0, keyEnv);
  const others = leftOut.map((file) => `${file} is a link or no file, and was left out.\n`).join('');
  return `${alignColumns(places)}${places.length > 0 && kinds.length > 0 ? '\n' : ''}${alignColumns(kinds)}${nothing}${others}${key}`;
}
