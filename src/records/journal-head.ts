import { PasskError } from '../errors.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import type { ShardId } from '../types/shard.ts';
import { planDifferences } from './compare-plans.ts';
import { encodeFrame } from './frame.ts';
import { planDigest } from './plan-digest.ts';
import { identitySchema, journalHeadSchema } from './run-file.schema.ts';
import { shaped, shapedJson } from './shaped.ts';
import { exactJsonText } from '../values/exact-json.ts';

const KIND = 'passk-journal';
/** A change that older versions cannot read is a new number. */
const FORMAT = 2;

/** The run a journal is of: its plan, and the part of it where only a part was run. */
export interface JournalHead {
  readonly identity: PlanIdentity;
  readonly shard: ShardId | null;
}

interface Head {
  readonly kind: string;
  readonly format: number;
  readonly digest: string;
  readonly identity: string;
  readonly index: number;
  readonly count: number;
}

/** The first frame of a journal. `created`: milliseconds since 1970, for people who find the file. */
export function encodeJournalHead({ identity, shard }: JournalHead, created: number): Uint8Array {
  return encodeFrame({
    kind: KIND,
    format: FORMAT,
    digest: planDigest(identity),
    seed: identity.seed,
    created,
    identity: exactJsonText(identity),
    // The whole run is the only part of one.
    index: shard?.index ?? 1,
    count: shard?.count ?? 1,
  });
}

/** Reads the first frame's value. Throws `INPUT` when it is of something else. */
export function readJournalHead(value: unknown, file: string): JournalHead {
  const head = shaped<Head>(value, journalHeadSchema);
  const refuse = (what: string): PasskError =>
    new PasskError('INPUT', `${file} ${what}.`, { hint: 'Name another folder with --journal, or remove this file.' });
  if (head?.kind !== KIND) throw refuse('is not a journal of passk');
  if (head.format !== FORMAT) throw refuse(`is of format ${head.format}; this passk reads format ${FORMAT}`);
  const identity = shapedJson<PlanIdentity>(head.identity, identitySchema);
  if (identity === null || planDigest(identity) !== head.digest) throw refuse('does not fit together');
  return { identity, shard: head.count === 1 ? null : { index: head.index, count: head.count } };
}

/** Why this journal cannot be continued by that run, in words; null when it can. */
export function whyAnotherRun(ours: JournalHead, theirs: JournalHead): string | null {
  const differences = planDifferences(ours.identity, theirs.identity);
  if (differences.length > 0) return differences.join('; ');
  return partOf(ours) === partOf(theirs) ? null : `it is of ${partOf(theirs)}, this is ${partOf(ours)}`;
}

function partOf({ shard }: JournalHead): string {
  return shard === null || shard.count === 1 ? 'a whole run' : `shard ${shard.index} of ${shard.count}`;
}
