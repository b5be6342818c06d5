import { existsSync } from 'node:fs';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { FileLayer } from '../records/file-layer.ts';
import { readPlain } from '../records/open-plain.ts';
import { withFile } from '../records/record-file.ts';
import { readHoldingRecord } from '../release/verified-record.ts';
import { displayName } from '../source/source-file.ts';
import type { CanaryReleaseSource } from '../types/canary/canary-plan.ts';
import type { CanaryReason, CanaryRelease, CanaryReport } from '../types/canary/canary-report.ts';
import type { EvalBody } from '../types/release/eval-body.ts';
import { TIERS } from '../types/release/release-rules.ts';
import { CanaryMachine } from './canary-machine.ts';
import { missingStages, type ReadCanary } from './read-canary.ts';

/** A rollout that may begin, with the release that was shown; or one that may not, as it stands then. */
export type Admission =
  | { readonly refused: null; readonly release: CanaryRelease | null }
  | { readonly refused: CanaryReport };

export interface AdmitOptions {
  /** The state of the rollout: where its journal is there, it has begun, and was admitted then. */
  readonly state: string;
  readonly cwd: string;
  readonly files: FileLayer;
}

/**
 * Whether a rollout may begin: it has the stages of its tier, and the record that it names is of its candidate and passed.
 * Rejects with `INPUT` for a record or a key that cannot be read, and with `INTEGRITY` for a record that does not hold.
 */
export async function admitRollout(read: ReadCanary, { state, cwd, files }: AdmitOptions): Promise<Admission> {
  const refused = refusedRollout(read);
  if (refused !== null) return { refused };
  const { release } = read.plan;
  if (release === null) return { refused: null, release: null };
  const kind = await withFile(
    () => files.kindOf(`${state}.journal`),
    (reason, cause) => new PasskError('INPUT', `${state}.journal cannot be read: ${reason}.`, { cause }),
  );
  if (kind !== 'absent') return { refused: null, release: null };
  const { result, name } = await shownRecord(release, path.dirname(read.file), cwd);
  const reason = reasonAgainst(read, name, result.body);
  if (reason !== null) return { refused: refusedReport(read, reason) };
  const { candidate, tier } = result.body;
  return {
    refused: null,
    release: {
      name: candidate.name,
      version: candidate.version,
      tier,
      bodyHash: result.bodyHash,
      keyId: result.signature.keyId,
    },
  };
}

/** A rollout that leaves out a stage of its tier; null: it has all of them. */
export function refusedRollout(read: ReadCanary): CanaryReport | null {
  const missing = missingStages(read.plan);
  if (missing.length === 0) return null;
  const { tier } = read.plan;
  const message = `Tier ${tier} has no full rollout without canary: there is no stage of ${percents(missing)}.`;
  return refusedReport(read, { code: 'CANARY_REQUIRED', message, outcomes: [] });
}

function refusedReport({ plan, configuration }: ReadCanary, reason: CanaryReason): CanaryReport {
  return {
    ...new CanaryMachine(plan).report(configuration),
    state: 'refused',
    percent: 0,
    reasons: [reason],
    waitsFor: [],
  };
}

/** Where trials stand beside the record, it is judged again; where a log is named, no earlier try of the candidate may be in it. */
async function shownRecord(
  { record, publicKey, log }: CanaryReleaseSource,
  folder: string,
  cwd: string,
): ReturnType<typeof readHoldingRecord> {
  const file = path.resolve(folder, record);
  const keyFile = path.resolve(folder, publicKey);
  const key = await withFile(
    () => readPlain(keyFile),
    (reason, cause) => new PasskError('INPUT', `${displayName(keyFile, cwd)} cannot be read: ${reason}.`, { cause }),
  );
  return readHoldingRecord(file, {
    publicKey: key.toString('utf8'),
    recompute: existsSync(`${file}.trials`),
    ...(log !== null && { log: path.resolve(folder, log) }),
    cwd,
    hint: 'A rollout begins with a record that nobody changed, signed by the key that is named under [release].',
  });
}

/** Why a record that holds lets this rollout not begin; null: it does. */
function reasonAgainst({ plan }: ReadCanary, name: string, body: EvalBody): CanaryReason | null {
  const against = (message: string): CanaryReason => ({ code: 'RELEASE', message, outcomes: [] });
  const { candidate, tier, verdict, canary } = body;
  const about = `${candidate.name} ${candidate.version} for ${tier}`;
  if (candidate.version !== plan.candidate) {
    return against(`The record ${name} is of ${about}, and the candidate is ${plan.candidate}.`);
  }
  if (TIERS.indexOf(tier) < TIERS.indexOf(plan.tier)) {
    return against(`The record ${name} is of ${about}, and the rollout is for ${plan.tier}.`);
  }
  if (verdict !== 'pass') return against(`The release of ${about} did not pass: the record ${name} says ${verdict}.`);
  const missing = canary
    .map(({ percent }) => percent)
    .filter((percent) => !plan.stages.some((stage) => stage.percent === percent));
  return missing.length === 0
    ? null
    : against(`The record ${name} prescribes stages that the rollout leaves out: ${percents(missing)}.`);
}

function percents(shares: readonly number[]): string {
  return shares.map((percent) => `${percent} %`).join(', ');
}
