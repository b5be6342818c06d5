import { closeSync, readSync } from 'node:fs';
import { PasskError } from '../errors.ts';
import { openPlainSync } from '../records/open-plain.ts';
import { valueProblems } from '../source/check-schema.ts';
import { Type } from '../source/schema-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { LEDGER_KINDS } from '../types/record.ts';
import { TRIALS_SCHEMA, type TrialLine } from '../types/release/trial-line.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { parseSigned } from './record-files.ts';
import { unreadable } from './unreadable.ts';

/** The text of the file of trials: a head, and then a trial a line, each in canonical JSON. */
export function trialsText(bodyHash: string, trials: readonly TrialLine[]): string {
  const head = canonicalJson({ schema: TRIALS_SCHEMA, bodyHash, trials: trials.length });
  return `${[head, ...trials.map((trial) => canonicalJson(trial as unknown as JsonObject))].join('\n')}\n`;
}

/** The trials of a file. */
export interface ReadTrials {
  /** Of the record that it was written with. */
  readonly bodyHash: string;
  readonly trials: readonly TrialLine[];
}

/** No line of passk's is longer. */
const MOST_BYTES = 1024 * 1024;
const CHUNK = 1024 * 1024;

/** Reads a file of trials. Throws `INPUT` for a file that is none, and `INTEGRITY` for one that is cut off. `name`: as it is shown. */
export function readTrials(file: string, name: string): ReadTrials {
  let head: { readonly bodyHash: string; readonly trials: number } | null = null;
  const trials: TrialLine[] = [];
  let number = 0;
  for (const line of linesOf(file, name)) {
    number++;
    const value = parseSigned(line, `${name}:${number}`);
    if (head === null) head = checked(value, headSchema, `${name}:${number}`);
    else trials.push(checked<TrialLine>(value, lineSchema, `${name}:${number}`));
  }
  if (head === null) throw new PasskError('INPUT', `${name} is empty.`);
  if (trials.length !== head.trials) {
    throw new PasskError('INTEGRITY', `${name} has ${trials.length} of its ${head.trials} trials.`);
  }
  return { bodyHash: head.bodyHash, trials };
}

function* linesOf(file: string, name: string): Generator<string> {
  const descriptor = openFile(file, name);
  try {
    let rest = Buffer.alloc(0);
    const chunk = Buffer.alloc(CHUNK);
    for (;;) {
      const count = readSync(descriptor, chunk, 0, CHUNK, null);
      if (count === 0) break;
      rest = Buffer.concat([rest, chunk.subarray(0, count)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield rest.subarray(0, end).toString('utf8');
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MOST_BYTES)
        throw new PasskError('INPUT', `${name} has a line of more than ${MOST_BYTES} bytes.`);
    }
    if (rest.length > 0) throw new PasskError('INTEGRITY', `${name} ends in the middle of a line.`);
  } finally {
    closeSync(descriptor);
  }
}

function openFile(file: string, name: string): number {
  try {
    return openPlainSync(file);
  } catch (cause) {
    throw unreadable(file, name, cause);
  }
}

function checked<T>(value: unknown, schema: ReturnType<typeof Type.Object>, at: string): T {
  const [problem] = valueProblems(schema, value as Json, 'the line');
  if (problem === undefined) return value as T;
  throw new PasskError('INPUT', `${at} is no line of a file of trials: ${problem.message}`);
}

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0 });
const closed = { additionalProperties: false };

const headSchema = Type.Object({ schema: Type.Literal(TRIALS_SCHEMA), bodyHash: sha256, trials: count }, closed);

const usageSchema = Type.Object(
  {
    promptTokens: count,
    completionTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
  },
  closed,
);

const lineSchema = Type.Object(
  {
    scenario: sha256,
    trial: count,
    verdict: Type.Enum(['passed', 'failed', 'broken']),
    retries: count,
    ledger: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...LEDGER_KINDS]),
          name: Type.String(),
          attempt: count,
          units: Type.Number({ minimum: 0 }),
          usage: Type.Union([usageSchema, Type.Null()]),
          nanoUsd: Type.Union([Type.String({ pattern: '^[0-9]{1,30}$' }), Type.Null()]),
        },
        closed,
      ),
    ),
  },
  closed,
);
