import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { LiveCounts } from '../types/live-counts.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { ScenarioPlaces, ShardId, ShardTiming, SuiteOutline } from '../types/shard.ts';
import { unreadableHint } from '../source/missing-path.ts';
import { type FileLayer, nodeFiles } from './file-layer.ts';
import type { FrameEnd } from './frame.ts';
import { digestOf, planDigest } from './plan-digest.ts';
import { eachFrame, withFile } from './record-file.ts';
import { readHead, readIdentity } from './record-head.ts';
import {
  liveCountsSchema,
  outlineSchema,
  placesSchema,
  scenarioPlanSchema,
  shardEndSchema,
} from './run-file.schema.ts';
import { SHARD, type ShardContent, type ShardRecord } from './shard-file.ts';
import { shaped, shapedJson } from './shaped.ts';

/** A shard file: its path, or its bytes and what to call them. */
export type ShardSource =
  | string
  | {
      /** The name by which messages call the file. */
      readonly name: string;
      /** The file's content. */
      readonly bytes: Uint8Array;
    };

/** A shard and what to call it in messages. */
export interface NamedShard extends ShardContent {
  readonly name: string;
  readonly digest: string;
}

/** Reads one shard file. Throws `INPUT` when it cannot be read, is something else, or is damaged. */
export async function readShard(source: ShardSource, files: FileLayer = nodeFiles): Promise<NamedShard> {
  const name = typeof source === 'string' ? source : source.name;
  const pieces = typeof source === 'string' ? files.read(source) : [source.bytes];
  const builder = new ShardBuilder(name);
  const end = await withFile(
    () => eachFrame(pieces, ({ value }) => builder.take(value)),
    (reason, cause) => {
      const hint = unreadableHint(cause, path.resolve(name), { shown: name, otherwise: HINT });
      return new PasskError('INPUT', `${name} cannot be read: ${reason}.`, { hint, cause });
    },
  );
  return builder.finish(end);
}

const HINT = 'Name the files that `passk run --shard` wrote.';

interface Head {
  readonly index: number;
  readonly count: number;
  readonly digest: string;
  readonly identity: string;
  readonly outline: string;
}

interface End extends ShardTiming {
  readonly partial: boolean;
  readonly live?: string;
}

/** Puts a shard together from the frames of an untrusted file. */
class ShardBuilder {
  private readonly name: string;
  private head: { readonly shard: ShardId; readonly identity: PlanIdentity; readonly outline: SuiteOutline } | null =
    null;
  private readonly scenarios: ScenarioPlan[] = [];
  private readonly records: ShardRecord[] = [];
  private readonly places: ScenarioPlaces[] = [];
  private ending: End | null = null;

  constructor(name: string) {
    this.name = name;
  }

  take(value: unknown): void {
    if (this.head === null) this.head = this.takeHead(value);
    else if (this.ending !== null || typeof value !== 'object' || value === null || !('kind' in value)) this.refuse();
    else if (value.kind === 'scenario') this.takeScenario(value);
    else if (value.kind === 'result') this.takeRecord(value);
    else if (value.kind === 'places') this.takePlaces(value);
    else if (value.kind === 'end') this.ending = shaped<End>(value, shardEndSchema) ?? this.refuse();
    else this.refuse();
  }

  finish({ kind, at }: FrameEnd): NamedShard {
    const { ending } = this;
    const head = this.head ?? this.takeHead(undefined);
    if (kind === 'corrupt') this.refuse(`it is damaged ${at} bytes from its start`);
    if (kind === 'torn' || ending === null) this.refuse('its end is missing');
    if (this.scenarios.length !== head.identity.scenarios.length) this.refuse('scenarios are missing in it');
    const { partial, startedAt, durationMs, workers, root } = ending;
    return {
      name: this.name,
      digest: planDigest(head.identity),
      ...head,
      scenarios: this.scenarios,
      records: this.records,
      places: this.places,
      partial,
      timing: { startedAt, durationMs, workers, ...(root !== undefined && { root }) },
      ...(ending.live !== undefined && { live: this.liveOf(ending.live) }),
    };
  }

  private liveOf(text: string): LiveCounts | null {
    const live = shapedJson<LiveCounts>(text, liveCountsSchema);
    // JSON for "no real model was asked".
    return live === null && text !== 'null' ? this.refuse() : live;
  }

  private takeHead(value: unknown): NonNullable<ShardBuilder['head']> {
    const head = readHead<Head>(SHARD, value);
    if (typeof head === 'string') throw new PasskError('INPUT', `${this.name} ${head}.`, { hint: HINT });
    const identity = readIdentity(head) ?? this.refuse();
    const outline = shapedJson<SuiteOutline>(head.outline, outlineSchema) ?? this.refuse();
    if (head.index > head.count) this.refuse();
    if (outline.rows.filter((row) => row === null).length !== identity.scenarios.length) this.refuse();
    return { shard: { index: head.index, count: head.count }, identity, outline };
  }

  private takeScenario(value: object): void {
    const text: unknown = 'plan' in value ? value.plan : null;
    const index = this.scenarios.length;
    const plan = shapedJson<ScenarioPlan>(text, scenarioPlanSchema) ?? this.refuse();
    const expected = this.head?.identity.scenarios[index];
    if (expected?.digest !== digestOf(String(text)) || expected.trials !== plan.trials) this.refuse();
    this.scenarios.push({ ...plan, index });
  }

  private takeRecord(value: object): void {
    const { scenario, blocks, tally } = value as Readonly<Record<string, unknown>>;
    if (!this.isPlanned(scenario) || !(tally instanceof Uint8Array) || !(blocks === null || isPairs(blocks)))
      this.refuse();
    this.records.push({ scenario, blocks, tally });
  }

  private takePlaces(value: object): void {
    const { scenario, places } = value as Readonly<Record<string, unknown>>;
    const read = shapedJson<ScenarioPlaces['places']>(places, placesSchema);
    if (!this.isPlanned(scenario) || read === null) this.refuse();
    this.places.push({ scenario, places: read });
  }

  private isPlanned(scenario: unknown): scenario is number {
    return typeof scenario === 'number' && this.scenarios[scenario] !== undefined;
  }

  private refuse(what = 'its contents do not fit together'): never {
    throw this.problem(what);
  }

  private problem(what: string): PasskError {
    return new PasskError('INPUT', `${this.name} cannot be merged: ${what}.`, {
      hint: 'Fetch it again, or run this shard again.',
    });
  }
}

/** Ascending block numbers, two by two. */
function isPairs(value: unknown): value is readonly number[] {
  if (!Array.isArray(value) || value.length % 2 !== 0 || value.length === 0) return false;
  let last = -1;
  return value.every((block: unknown, index) => {
    if (typeof block !== 'number' || !Number.isInteger(block) || block < 0) return false;
    const rises = index % 2 === 1 ? block > last : block >= last;
    last = block;
    return rises;
  });
}
