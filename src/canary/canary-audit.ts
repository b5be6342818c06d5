import { createHash, type KeyObject } from 'node:crypto';
import path from 'node:path';
import { nextEntry } from '../release/audit-log.ts';
import { PasskError } from '../errors.ts';
import { readPrivateKey } from '../release/signing-keys.ts';
import { logText, soundLog, timeAfter, withSoundLog } from '../release/sound-log.ts';
import { writeSigned } from '../release/write-signed.ts';
import { displayName } from '../source/source-file.ts';
import type { CanaryReport, CanaryTransition } from '../types/canary/canary-report.ts';
import type { AuditEntry } from '../types/release/eval-result.ts';
import { TIERS } from '../types/release/release-rules.ts';
import type { JsonObject } from '../types/json.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import type { CanaryAuditOptions } from './canary-options.ts';

/** The audit log that transitions of a rollout are signed into. */
export interface CanaryAudit {
  /** Rejects with `INTEGRITY` where the log says that the candidate was taken back, in another rollout than this one. */
  requireFirst(report: CanaryReport): Promise<void>;
  /** Adds an entry for each transition of the rollout that the log does not have yet. */
  add(report: CanaryReport): Promise<void>;
}

/** Opens the log. Rejects with `INPUT` for a key or a log that is none, and with `INTEGRITY` for a log that does not hold. */
export async function openCanaryAudit({ log, key }: CanaryAuditOptions, cwd: string): Promise<CanaryAudit> {
  const privateKey = readPrivateKey(key, 'The key');
  const file = path.resolve(cwd, log);
  const place = { file, name: displayName(file, cwd), key: privateKey };
  await soundLog(place);
  return {
    requireFirst: async (report) => {
      const own = new Set(report.transitions.map((transition) => transitionHash(report, transition)));
      const before = (await soundLog(place)).find(
        (entry) => isTakenBack(entry, report.candidate) && !own.has(entry.payloadHash),
      );
      if (before === undefined) return;
      throw new PasskError(
        'INTEGRITY',
        `The candidate ${report.candidate} was taken back in another rollout: entry ${before.seq} of ${place.name}.`,
        {
          hint: 'Its outcomes count, whatever a new rollout leaves out. Give a candidate that was mended another version.',
        },
      );
    },
    add: (report) =>
      withSoundLog(place, async (entries) => {
        const next = withTransitions(entries, report, privateKey);
        if (next.length > entries.length) await writeSigned([[file, logText(next)]]);
      }),
  };
}

function withTransitions(entries: readonly AuditEntry[], report: CanaryReport, key: KeyObject): readonly AuditEntry[] {
  const logged = new Set(entries.filter(({ type }) => type === 'canary.transition').map((entry) => entry.payloadHash));
  const all = [...entries];
  for (const transition of report.transitions) {
    const payloadHash = transitionHash(report, transition);
    if (logged.has(payloadHash)) continue;
    const at = timeAfter(all.at(-1));
    const about = `${report.candidate} for ${report.tier}: ${aboutTransition(transition)}`;
    all.push(nextEntry(all.at(-1) ?? null, { type: 'canary.transition', at, about, payloadHash }, key));
  }
  return all;
}

/** SHA-256 of the transition as canonical JSON, with what it is of: the same one has the same, whoever asks for it. */
export function transitionHash(
  { configuration, candidate }: Pick<CanaryReport, 'configuration' | 'candidate'>,
  transition: CanaryTransition,
): string {
  const payload = { configuration, candidate, transition } as unknown as JsonObject;
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}

/** Whatever its tier or configuration was: both can be edited. */
function isTakenBack({ type, about }: AuditEntry, candidate: string): boolean {
  if (type !== 'canary.transition') return false;
  const tier = TIERS.find((one) => about.startsWith(`${candidate} for ${one}: `));
  return tier !== undefined && about.slice(`${candidate} for ${tier}: `.length).includes(TAKEN_BACK);
}

const TAKEN_BACK = ' % to rolled back (';

function aboutTransition({ from, to, reasons }: CanaryTransition): string {
  if (to === null) return `${from}${TAKEN_BACK}${reasons.map(({ code }) => code).join(', ')})`;
  return from === to ? `${from} % to released` : `${from} % to ${to} %`;
}
