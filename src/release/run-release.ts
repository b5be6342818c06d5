import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { alwaysPasses } from '../gate/always-passes.ts';
import type { ShardSource } from '../records/read-shard.ts';
import { displayName } from '../source/source-file.ts';
import type { RunSuiteOptions } from '../settings/options.ts';
import { isDay } from '../text/moment.ts';
import { EVAL_RESULT_SCHEMA, type EvalResult } from '../types/release/eval-result.ts';
import type { BillingExport, ReleaseSettings, Tier, TierRules } from '../types/release/release-rules.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { VERSION } from '../version.ts';
import { readBilling } from './billing/read-billing.ts';
import { releaseGate } from './axes/judge-rules.ts';
import { evaluateRelease } from './evaluate-release.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { issuesOf, openIssueFile, sinkIssues } from './issue-sink.ts';
import { readOtherRecords, readPriorRecord } from './other-records.ts';
import { readRateCard } from './rate-card.ts';
import { refuseReplay } from './refusals/refuse-replay.ts';
import { releaseReport } from './release-report.ts';
import { bodyHash, signBody } from './sign-record.ts';
import { publicKeyOf, readPrivateKey, readPublicKey } from './signing-keys.ts';
import { beginInLog, entryAfter, logText, soundLog, withSoundLog } from './sound-log.ts';
import { TIER_RULES } from './tier-rules.ts';
import { trialsText } from './trials-file.ts';
import { writeSigned } from './write-signed.ts';
import { candidateText } from './release-texts.ts';

/** Options of `runRelease()`. */
export interface RunReleaseOptions
  extends Omit<RunSuiteOptions, 'trials' | 'sampler' | 'dedupe' | 'stopEarly' | 'bail' | 'replay'> {
  /** The tier that is asked for. */
  readonly tier: Tier;
  /** The private key as a PEM text. It is never printed or written. */
  readonly key: string;
  /** The file of the record; its trials stand beside it, in a file of the same name with `.trials`. */
  readonly out: string;
  /** What is released. */
  readonly candidate: {
    /** Name of the candidate. */
    readonly name: string;
    /** Version of the candidate. */
    readonly version: string;
  };
  /** The release that reviews must name; default: the version of the candidate. */
  readonly id?: string;
  /** The day by which ages are counted, such as 2026-11-25; default: today, in UTC. */
  readonly asOf?: string;
  /** A file with prices; absent: only what recordings price themselves has a price. */
  readonly rates?: string;
  /** What a provider billed for the trials; absent: it is not compared. */
  readonly billing?: BillingExport;
  /** Records of the same candidate whose trials count, too, each with its trials beside it. Signed with the same key. */
  readonly records?: readonly string[];
  /** All shards of this very release, as `runReleaseShard` makes them, in place of running it. */
  readonly shards?: readonly ShardSource[];
  /** The record of the release before. It must hold, signed with the same key. */
  readonly prior?: string;
  /** The public key that it is signed with, as a PEM text, where that is another one. */
  readonly priorPublicKey?: string;
  /** The audit log; default: `release-log.jsonl` in the folder of the record. */
  readonly log?: string;
  /** A file of JSON lines that gets an issue for each thing that fails, once; absent: nobody waits for them. */
  readonly issueSink?: string;
  /** The model that plays each role, where passk does not ask it itself. */
  readonly pins?: Readonly<Record<string, string>>;
  /** Stages of the rollout that the record prescribes. */
  readonly canary?: ReleaseSettings['canary'];
  /** Is given the report of the run, where something was run, with what it decided of the release, once the record is written. */
  readonly onReport?: (report: SuiteReport) => void;
  /** In place of the rules of the tier. */
  readonly rules?: Partial<TierRules>;
}

/**
 * Runs the material of a release and writes its record, signed, with its trials beside it and an entry in the audit log. A
 * record is written for every verdict. Rejects with `USAGE` or `INPUT` before anything runs where it can be known, and with
 * `INTEGRITY` for an audit log that does not hold.
 */
