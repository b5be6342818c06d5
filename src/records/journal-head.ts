import { PasskError } from '../errors.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import type { ShardId } from '../types/shard.ts';
import { planDifferences } from './compare-plans.ts';
import { encodeHead, identityFields, readHead, readIdentity, type RecordFormat, UNFIT } from './record-head.ts';
import { RECORD_WORDS } from './record-kind.ts';
import { journalHeadSchema } from './run-file.schema.ts';

const JOURNAL: RecordFormat = { kind: RECORD_WORDS.journal, noun: 'a journal', format: 4, schema: journalHeadSchema };

/** The run a journal is of: its plan, and the part of it where only a part was run. */
export interface JournalHead {
  readonly identity: PlanIdentity;
  readonly shard: ShardId | null;
}

interface Head {
  readonly digest: string;
  readonly identity: string;
  readonly index: number;
  readonly count: number;
}

/** The first frame of a journal. `created`: milliseconds since 1970, for people who find the file. */
export function encodeJournalHead({ identity, shard }: JournalHead, created: number): Uint8Array {
  return encodeHead(JOURNAL, {
    ...identityFields(identity),
    seed: identity.seed,
    created,
    // A whole run is written as shard 1 of 1.
    index: shard?.index ?? 1,
    count: shard?.count ?? 1,
  });
}

/** Reads the first frame's value. Throws `INPUT` when it is no head of a journal. */
export function readJournalHead(value: unknown, file: string): JournalHead {
  const head = readHead<Head>(JOURNAL, value);
  const identity = typeof head === 'string' ? null : readIdentity(head);
  if (typeof head === 'string' || identity === null) {
    throw new PasskError('INPUT', `${file} ${typeof head === 'string' ? head : UNFIT}.`, {
      hint: 'Name another folder with --journal, or remove this file.',
    });
  }
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
