import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { textOf } from '../key-text.ts';
import { settingsOf } from '../setting-option.ts';
import { type CommandContext, printDocument } from '../print-document.ts';
import type { Terminal } from '../terminal.ts';
import { addReleaseInit } from './release-init.ts';
import { addReleaseRun } from './release-run.ts';

type Done = (exitCode: number) => void;

const VERIFY_HELP = `
Without --public-key the record is checked against the key that stands in it, which proves that nobody changed it, and
not who signed it. --recompute judges the trials again, and finds a number that was changed and signed anew.
A record of a release that failed holds as well: --must-pass is for whoever ships what it names.

Exit codes: 0 the record holds, 1 with --must-pass: the release failed, 2 usage or input error,
3 with --must-pass: too little evidence, 4 it does not hold.

Examples:
  passk release verify release.json --public-key release.key.pub --recompute --must-pass
  passk release verify release.json --log release-log.jsonl`;

const EXPLAIN_HELP = `
Sample sizes are those of passk plan. Nothing is run, and nothing is verified: passk release verify does that.

Examples:
  passk release explain release.json
  passk release explain release.json --json`;

/** Adds `passk release`: judges a release by five axes, and signs the record. */
export function addRelease(program: Command, terminal: Terminal, done: Done): void {
  const release = program
    .command('release')
    .summary('judge a release, and sign the record')
    .description('Judges a release by outcome, trajectory, faithfulness, cost and safety, and signs the record.');
  addReleaseRun(release, terminal, done);
  release
    .command('verify')
    .summary('check that a record holds')
    .description('Checks hash, signature, audit log and trials of a record.')
    .argument('<record>', 'the record')
    .option('--public-key <file>', 'the key of whom the record must be by')
    .option('--trials <file>', 'its trials (default: the record with .trials)')
    .option('--log <file>', 'the audit log that must hold its entry')
    .option('--recompute', 'judge the trials again and compare every number')
    .option('--must-pass', 'the release must have passed, too')
    .addHelpText('after', VERIFY_HELP)
    .action(async (record: string, flags: VerifyFlags, command: Command) =>
      done(await verify(record, flags, { settings: settingsOf(command), terminal })),
    );
  release
    .command('explain')
    .summary('say what would make it pass')
    .description('Says what would have to change for a release to pass, and what that costs in trials.')
    .argument('<record>', 'the record')
    .addHelpText('after', EXPLAIN_HELP)
    .action(async (record: string, _flags: object, command: Command) =>
      done(await explain(record, { settings: settingsOf(command), terminal })),
    );
  addReleaseInit(release, terminal, done);
  release
    .command('keygen')
    .summary('make a pair of keys')
    .description('Writes a private key, which only you can read, and its public key beside it with .pub.')
    .requiredOption('--out <file>', 'the private key')
    .action(async ({ out }: { readonly out: string }) => done(await keygen(out, terminal)));
}

interface VerifyFlags {
  readonly publicKey?: string;
  readonly trials?: string;
  readonly log?: string;
  readonly recompute?: boolean;
  readonly mustPass?: boolean;
}

async function verify(
  record: string,
  { publicKey, mustPass = false, ...flags }: VerifyFlags,
  context: CommandContext,
): Promise<number> {
  const { releaseExitCode, renderVerification, verifyRelease } = await import('../../public/releases.ts');
  const verification = await verifyRelease({
    record,
    ...flags,
    ...(publicKey !== undefined && { publicKey: await textOf(publicKey) }),
  });
  await printDocument(verification, (style) => renderVerification(verification, style), context);
  if (!verification.holds) return 4;
  return mustPass ? releaseExitCode(verification.result) : 0;
}

async function explain(record: string, context: CommandContext): Promise<number> {
  const { explainRelease, readRecord, renderExplanation } = await import('../../public/releases.ts');
  const explanation = explainRelease(await readRecord(path.resolve(record), record));
  await printDocument(explanation, (style) => renderExplanation(explanation, style), context);
  return 0;
}

async function keygen(out: string, terminal: Terminal): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { makeKeys } = await import('../../public/releases.ts');
  const files = [out, `${out}.pub`];
  const existing = files.find((file) => existsSync(file));
  if (existing !== undefined) {
    throw new PasskError('USAGE', `${existing} is there already.`, {
      hint: 'A key is never written over. Name another file.',
    });
  }
  const { privateKey, publicKey } = makeKeys();
  try {
    await writeFile(out, privateKey, { mode: 0o600, flag: 'wx' });
    await writeFile(`${out}.pub`, publicKey, { flag: 'wx' });
  } catch (cause) {
    throw new PasskError('OUTPUT', `${out} cannot be written.`, { cause });
  }
  terminal.print(
    `${out}      the private key: keep it secret\n${out}.pub  the public key: give it to whoever verifies\n`,
    {
      color: false,
    },
  );
  return 0;
}
