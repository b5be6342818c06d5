import { PasskError } from '../errors.ts';
import { type OutputDocument, outputSchema } from '../report/output-schema.ts';
import { readPlain } from '../records/open-plain.ts';
import { valueProblems } from '../source/check-schema.ts';
import { decodeUtf8 } from '../source/decode-utf8.ts';
import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { CERTIFICATE_SCHEMA, type Certificate } from '../types/release/certificate.ts';
import {
  AUDIT_ENTRY_TYPES,
  type AuditEntry,
  EVAL_RESULT_SCHEMA,
  type EvalResult,
} from '../types/release/eval-result.ts';
import { Type } from '../source/schema-type.ts';
import { repeatedKey } from '../values/repeated-key.ts';
import { unreadable } from './unreadable.ts';

/** Larger files are no records: 10^5 scenarios take less. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Reads a record. Throws `INPUT` for what is none, and one of another version. `name`: as it is shown. */
export async function readRecord(file: string, name: string): Promise<EvalResult> {
  const value = await readDocument(file, name, {
    schema: EVAL_RESULT_SCHEMA,
    document: 'release',
    noun: 'release record',
  });
  return value as unknown as EvalResult;
}

/** The same of a certificate. */
export async function readCertificate(file: string, name: string): Promise<Certificate> {
  const value = await readDocument(file, name, {
    schema: CERTIFICATE_SCHEMA,
    document: 'certificate',
    noun: 'certificate',
  });
  return value as unknown as Certificate;
}

export interface DocumentKind {
  readonly schema: string;
  readonly document: OutputDocument;
  readonly noun: string;
}

/** Reads a document that passk writes. Throws `INPUT` for what is none, and one of another version. `name`: as it is shown. */
export async function readDocument(
  file: string,
  name: string,
  { schema, document, noun }: DocumentKind,
): Promise<JsonObject> {
  const value = parse(await bytesOf(file, name), name);
  if (!isTable(value) || typeof value.schema !== 'string') throw new PasskError('INPUT', `${name} is no ${noun}.`);
  if (value.schema !== schema) {
    throw new PasskError(
      'INPUT',
      `${name} is of the version ${JSON.stringify(value.schema)}; this passk reads ${schema}.`,
    );
  }
  const problems = valueProblems(await outputSchema(document), value, 'the record');
  if (problems.length === 0) return value;
  const texts = problems.map(({ message }) => message).slice(0, 5);
  throw new PasskError('INPUT', `${name} is no ${noun}: ${texts.join(' ')}`);
}

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const entrySchema = Type.Object(
  {
    seq: Type.Integer({ minimum: 0 }),
    type: Type.Enum([...AUDIT_ENTRY_TYPES]),
    at: Type.String({ minLength: 1 }),
    about: Type.String({ minLength: 1 }),
    prev: sha256,
    payloadHash: sha256,
    ends: Type.Optional(Type.Integer({ minimum: 0 })),
    keyId: sha256,
    sig: Type.String({ pattern: '^[0-9a-f]{128}$' }),
  },
  { additionalProperties: false },
);

/** The entries of an audit log; []: there is no such file. Throws `INPUT` for lines that are none, and `INTEGRITY` for one that is cut off. */
export async function readLog(file: string, name: string): Promise<readonly AuditEntry[]> {
  const lines = await linesOf(file, name, 'an entry');
  return lines.map((value, at) => {
    const [problem] = valueProblems(entrySchema, value, 'the entry');
    if (problem === undefined) return value as unknown as AuditEntry;
    throw new PasskError('INPUT', `${name}:${at + 1} is no entry of an audit log: ${problem.message}`);
  });
}

/** The fingerprints of the issues in a file; empty: there is no such file. Throws like `readLog`. */
export async function readFingerprints(file: string, name: string): Promise<ReadonlySet<string>> {
  const lines = await linesOf(file, name, 'an issue');
  const prints = lines.map((value, at) => {
    if (isTable(value) && typeof value.fingerprint === 'string') return value.fingerprint;
    throw new PasskError('INPUT', `${name}:${at + 1} is no issue.`, { hint: 'Name another file.' });
  });
  return new Set(prints);
}

/** The values of JSON lines. `what`: one of them, in words. */
async function linesOf(file: string, name: string, what: string): Promise<readonly Json[]> {
  const decoded = decodeUtf8(await bytesOf(file, name, { isOptional: true }));
  if (!decoded.ok) throw new PasskError('INPUT', `${name} is not UTF-8.`);
  const { text } = decoded;
  if (text !== '' && !text.endsWith('\n')) {
    throw new PasskError('INTEGRITY', `${name} ends in the middle of ${what}.`, { hint: 'Restore it from a copy.' });
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, at) => parse(Buffer.from(line), `${name}:${at + 1}`));
}

async function bytesOf(file: string, name: string, { isOptional = false } = {}): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = await readPlain(file);
  } catch (cause) {
    if (isOptional && (cause as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array();
    throw unreadable(file, name, cause);
  }
  if (bytes.length <= MOST_BYTES) return bytes;
  throw new PasskError('INPUT', `${name} has ${bytes.length} bytes; the limit is ${MOST_BYTES}.`);
}

function parse(bytes: Uint8Array, at: string): Json {
  return parseSigned(Buffer.from(bytes).toString('utf8'), at);
}

/** What is signed, or hashed in what is. Throws `INPUT` for no JSON, and for a text that another reader could read otherwise. */
export function parseSigned(text: string, at: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new PasskError('INPUT', `${at} is not JSON.`);
  }
  const twice = repeatedKey(text);
  if (twice === null) return value;
  throw new PasskError(
    'INPUT',
    `${at} has the key ${JSON.stringify(twice)} twice; other programs may read the other value.`,
    {
      hint: 'passk writes no such file: somebody changed it. Restore it from a copy.',
    },
  );
}