export async function runRelease(options: RunReleaseOptions): Promise<EvalResult> {
  const {
    tier,
    key,
    out,
    candidate,
    id,
    asOf,
    rates,
    billing,
    records = [],
    shards,
    prior,
    priorPublicKey,
    log,
    issueSink,
    pins = {},
    canary = [],
    rules,
    onReport,
    ...runOptions
  } = options;
  refuseReplay(runOptions);
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const privateKey = readPrivateKey(key, 'The key');
  const record = path.resolve(cwd, out);
  const logFile = path.resolve(cwd, log ?? path.join(path.dirname(record), 'release-log.jsonl'));
  const shown = (file: string): string => displayName(file, cwd);
  const day = asOf ?? new Date().toISOString().slice(0, 10);
  if (!isDay(day)) throw new PasskError('USAGE', `"${day}" is no day.`, { hint: 'Write a day, such as 2026-11-25.' });
  const rateCard = rates === undefined ? null : readRateCard(rates, cwd);
  const billed = billing === undefined ? null : readBilling(billing, cwd);
  const publicKey = publicKeyOf(privateKey);
  const priorKey =
    priorPublicKey === undefined ? publicKey : readPublicKey(priorPublicKey, 'The public key of the prior');
  const before = prior === undefined ? null : await readPriorRecord(prior, { cwd, key: priorKey });
  const asked: TierRules = { ...TIER_RULES[tier], ...rules };
  // Rules that cannot be judged are told before anything runs.
  for (const text of [...asked.outcome, ...asked.trajectory, ...asked.faithfulness]) requireBar(text);
  const logPlace = { file: logFile, name: shown(logFile), key: privateKey };
  await soundLog(logPlace);
  const sink = issueSink === undefined ? null : await openIssueFile(path.resolve(cwd, issueSink), issueSink);
  const others = await readOtherRecords(records, { cwd, candidate, key: publicKey });
  const about = `${candidateText(candidate)} for ${tier}`;
  let begun: number | null = null;
  // Whoever sees trials go badly may kill the run: the log knows by then that there was a try.
  const onBegin = async (tried: string): Promise<void> => {
    const payloadHash = bodyHash({ candidate: { ...candidate, hash: tried }, tier });
    begun = await beginInLog(logPlace, { type: 'release.begun', about, payloadHash });
  };
  const gathered = await gatherEvidence(
    { ...runOptions, cwd },
    { others, ...(shards !== undefined && { shards }), rateCard, pins, rules: asked, tier, candidate, onBegin },
  );
  const { timing, report, ...evidence } = gathered;
  const body = evaluateRelease({
    tier,
    release: id ?? candidate.version,
    asOf: day,
    rules: asked,
    prior: before,
    canary,
    ...(billed !== null && { billing: billed }),
    ...evidence,
  });
  const hash = bodyHash(body);
  const trials = `${record}.trials`;
  // Read again: another release may have failed meanwhile, whose entry must stay.
  const result = await withSoundLog(logPlace, async (entries): Promise<EvalResult> => {
    const ends = begun === null ? {} : { ends: begun };
    const entry = { type: 'release.evaluated', about, payloadHash: hash, ...ends } as const;
    const anchor = entryAfter(entries, entry, privateKey);
    const signed: EvalResult = {
      schema: EVAL_RESULT_SCHEMA,
      body,
      bodyHash: hash,
      signature: signBody(hash, privateKey),
      anchor,
      envelope: { at: anchor.at, passk: VERSION, node: process.version, ...timing, trials: path.basename(trials) },
    };
    await writeSigned([
      [trials, trialsText(hash, evidence.trials)],
      [record, `${JSON.stringify(signed, null, 2)}\n`],
      [logFile, logText([...entries, anchor])],
    ]);
    return signed;
  });
  if (sink !== null) {
    await sinkIssues(issuesOf(result), sink, 'The record is written. Run it again with another --issue-sink.');
  }
  const { verdict, reasons } = body;
  if (report !== null)
    onReport?.({ ...report, gate: { ...report.gate, verdict, reasons }, release: releaseReport(body) });
  return result;
}

/** A rule that every candidate meets would be evidence of nothing. */
function requireBar(text: string): void {
  if (!alwaysPasses(releaseGate(text))) return;
  throw new PasskError('INPUT', `The rule "${text}" is met by every candidate, so that it shows nothing.`, {
    hint: 'Give a bar that a candidate can miss, or leave the rule out.',
  });
}
