import { PasskError } from '../../errors.ts';
import { describeProgram } from '../../trial/describe-program.ts';
import { shapeOf } from '../../trial/tally/tally-shape.ts';
import type { ProgramInfo } from '../../trial/program-info.ts';
import { Tally } from '../../trial/tally/tally.ts';
import type { Delta } from '../../types/delta.ts';
import type { RunPlan } from '../../types/plan.ts';
import { BailTracker } from '../blocks/bail.ts';
import { type BlockSpan, spansOf } from '../blocks/block-grid.ts';
import { IntervalSet } from '../blocks/interval-set.ts';
import type { NamedShard } from '../../records/read-shard.ts';
import { blocksOfShard } from '../blocks/shard-blocks.ts';
import type { ShardRecord } from '../../records/shard-file.ts';
import { type IsSettled, StopTracker } from '../blocks/stop-tracker.ts';
import { decodeTally, verdictsOf } from '../tally/tally-codec.ts';
import { trialsIn } from '../blocks/trials-in.ts';

export interface MergedRecords {
  /** One per planned scenario. */
  readonly scenarios: readonly { readonly info: ProgramInfo; readonly tally: Tally }[];
  /** Shards that stopped too early. */
  readonly short: readonly NamedShard[];
}

export interface MergeRules {
  /** As in a plan's identity. */
  readonly bail: number;
  /** Null: every scenario runs to its end. */
  readonly isSettled: IsSettled | null;
}

/**
 * The counts of different shards of one plan put together, as far as one run would count them; the order of the shards
 * does not matter.
 */
export function mergeRecords(
  plan: RunPlan,
  shards: readonly NamedShard[],
  { bail, isSettled }: MergeRules,
): MergedRecords {
  const scenarios = plan.scenarios.map((scenario) => {
    const info = describeProgram(scenario);
    return { info, tally: new Tally(shapeOf(info)) };
  });
  const add = ({ scenario, tally }: Pick<Delta, 'scenario' | 'tally'>): void => {
    const target = scenarios[scenario]?.tally;
    target?.merge(decodeTally(tally, target.shape));
  };
  const tracker = new BailTracker(bail > 0 ? spansOf(plan) : [], bail);
  const stops = isSettled === null ? null : new StopTracker(isSettled);
  const due = (delta: Delta): readonly Delta[] => (stops ?? tracker).accept(delta);
  const short: NamedShard[] = [];
  for (const shard of shards) {
    const { deltas, missing } = placedRecords(plan, shard);
    if (missing && (bail === 0 || shard.partial)) short.push(shard);
    for (const { record, spans } of deltas) {
      if (bail === 0 && stops === null) add(record);
      else for (const span of spans) for (const next of due({ ...span, tally: record.tally })) add(next);
    }
  }
  return { scenarios, short: bail > 0 && tracker.ended ? [] : short };
}

interface PlacedRecord {
  readonly record: ShardRecord;
  readonly spans: readonly BlockSpan[];
}

/** Each record with its blocks, which must be the shard's own, come once and hold as many trials as they say. */
function placedRecords(
  plan: RunPlan,
  shard: NamedShard,
): { readonly deltas: readonly PlacedRecord[]; readonly missing: boolean } {
  const byScenario = new Map<
    number,
    { readonly spans: BlockSpan[]; readonly left: IntervalSet; readonly seen: IntervalSet }
  >();
  for (const span of blocksOfShard(plan, shard.shard)) {
    const scenarioSpans = byScenario.get(span.scenario) ?? {
      spans: [],
      left: new IntervalSet(),
      seen: new IntervalSet(),
    };
    byScenario.set(span.scenario, scenarioSpans);
    scenarioSpans.spans.push(span);
    scenarioSpans.left.add(span.fromBlock, span.toBlock);
  }
  const deltas = shard.records.map((record): PlacedRecord => {
    const share = byScenario.get(record.scenario);
    const spans = record.blocks === null ? (share?.spans ?? []) : spansFrom(record.scenario, record.blocks);
    for (const { fromBlock, toBlock } of spans) {
      const isOwn = share?.left.missing(fromBlock, toBlock).length === 0;
      if (!isOwn || share.seen.add(fromBlock, toBlock) !== 'added')
        throw impossible(shard, 'blocks that are not its own');
    }
    const { passed, failed, broken } = verdictsOf(record.tally);
    const trials = trialsIn(plan, spans);
    if (passed + failed + broken !== trials) throw impossible(shard, 'counts of other trials than it says');
    return { record, spans };
  });
  const missing = [...byScenario.values()].some(({ spans, seen }) =>
    spans.some(({ fromBlock, toBlock }) => seen.missing(fromBlock, toBlock).length > 0),
  );
  return { deltas, missing };
}

function spansFrom(scenario: number, blocks: readonly number[]): BlockSpan[] {
  const spans: BlockSpan[] = [];
  for (let i = 0; i + 1 < blocks.length; i += 2) {
    spans.push({ scenario, fromBlock: blocks[i] as number, toBlock: blocks[i + 1] as number });
  }
  return spans;
}

function impossible(shard: NamedShard, what: string): PasskError {
  return new PasskError('INTEGRITY', `${shard.name} holds ${what}.`, { hint: 'Run this shard again.' });
}
