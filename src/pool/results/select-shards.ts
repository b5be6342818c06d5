import { PasskError } from '../../errors.ts';
import { planDifferences } from '../../records/compare-plans.ts';
import type { NamedShard } from '../../records/read-shard.ts';
import type { ShardRecord } from '../../records/shard-file.ts';
import { verdictsOf } from '../tally/tally-codec.ts';
import { groupBy } from '../../values/group-by.ts';

/** The shards of one run, each once, by their index, and what there is to say about the others. */
export interface SelectedShards {
  readonly shards: readonly NamedShard[];
  /** Indices that no file holds. */
  readonly missing: readonly number[];
  readonly notices: readonly string[];
}

/** Whether a part of a run is taken for what it is; null: whoever asks has no use for one. */
export type PartialShards = boolean | null;

/** Numbers and names that are listed before the rest is only counted. */
const SHOWN = 10;

/**
 * Takes each shard once, in whatever order the files came. Throws `INPUT` for shards of another run or missing ones
 * (unless `partial`), `INTEGRITY` when one shard of repeatable programs came twice with different results.
 */
export function selectShards(
  files: readonly NamedShard[],
  { partial }: { readonly partial: PartialShards },
): SelectedShards {
  const sorted = [...files].sort((a, b) => a.shard.index - b.shard.index || (a.name < b.name ? -1 : 1));
  refuseForeign(sorted);
  const notices: string[] = [];
  const shards = [...groupBy(sorted, ({ shard }) => shard.index).values()].map((same) => chosen(same, notices));
  const count = shards[0]?.shard.count ?? 0;
  const present = new Set(shards.map(({ shard }) => shard.index));
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !present.has(index));
  if (missing.length > 0) {
    const what = `${missing.length === 1 ? 'Shard' : 'Shards'} ${listed(missing)} of ${count} ${missing.length === 1 ? 'is' : 'are'} missing.`;
    if (partial !== true) {
      const hint = `Name the files of all shards${orPartial(partial)}.`;
      throw new PasskError('INPUT', what, { hint });
    }
    notices.push(what);
  }
  return { shards, missing, notices };
}

/** What else can be done about a part of a run. */
export function orPartial(partial: PartialShards): string {
  return partial === null ? '' : ', or report what is there with --partial';
}

/** The plan that most files are of is the one that is merged; all others are named, with what differs. */
function refuseForeign(files: readonly NamedShard[]): void {
  const [ours = []] = [...groupBy(files, ({ digest, shard }) => `${digest}/${shard.count}`).values()].sort(
    (a, b) => b.length - a.length,
  );
  const first = ours[0];
  if (first === undefined) throw new PasskError('USAGE', 'There is no shard to merge.', { hint: 'Name the files.' });
  const foreign = files.filter((file) => !ours.includes(file));
  if (foreign.length === 0) return;
  const reasons = foreign.slice(0, SHOWN).map((file) => {
    const differences = planDifferences(first.identity, file.identity);
    const why =
      differences.length > 0
        ? differences.join('; ')
        : `it is shard ${file.shard.index} of ${file.shard.count}, the others are of ${first.shard.count}`;
    return `${file.name}: ${why}.`;
  });
  const more = foreign.length > SHOWN ? ` And ${foreign.length - SHOWN} more.` : '';
  throw new PasskError('INPUT', `Not all shards are of one run. Unlike ${first.name}: ${reasons.join(' ')}${more}`, {
    hint: 'Merge only shards of the same files, options and version of passk.',
  });
}

/** The one of several files of a shard that counts. */
function chosen(same: readonly NamedShard[], notices: string[]): NamedShard {
  // A whole one before one that stopped early, then the one that got furthest; names decide between equals.
  const [best, ...others] = [...same].sort(
    (a, b) => Number(a.partial) - Number(b.partial) || trialsOf(b.records) - trialsOf(a.records),
  );
  if (best === undefined) throw new PasskError('INTERNAL', 'A shard without a file was chosen.');
  if (others.length === 0) return best;
  const shard = `Shard ${best.shard.index} of ${best.shard.count}`;
  for (const other of others.filter((file) => file.partial === best.partial)) {
    const different = firstDifference(best, other);
    if (different === null) continue;
    const { scenario, isRepeatable } = different;
    const what = `${shard} came twice with different results of "${scenario}": ${best.name} and ${other.name}.`;
    if (isRepeatable) {
      throw new PasskError('INTEGRITY', what.replace(/\.$/, ', which a repeatable program never gives.'), {
        hint: 'Look for state, clocks or dice in custom nodes, faults or checks, or for machines that differ.',
      });
    }
    throw new PasskError('INPUT', what, { hint: 'Name only the one of them that is to count.' });
  }
  const otherNames = [...new Set(others.map(({ name }) => name))].filter((name) => name !== best.name);
  // A file that is named twice is one.
  if (otherNames.length > 0) {
    notices.push(`${shard} is in ${same.length} files; ${best.name} counts, not ${otherNames.join(', ')}.`);
  }
  return best;
}

/** A scenario of which two shard files hold different results; null when they agree. */
function firstDifference(
  a: NamedShard,
  b: NamedShard,
): { readonly scenario: string; readonly isRepeatable: boolean } | null {
  const differing = a.scenarios.filter(({ index }) => textOf(a.records, index) !== textOf(b.records, index));
  const worst = differing.find(({ traits }) => traits.repeatable) ?? differing[0];
  return worst === undefined ? null : { scenario: worst.scenario.name, isRepeatable: worst.traits.repeatable };
}

function textOf(records: readonly ShardRecord[], scenario: number): string {
  return records
    .filter((record) => record.scenario === scenario)
    .map(
      ({ blocks, tally }) => `${blocks === null ? 'all' : blocks.join(',')}:${Buffer.from(tally).toString('base64')}`,
    )
    .sort()
    .join('\n');
}

function trialsOf(records: readonly ShardRecord[]): number {
  return records.reduce((sum, { tally }) => {
    const { passed, failed, broken } = verdictsOf(tally);
    return sum + passed + failed + broken;
  }, 0);
}

function listed(numbers: readonly number[]): string {
  const more = numbers.length > SHOWN ? ` and ${numbers.length - SHOWN} more` : '';
  return `${numbers.slice(0, SHOWN).join(', ')}${more}`;
}
