import { PasskError } from '../errors.ts';
import type { ScenarioIdentity } from '../types/plan-identity.ts';
import { encodeHead, readHead, type RecordFormat } from './record-head.ts';
import { RECORD_WORDS } from './record-kind.ts';
import { cassetteHeadSchema } from './run-file.schema.ts';

const CASSETTE: RecordFormat = {
  kind: RECORD_WORDS.cassette,
  noun: 'a cassette',
  format: 2,
  schema: cassetteHeadSchema,
};

/** What to do where a cassette was wanted. */
export const CASSETTE_HINT = 'Name a file that `passk run --record` wrote.';

/** Where a cassette is written until its run ends. */
export function draftOf(file: string): string {
  return `${file}.partial`;
}

/** The run that a cassette is of. */
export interface CassetteHead {
  /** Version of passk that recorded it. */
  readonly passk: string;
  /** Options that decide what is asked, as JSON text. Only those who record and replay read it. */
  readonly settings: string;
  /** In plan order, which the records count by. Digests do not depend on the number of trials. */
  readonly scenarios: readonly ScenarioIdentity[];
}

/** The first frame of a cassette. `created`: milliseconds since 1970, for people who find the file. */
export function encodeCassetteHead(head: CassetteHead, created: number): Uint8Array {
  return encodeHead(CASSETTE, { created, ...head });
}

/** Reads the first frame's value. Throws `INPUT` when it is no head of a cassette. */
export function readCassetteHead(value: unknown, file: string): CassetteHead {
  const head = readHead<CassetteHead>(CASSETTE, value);
  if (typeof head === 'string') {
    throw new PasskError('INPUT', `${file} ${head}.`, { hint: CASSETTE_HINT });
  }
  const { passk, settings, scenarios } = head;
  return { passk, settings, scenarios };
}

/** True for the first frame of a cassette that this passk reads. */
export function isCassette(value: unknown): boolean {
  return typeof readHead(CASSETTE, value) !== 'string';
}
