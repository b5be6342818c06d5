import { PasskError } from '../errors.ts';
import type { ScenarioIdentity } from '../types/plan-identity.ts';
import { encodeFrame } from './frame.ts';
import { cassetteHeadSchema } from './run-file.schema.ts';
import { shaped } from './shaped.ts';

const KIND = 'passk-cassette';
/** A change that older versions cannot read is a new number. */
const FORMAT = 2;

/** The run that a cassette is of. */
export interface CassetteHead {
  /** Version of passk that recorded it. */
  readonly passk: string;
  /** The options that decide what is asked, as JSON text: a matter of who records and replays. */
  readonly settings: string;
  /** In plan order, which the records count by. Digests do not depend on the number of trials. */
  readonly scenarios: readonly ScenarioIdentity[];
}

/** The first frame of a cassette. `created`: milliseconds since 1970, for people who find the file. */
export function encodeCassetteHead(head: CassetteHead, created: number): Uint8Array {
  return encodeFrame({ kind: KIND, format: FORMAT, created, ...head });
}

/** Reads the first frame's value. Throws `INPUT` when it is of something else. */
export function readCassetteHead(value: unknown, file: string): CassetteHead {
  const head = shaped<CassetteHead & { readonly kind: string; readonly format: number }>(value, cassetteHeadSchema);
  const refuse = (what: string): PasskError =>
    new PasskError('INPUT', `${file} ${what}.`, { hint: 'Name a file that `passk run --record` wrote.' });
  if (head?.kind !== KIND) throw refuse('is not a cassette of passk');
  if (head.format !== FORMAT) throw refuse(`is of format ${head.format}; this passk reads format ${FORMAT}`);
  const { passk, settings, scenarios } = head;
  return { passk, settings, scenarios };
}
