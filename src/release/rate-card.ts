import path from 'node:path';
import { PasskError } from '../errors.ts';
import { digestOf } from '../records/plan-digest.ts';
import { checkSchema } from '../source/check-schema.ts';
import { isTable } from '../source/json-schema.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { rateCardSchema } from './rate-card-schema.ts';

/** What a model costs. Prices are billionths of a dollar for a million tokens, so that sums are exact. */
export interface ModelRate {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly reasoning: bigint;
  /** Billionths of a dollar for each request. */
  readonly request: bigint;
  /** What is left of a price in parts of a million, for tokens of input and output, and for cached ones. */
  readonly tokensPart: bigint;
  readonly cachePart: bigint;
}

/** Prices of one day. `*` stands for all names that have no rate of their own. */
export interface RateCard {
  readonly id: string;
  /** The day from which the prices hold. */
  readonly effective: string;
  /** SHA-256 of its canonical JSON: the layout and the comments of the file do not matter. */
  readonly hash: string;
  readonly models: ReadonlyMap<string, ModelRate>;
  /** Billionths of a dollar for each unit, such as a call. */
  readonly tools: ReadonlyMap<string, bigint>;
  readonly connectors: ReadonlyMap<string, bigint>;
}

/** Reads a file of prices; relative paths start from `cwd`. Throws `INPUT` with all problems. */
export function readRateCard(file: string, cwd: string): RateCard {
  return rateCardOf(readRates(file, cwd));
}

/** The same as the data that it is made of. */
export function readRates(file: string, cwd: string): JsonObject {
  const root = path.resolve(cwd);
  const read = readSource(path.resolve(root, file), { root });
  if (!read.ok) throw unusable(read.issues);
  const parsed = parseToml(read.source);
  if (!parsed.ok) throw unusable(parsed.issues);
  const issues = checkSchema(parsed.document, [], rateCardSchema);
  if (issues.length > 0) throw unusable(issues);
  return parsed.document.data;
}

/** The prices in data that fit the schema of rate cards. */
export function rateCardOf(data: JsonObject): RateCard {
  const models = new Map<string, ModelRate>();
  for (const [name, rate] of entriesOf(data.models)) models.set(name, modelRate(rate));
  const connectors = new Map<string, bigint>();
  for (const [name, rate] of entriesOf(data.connectors)) {
    for (const unit of CONNECTOR_UNITS) {
      const price = rate[unit];
      if (typeof price === 'number') connectors.set(unit === 'call' ? name : `${name}:${unit}`, nano(price));
    }
  }
  return {
    id: String(data.id),
    effective: String(data.effective),
    hash: digestOf(canonicalJson(data)),
    models,
    tools: new Map(entriesOf(data.tools).map(([name, rate]) => [name, nano(numberIn(rate, 'call') ?? 0)])),
    connectors,
  };
}

/** What connectors charge for; lines of the others are called `NAME:UNIT`. */
const CONNECTOR_UNITS = ['call', 'egress_gb', 'read'] as const;

/** Billionths of a dollar that a number of dollars is. Prices have at most nine decimals, by the schema. */
function nano(usd: number): bigint {
  return BigInt(Math.round(usd * 1e9));
}

const WHOLE = 1_000_000n;

function modelRate(rate: JsonObject): ModelRate {
  const price = (key: string, otherwise: number): bigint => nano(numberIn(rate, key) ?? otherwise);
  const [input, output] = [numberIn(rate, 'input') ?? 0, numberIn(rate, 'output') ?? 0];
  const discount = rate.batch === true ? BigInt(Math.round((numberIn(rate, 'batch_discount') ?? 0.5) * 1e6)) : 0n;
  const reserved = isTable(rate.reserved) ? reservedPrice(rate.reserved) : null;
  return {
    input: reserved ?? nano(input),
    output: reserved ?? nano(output),
    cacheRead: reserved ?? price('cache_read', input),
    cacheWrite: reserved ?? price('cache_write', input),
    reasoning: reserved ?? price('reasoning', output),
    request: price('request', 0),
    tokensPart: WHOLE - discount,
    cachePart: rate.batch_discounts_cache === false ? WHOLE : WHOLE - discount,
  };
}

/** Of a reservation every token costs the same: fee / (utilisation × capacity), for a million. Source: release gate, F-10. */
function reservedPrice(reserved: JsonObject): bigint {
  const [fee, capacity, utilisation] = ['fee_per_hour', 'tokens_per_hour', 'utilisation'].map(
    (key) => numberIn(reserved, key) ?? 1,
  ) as [number, number, number];
  return nano((fee / (utilisation * capacity)) * 1e6);
}

function entriesOf(value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isTable(value)) return [];
  return Object.entries(value).flatMap(([name, rate]) => (isTable(rate) ? [[name, rate] as const] : []));
}

function numberIn(table: JsonObject, key: string): number | undefined {
  const value = table[key];
  return typeof value === 'number' ? value : undefined;
}

function unusable(issues: readonly Issue[]): PasskError {
  return new PasskError('INPUT', 'The rate card cannot be used.', { issues });
}
