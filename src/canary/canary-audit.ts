import { createHash, type KeyObject } from 'node:crypto';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { readPrivateKey } from '../release/signing-keys.ts';
import { entryAfter, logText, soundLog, withSoundLog } from '../release/sound-log.ts';
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
  /**
   * Rejects with `INTEGRITY` where the log says that the candidate was taken back in another rollout than this one, or is on its
   * way in one. `rollout`: as the journal has it.
   */
  requireFirst(report: CanaryReport, rollout: string): Promise<void>;
  /** Does the same, and adds an entry that the rollout begins, unless it is there. */
  begin(report: CanaryReport, rollout: string): Promise<void>;
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
    requireFirst: async (report, rollout) => refuseOther(await soundLog(place), { report, rollout, name: place.name }),
    begin: (report, rollout) =>
      withSoundLog(place, async (entries) => {
        refuseOther(entries, { report, rollout, name: place.name });
        const payloadHash = beginningHash(report, rollout);
        if (entries.some((entry) => entry.payloadHash === payloadHash)) return;
        const about = `${report.candidate} for ${report.tier}: begins`;
        const entry = entryAfter(entries, { type: 'canary.begun', about, payloadHash }, privateKey);
        await writeSigned([[file, logText([...entries, entry])]]);
      }),
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
    const about = `${report.candidate} for ${report.tier}: ${aboutTransition(transition)}`;
    all.push(entryAfter(all, { type: 'canary.transition', about, payloadHash }, key));
  }
  return all;
}

interface Other {
  readonly report: CanaryReport;
  readonly rollout: string;
  /** The log, as it is shown. */
  readonly name: string;
}

/** Throws where another rollout of the candidate took it back, or was on its way when this one began. */
function refuseOther(entries: readonly AuditEntry[], { report, rollout, name }: Other): void {
  const { candidate, transitions } = report;
  const own = new Set([
    beginningHash(report, rollout),
    ...transitions.map((transition) => transitionHash(report, transition)),
  ]);
  let underWay: AuditEntry | null = null;
  let hasBegun = false;
  for (const entry of entries) {
    const said = saidOf(entry, candidate);
    if (said === null) continue;
    if (own.has(entry.payloadHash)) {
      hasBegun = true;
    } else if (said.includes(TAKEN_BACK)) {
      throw new PasskError(
        'INTEGRITY',
        `The candidate ${candidate} was taken back in another rollout: entry ${entry.seq} of ${name}.`,
        {
          hint: 'Its outcomes count, whatever a new rollout leaves out. Give a candidate that was mended another version.',
        },
      );
    } else if (!hasBegun) underWay = said.endsWith(RELEASED) ? null : (underWay ?? entry);
  }
  if (underWay === null || hasBegun) return;
  throw new PasskError(
    'INTEGRITY',
    `The candidate ${candidate} is on its way in another rollout: entry ${underWay.seq} of ${name}.`,
    {
      hint: 'Continue that one with its --state. Where its journal is lost, give the candidate another version.',
    },
  );
}

/** SHA-256 of what begins, as canonical JSON: another rollout has another one. */
function beginningHash({ configuration, candidate, release }: CanaryReport, rollout: string): string {
  return hashOf({ configuration, candidate, rollout, release: release?.bodyHash ?? null });
}

/** SHA-256 of the transition as canonical JSON, with what it is of: the same one has the same, whoever asks for it. */
export function transitionHash(
  { configuration, candidate }: Pick<CanaryReport, 'configuration' | 'candidate'>,
  transition: CanaryTransition,
): string {
  return hashOf({ configuration, candidate, transition });
}

function hashOf(payload: object): string {
  return createHash('sha256')
    .update(canonicalJson(payload as JsonObject))
    .digest('hex');
}

/** What an entry says of the candidate, whatever its tier or configuration was: both can be edited. Null: it is about something else. */
function saidOf({ type, about }: AuditEntry, candidate: string): string | null {
  if (type !== 'canary.begun' && type !== 'canary.transition') return null;
  const tier = TIERS.find((one) => about.startsWith(`${candidate} for ${one}: `));
  return tier === undefined ? null : about.slice(`${candidate} for ${tier}: `.length);
}

const TAKEN_BACK = ' % to rolled back (';
const RELEASED = ' % to released';

function aboutTransition({ from, to, reasons }: CanaryTransition): string {
  if (to === null) return `${from}${TAKEN_BACK}${reasons.map(({ code }) => code).join(', ')})`;
  return from === to ? `${from}${RELEASED}` : `${from} % to ${to} %`;
}
