import path from 'node:path';
import process from 'node:process';
import { type Command, Option } from 'commander';
import type { ReleaseSettings, Tier } from '../../public/releases.ts';
import type { RunSuiteOptions } from '../../public/suites.ts';
import type { SuiteReport } from '../../public/types.ts';
import { texts } from '../../settings/kinds.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { agreedSettings } from '../agreed-settings.ts';
import { withInterrupt } from '../interrupt.ts';
import { keyText, textOf } from '../key-text.ts';
import { planReportsBeside, writeReportsBeside } from '../reports-beside.ts';
import { KindOption, settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import { warnIdleModels } from '../warn-ahead.ts';
import { runShardCommand } from '../shard-run.ts';
import { printDocument } from '../print-document.ts';
import type { Terminal } from '../terminal.ts';
import { hasTypedPaths } from '../typed-paths.ts';

const RUN_HELP = `
Rules of tiers, prices, models and the canary stand under [release] of passk.toml. The key may also be in
PASSK_RELEASE_KEY, as its PEM text. With --evidence only paths of the command line are run. --shard runs a part, needs no
key, and writes no record; --merge takes all parts, and gives the record of one run.

Exit codes: 0 the release passed, 1 it failed, 2 usage or input error, 3 not enough evidence,
4 the audit log does not hold.
A record is written for each of 0, 1 and 3.

Examples:
  passk release keygen --out release.key
  passk release run --tier internal --key release.key --out release.json
  passk release run scenarios --tier beta --key release.key --out release.json --prior last.json
  passk release run --tier beta --shard 1/2 --out 1.shard
  passk release run --tier beta --merge 1.shard 2.shard --key release.key --out release.json`;

/** Adds `passk release run`: runs the material of a release, or one part of it, and signs the record. */
export function addReleaseRun(release: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  release
    .command('run')
    .summary('run the material of a release and write its record')
    .description('Runs the scenarios of a release, judges it by the rules of its tier, and writes a signed record.')
    .argument('[paths...]', 'files and folders; default: as in run')
    .addOption(
      new Option('--tier <tier>', 'how much it is trusted with').choices(['dev', 'internal', 'beta', 'production']),
    )
    .option('--key <file>', 'the private key to sign with')
    .requiredOption('--out <file>', 'the record; its trials go to the same name with .trials. With --shard: the shard')
    .option('--candidate <name>', 'what is released (default: the name of the folder)')
    .option('--candidate-version <version>', 'its version')
    .option('--release <id>', 'the release that reviews must name (default: the version)')
    .option('--rates <file>', 'the prices')
    .option('--billing <file>', 'what a provider billed, as CSV or JSON; columns stand in [release.billing]')
    .addOption(
      new KindOption('--evidence <file>', 'recorded runs, or a record of the same candidate, that count too', texts),
    )
    .option('--shard <i/n>', 'run only this part of the release, to be merged; auto reads the variables of CI systems')
    .addOption(
      new KindOption(
        '--merge <shards...>',
        'take the trials from all shards of this very release, and run nothing',
        texts,
      ),
    )
    .option('--prior <record>', 'the record of the release before')
    .option('--prior-public-key <file>', 'the public key that it is signed with (default: that of --key)')
    .option('--log <file>', 'the audit log (default: release-log.jsonl beside the record)')
    .option('--issue-sink <file>', 'add an issue for each thing that fails to this file of JSON lines, once')
    .option('--as-of <day>', 'the day by which ages are counted (default: today)')
    .addHelpText('after', RUN_HELP)
    .action(async (paths: readonly string[], flags: RunFlags, command: Command) =>
      done(await (flags.shard === undefined ? run : runPart)(paths, flags, { command, terminal })),
    );
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
  readonly shard?: string;
  readonly merge?: readonly string[];
  readonly prior?: string;
  readonly priorPublicKey?: string;
  readonly log?: string;
  readonly issueSink?: string;
  readonly asOf?: string;
}

interface Context {
  readonly command: Command;
  readonly terminal: Terminal;
}

async function run(paths: readonly string[], flags: RunFlags, { command, terminal }: Context): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { finishedEvidence, renderRelease, releaseExitCode, runRelease } = await import('../../public/releases.ts');
  const settings = settingsOf(command);
  // A flag takes the place of what the file says, which then needs no answer.
  const files = (['rates', 'billing', 'log', 'issueSink'] as const).filter((name) => flags[name] === undefined);
  const uses = ['release', ...files.map((name) => `release.${name}` as const)] as const;
  const config = await agreedSettings(command, { uses, terminal });
  const releaseSettings: ReleaseSettings = config?.values.release ?? {};
  const tier = await tierOf(flags, releaseSettings);
  const version = flags.candidateVersion ?? releaseSettings.candidate?.version;
  if (version === undefined) {
    throw new PasskError('USAGE', 'Nobody says which version is released.', {
      hint: 'Give --candidate-version 1.4.0, or version under [release.candidate] in passk.toml.',
    });
  }
  const billingFile = flags.billing ?? releaseSettings.billing?.file;
  const billing = billingFile === undefined ? undefined : { ...releaseSettings.billing, file: billingFile };
  const rates = flags.rates ?? releaseSettings.rates;
  const log = flags.log ?? releaseSettings.log;
  const issueSink = flags.issueSink ?? releaseSettings.issueSink;
  const suiteOptions = await materialOptions(paths, flags, { command, settings, terminal });
  const { plugins, permissions } = suiteOptions;
  const reporting = await planReportsBeside(settings.reporters ?? [], {
    json: settings.json === true,
    ...(plugins !== undefined && { plugins }),
    ...(permissions !== undefined && { permissions }),
  });
  const reports: SuiteReport[] = [];
  const stopping = (): void =>
    terminal.say('stopping; the record says that it covers what has run. Ctrl-C again stops at once.');
  const { value: result, interrupted } = await withInterrupt(stopping, async (signal, begin) => {
    begin();
    return runRelease({
      ...suiteOptions,
      ...(flags.evidence !== undefined && finishedEvidence(flags.evidence)),
      ...(flags.merge !== undefined && { shards: flags.merge }),
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
        priorPublicKey: flags.priorPublicKey === undefined ? undefined : await textOf(flags.priorPublicKey),
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
  await sayNotices(reports, { settings, terminal });
  if (!reporting.takesOutput)
    await printDocument(result, (style) => renderRelease(result, style), { settings, terminal });
  if (reports.length === 0 && reporting.targets.length > 0) terminal.say('Nothing was run, so there is no report.');
  const isWritten = await writeReportsBeside(reports, reporting, { settings, terminal, permissions });
  if (interrupted) return 130;
  return isWritten ? releaseExitCode(result) : 2;
}

/** Prints what the record does not say: that an expectation asserts nothing, or that a file is of no format. */
async function sayNotices(
  reports: readonly SuiteReport[],
  { settings, terminal }: { readonly settings: CommandSettings; readonly terminal: Terminal },
): Promise<void> {
  // The rules of the tier say what recorded runs must reach.
  const notices = reports.flatMap((report) => report.notices.filter(({ code }) => code !== 'no_bar'));
  if (settings.quiet === true || notices.length === 0) return;
  const { printIssues } = await import('../../public/suites.ts');
  const color = settings.color !== false && terminal.errorColor;
  terminal.complain(printIssues(notices, { color }), { color });
}

/** One part of a release has trials and no verdict, so that most flags have nothing to say of it. */
async function runPart(paths: readonly string[], flags: RunFlags, { command, terminal }: Context): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { finishedEvidence, runReleaseShard } = await import('../../public/releases.ts');
  const { tier: _, shard, out, evidence, ...others } = flags;
  const misplaced = Object.keys(others).find((name) => WHOLE.has(name) && command.getOptionValueSource(name) === 'cli');
  if (misplaced !== undefined) {
    const flag = command.options.find((option) => option.attributeName() === misplaced)?.long ?? misplaced;
    throw new PasskError('USAGE', `${flag} says something of a whole release; a part has no verdict and no record.`, {
      hint: `Leave ${flag} out here, and give it where all parts are merged.`,
    });
  }
  const settings = settingsOf(command);
  const config = await agreedSettings(command, { uses: ['release'], terminal });
  const tier = await tierOf(flags, config?.values.release);
  const rules = config?.values.release?.tiers?.[tier];
  const material = await materialOptions(paths, flags, { command, settings, terminal });
  const { records = [], ...recorded } = evidence === undefined ? {} : finishedEvidence(evidence);
  if (records.length > 0) {
    throw new PasskError('USAGE', `${records[0]} is a record, of which no part is run.`, {
      hint: 'Give records with --merge.',
    });
  }
  return runShardCommand(
    { ...settings, ...(shard !== undefined && { shard }), out },
    { ...material, ...recorded },
    {
      terminal,
      run: (options) => runReleaseShard({ ...options, tier, ...(rules !== undefined && { rules }) }),
      next: 'passk release run --merge makes the record of all shards',
    },
  );
}

/** Flags of a whole release. */
const WHOLE: ReadonlySet<string> = new Set([
  'key',
  'candidate',
  'candidateVersion',
  'release',
  'rates',
  'billing',
  'merge',
  'prior',
  'priorPublicKey',
  'log',
  'issueSink',
  'asOf',
]);

async function tierOf({ tier: flag }: RunFlags, settings: ReleaseSettings = {}): Promise<Tier> {
  const tier = flag ?? settings.tier;
  if (tier !== undefined) return tier;
  const { PasskError } = await import('../../public/suites.ts');
  throw new PasskError('USAGE', 'Nobody says how much the release is trusted with.', { hint: 'Give --tier dev.' });
}

type Material = Omit<RunSuiteOptions, 'trials' | 'sampler' | 'dedupe' | 'stopEarly' | 'bail' | 'replay'>;

/** What is run, and how, but for what the tier decides. With finished evidence alone nothing is run. */
async function materialOptions(
  paths: readonly string[],
  { evidence, merge }: RunFlags,
  { command, settings, terminal }: Context & { readonly settings: CommandSettings },
): Promise<Material> {
  const isRun = evidence === undefined || merge !== undefined || hasTypedPaths(command);
  const {
    sampler: _,
    dedupe: __,
    stopEarly: ___,
    bail: ____,
    trials: _____,
    ...options
  } = await runOptions(isRun ? paths : [], settings, terminal);
  if (isRun) await warnIdleModels(settings, terminal);
  return options;
}

/** The values that are not undefined. */
function optional<T extends Readonly<Record<string, string | undefined>>>(values: T): { [K in keyof T]?: string } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: string };
}
