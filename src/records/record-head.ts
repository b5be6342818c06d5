import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import { exactJsonText } from '../values/exact-json.ts';
import { encodeFrame } from './frame.ts';
import { planDigest } from './plan-digest.ts';
import { identitySchema } from './run-file.schema.ts';
import { shaped, shapedJson } from './shaped.ts';

/** A kind of file or message that is made of frames. The first frame is its head. */
export interface RecordFormat {
  /** The word in the head that tells it from all others. */
  readonly kind: string;
  /** With its article, as messages call it. */
  readonly noun: string;
  /** Goes up with each change that older versions cannot read. */
  readonly format: number;
  /** The other fields of the head. */
  readonly schema: TSchema;
}

export function encodeHead({ kind, format }: RecordFormat, fields: Readonly<Record<string, unknown>>): Uint8Array {
  return encodeFrame({ kind, format, ...fields });
}

/** The head in the value of a first frame (undefined: there is none), or what is wrong with it, as words after the file's name. */
export function readHead<T extends object>({ kind, noun, format, schema }: RecordFormat, value: unknown): T | string {
  const named = shaped<{ readonly kind: string; readonly format: number }>(value, namedSchema);
  if (value === undefined) return `is not ${noun} of passk, or its beginning is damaged`;
  if (named?.kind !== kind) return `is not ${noun} of passk`;
  if (named.format !== format) return `is of format ${named.format}; this passk reads format ${format}`;
  return shaped<T>(value, schema) ?? UNFIT;
}

/** The words for a head whose parts contradict each other. */
export const UNFIT = 'does not fit together';

const namedSchema = Type.Object({ kind: Type.String(), format: Type.Integer() });

/** The parts of a head that say which run it is of. As text: MessagePack refuses some keys. */
export function identityFields(identity: PlanIdentity): { readonly digest: string; readonly identity: string } {
  return { digest: planDigest(identity), identity: exactJsonText(identity) };
}

/** What `identityFields` wrote; null for anything else. */
export function readIdentity(head: { readonly digest: string; readonly identity: string }): PlanIdentity | null {
  const identity = shapedJson<PlanIdentity>(head.identity, identitySchema);
  return identity === null || planDigest(identity) !== head.digest ? null : identity;
}
