import type { LiveCounts } from '../types/live-counts.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { ScenarioPlaces, ShardId, ShardTiming, SuiteOutline } from '../types/shard.ts';
import { encodeFrame } from './frame.ts';
import { scenarioText } from './plan-digest.ts';
import { encodeHead, identityFields, type RecordFormat } from './record-head.ts';
import { RECORD_WORDS } from './record-kind.ts';
import { shardHeadSchema } from './run-file.schema.ts';
import { exactJsonText } from '../values/exact-json.ts';

export const SHARD: RecordFormat = { kind: RECORD_WORDS.shard, noun: 'a shard', format: 6, schema: shardHeadSchema };

/** The counts of some blocks of one scenario. */
export interface ShardRecord {
  readonly scenario: number;
  /** Null: all blocks of the scenario that belong to the shard. Else pairs of first block and the one after the last. */
  readonly blocks: readonly number[] | null;
  readonly tally: Uint8Array;
}

/** One shard's results with all that a report of the whole run needs. */
export interface ShardContent {
  readonly shard: ShardId;
  readonly identity: PlanIdentity;
  readonly outline: SuiteOutline;
  readonly scenarios: readonly ScenarioPlan[];
  readonly records: readonly ShardRecord[];
  /** Of scenarios with failing trials. */
  readonly places: readonly ScenarioPlaces[];
  /** True: stopped before all its blocks had run. */
  readonly partial: boolean;
  readonly timing: ShardTiming;
  /** Null: no real model was asked. Absent: the file is of a passk that did not write it down. */
  readonly live?: LiveCounts | null;
}

/** What is written: a shard with the plan that was run. */
export interface ShardToWrite extends Omit<ShardContent, 'scenarios'> {
  readonly plan: RunPlan;
}

/** A shard file: a frame that names the plan, one per scenario, record and file with failures, and one that ends it. */
export function encodeShard({ shard, identity, outline, plan, ...results }: ShardToWrite): Uint8Array {
  const { records, places, partial, timing, live } = results;
  return joined([
    encodeHead(SHARD, { ...shard, ...identityFields(identity), outline: exactJsonText(outline) }),
    ...plan.scenarios.map((scenario) => encodeFrame({ kind: 'scenario', plan: scenarioText(scenario) })),
    ...records.map(({ scenario, blocks, tally }) => encodeFrame({ kind: 'result', scenario, blocks, tally })),
    ...places.map((one) => encodeFrame({ kind: 'places', scenario: one.scenario, places: exactJsonText(one.places) })),
    encodeFrame({ kind: 'end', partial, ...timing, ...(live !== undefined && { live: exactJsonText(live) }) }),
  ]);
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    bytes.set(frame, at);
    at += frame.length;
  }
  return bytes;
}
