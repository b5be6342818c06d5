import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { type Command, Option } from 'commander';
import type { ReleaseSettings, SuiteReport, Tier } from '../../index.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { agreedSettings } from '../agreed-settings.ts';
import { withInterrupt } from '../interrupt.ts';
import { keyText, textOf } from '../key-text.ts';
import { planReleaseReports } from '../release-reports.ts';
import { reportOptions, writeReports } from '../reports.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import { styleOf } from '../style-of.ts';
import type { Terminal } from '../terminal.ts';
import { addReleaseInit } from './release-init.ts';

type Done = (exitCode: number) => void;

const RUN_HELP = `
Rules of tiers, prices, models and the canary stand under [release] of passk.toml. The key may also be in
PASSK_RELEASE_KEY, as its PEM text. With --evidence only paths of the command line are run.

Exit codes: 0 the release passed, 1 it failed, 2 usage or input error, 3 not enough evidence,
4 the audit log does not hold.
A record is written for each of 0, 1 and 3.

Examples:
  passk release keygen --out release.key
  passk release run --tier internal --key release.key --out release.json
  passk release run scenarios --tier beta --key release.key --out release.json --prior last.json`;

const VERIFY_HELP = `
Without --public-key the record is checked against the key that stands in it, which proves that nobody changed it, and
not who signed it. --recompute judges the trials again, and finds a number that was changed and signed anew.

Exit codes: 0 the record holds, 2 usage or input error, 4 it does not hold.

Examples:
  passk release verify release.json --public-key release.key.pub --recompute
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
  release
    .command('run')
    .summary('run the material of a release and write its record')
    .description('Runs the scenarios of a release, judges it by the rules of its tier, and writes a signed record.')
    .argument('[paths...]', 'files and folders; default: as in run')
    .addOption(
      new Option('--tier <tier>', 'how much it is trusted with').choices(['dev', 'internal', 'beta', 'production']),
    )
    .option('--key <file>', 'the private key to sign with')
    .requiredOption('--out <file>', 'the record; its trials go to the same name with .trials')
    .option('--candidate <name>', 'what is released (default: the name of the folder)')
    .option('--candidate-version <version>', 'its version')
    .option('--release <id>', 'the release that reviews must name (default: the version)')
    .option('--rates <file>', 'the prices')
    .option('--billing <file>', 'what a provider billed, as CSV or JSON; columns stand in [release.billing]')
    .addOption(
      new Option(
        '--evidence <file>',
        'recorded runs, or a record of the same candidate, that count too; repeatable',
      ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
    )
    .option('--prior <record>', 'the record of the release before')
    .option('--log <file>', 'the audit log (default: release-log.jsonl beside the record)')
    .option('--issue-sink <file>', 'add an issue for each thing that fails to this file of JSON lines, once')
    .option('--as-of <day>', 'the day by which ages are counted (default: today)')
    .addHelpText('after', RUN_HELP)
    .action(async (paths: readonly string[], flags: RunFlags, command: Command) =>
      done(await run(paths, flags, { command, terminal })),
    );
  release
    .command('verify')
    .summary('check that a record holds')
    .description('Checks hash, signature, audit log and trials of a record.')
    .argument('<record>', 'the record')
    .option('--public-key <file>', 'the key of whom the record must be by')
    .option('--trials <file>', 'its trials (default: the record with .trials)')
    .option('--log <file>', 'the audit log that must hold its entry')
    .option('--recompute', 'judge the trials again and compare every number')
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

interface RunFlags {
  readonly tier?: Tier;
  readonly key?: string;
  readonly out: string;
  readonly candidate?: string;
  readonly candidateVersion?: string;
  readonly release?: string;
  readonly rates?: string;
  readonly billing?: string;
  readonly evidence?: readonly string[];
  readonly prior?: string;
  readonly log?: string;
  readonly issueSink?: string;
  readonly asOf?: string;
}

interface VerifyFlags {
  readonly publicKey?: string;
  readonly trials?: string;
  readonly log?: string;
  readonly recompute?: boolean;
}

async function run(
  paths: readonly string[],
  flags: RunFlags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { finishedEvidence, PasskError, renderRelease, releaseExitCode, runRelease } = await import('../../index.ts');
  const settings = settingsOf(command);
  const config = await agreedSettings(command, { uses: ['release'], terminal });
  const releaseSettings: ReleaseSettings = config?.values.release ?? {};
  const fromFile = (name: string | undefined): string | undefined =>
    name === undefined || config === null ? name : path.join(path.dirname(config.file), name);
  const tier = flags.tier ?? releaseSettings.tier;
  const version = flags.candidateVersion ?? releaseSettings.candidate?.version;
  if (tier === undefined) {
    throw new PasskError('USAGE', 'Nobody says how much the release is trusted with.', { hint: 'Give --tier dev.' });
  }
  if (version === undefined) {
    throw new PasskError('USAGE', 'Nobody says which version is released.', {
      hint: 'Give --candidate-version 1.4.0, or version under [release.candidate] in passk.toml.',
    });
  }
  const billingFile = flags.billing ?? fromFile(releaseSettings.billing?.file);
  const billing = billingFile === undefined ? undefined : { ...releaseSettings.billing, file: billingFile };
  const rates = flags.rates ?? fromFile(releaseSettings.rates);
  const log = flags.log ?? fromFile(releaseSettings.log);
  const issueSink = flags.issueSink ?? fromFile(releaseSettings.issueSink);
  const {
    sampler: _,
    dedupe: __,
    stopEarly: ___,
    bail: ____,
    trials: _____,
    ...suiteOptions
  } = await runOptions(flags.evidence === undefined || isTyped(command) ? paths : [], settings, terminal);
  const { targets, takesOutput } = await planReleaseReports(settings.reporters ?? [], {
    json: settings.json === true,
    ...(suiteOptions.plugins !== undefined && { plugins: suiteOptions.plugins }),
  });
  const reports: SuiteReport[] = [];
  const stopping = (): void =>
    terminal.say('stopping; the record says that it covers what has run. Ctrl-C again stops at once.');
  const { value: result, interrupted } = await withInterrupt(stopping, async (signal, begin) => {
    begin();
    return runRelease({
      ...suiteOptions,
      ...(flags.evidence !== undefined && finishedEvidence(flags.evidence)),
      tier,
      key: await keyText(flags.key),
      out: flags.out,
      candidate: { name: flags.candidate ?? releaseSettings.candidate?.name ?? path.basename(process.cwd()), version },
      ...optional({
        id: flags.release ?? releaseSettings.id,
        rates,
        log,
        issueSink,
        prior: flags.prior,
        asOf: flags.asOf,
      }),
      ...(billing !== undefined && { billing }),
      ...(releaseSettings.models !== undefined && { pins: releaseSettings.models }),
      ...(releaseSettings.canary !== undefined && { canary: releaseSettings.canary }),
      ...(releaseSettings.tiers?.[tier] !== undefined && { rules: releaseSettings.tiers[tier] }),
      onReport: (report) => void reports.push(report),
      onOutput: terminal.relay,
      signal,
    });
  });
  if (!takesOutput)
    await show(result, () => renderRelease(result, verboseStyle(settings, terminal)), { settings, terminal });
  const { color, verbose } = verboseStyle(settings, terminal);
  const options = reportOptions(terminal, { color, verbose, quiet: false });
  if (reports.length === 0 && targets.length > 0) terminal.say('Nothing was run, so there is no report.');
  const writes = reports.map((report) => writeReports(report, targets, { terminal, options }));
  const failures = (await Promise.all(writes)).flat();
  for (const failure of failures) terminal.say(failure);
  if (interrupted) return 130;
  return failures.length > 0 ? 2 : releaseExitCode(result);
}

/** Whether the paths are those of the command line, and not of the settings. */
function isTyped(command: Command): boolean {
  return command.getOptionValueSource('paths') === 'cli';
}

async function verify(
  record: string,
  { publicKey, ...flags }: VerifyFlags,
  { settings, terminal }: { readonly settings: CommandSettings; readonly terminal: Terminal },
): Promise<number> {
  const { renderVerification, verifyRelease } = await import('../../index.ts');
  const verification = await verifyRelease({
    record,
    ...flags,
    ...(publicKey !== undefined && { publicKey: await textOf(publicKey) }),
  });
  await show(verification, () => renderVerification(verification, verboseStyle(settings, terminal)), {
    settings,
    terminal,
  });
  return verification.holds ? 0 : 4;
}

async function explain(
  record: string,
  { settings, terminal }: { readonly settings: CommandSettings; readonly terminal: Terminal },
): Promise<number> {
  const { explainRelease, readRecord, renderExplanation } = await import('../../index.ts');
  const explanation = explainRelease(await readRecord(path.resolve(record), record));
  await show(explanation, () => renderExplanation(explanation, verboseStyle(settings, terminal)), {
    settings,
    terminal,
  });
  return 0;
}

async function keygen(out: string, terminal: Terminal): Promise<number> {
  const { makeKeys, PasskError } = await import('../../index.ts');
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

async function show(
  value: object,
  render: () => string,
  { settings, terminal }: { readonly settings: CommandSettings; readonly terminal: Terminal },
): Promise<void> {
  if (settings.json === true) await terminal.printLargeJson(value);
  else terminal.print(render(), verboseStyle(settings, terminal));
}

function verboseStyle(settings: CommandSettings, terminal: Terminal) {
  return { ...styleOf(settings, terminal), verbose: settings.verbose === true };
}

/** The values that are not undefined. */
function optional<T extends Readonly<Record<string, string | undefined>>>(values: T): { [K in keyof T]?: string } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: string };
}
