import type { AuditedRow } from '../types/audit/table-audit.ts';
import { rateKey } from './printed-rate.ts';
import { type ResolvedRow, wholeOf } from './resolve-rows.ts';

/**
 * Groups of complete rows of one domain, with as many tasks and trials, that share all values: the same numbers, or the
 * same only histogram where one row was rounded more than the other. As places in `rows`, ascending.
 */
export function findTwins(
  rows: readonly AuditedRow[],
  resolved: readonly ResolvedRow[],
): readonly (readonly number[])[] {
  // Each row leads to an earlier one of its group, and the first one to itself.
  const earlier = rows.map((_, place) => place);
  const firstOf = (place: number): number => {
    let first = place;
    while (earlier[first] !== first) first = earlier[first] ?? first;
    return first;
  };
  const placeByKey = new Map<string, number>();
  for (const [place, row] of rows.entries()) {
    for (const key of row.missing.length > 0 ? [] : keysOf(row, resolved[place])) {
      const [one, other] = [firstOf(place), firstOf(placeByKey.get(key) ?? place)];
      earlier[Math.max(one, other)] = Math.min(one, other);
      placeByKey.set(key, Math.min(one, other));
    }
  }
  const groups = new Map<number, number[]>();
  for (const place of rows.keys()) {
    const first = firstOf(place);
    groups.set(first, [...(groups.get(first) ?? []), place]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function keysOf(
  { domain, tasks, trials, histograms, verdict }: AuditedRow,
  resolved: ResolvedRow | undefined,
): readonly string[] {
  const design = [domain, tasks?.count, trials.count];
  const values = [...(resolved?.row.values ?? [])]
    .sort(([a], [b]) => a - b)
    .map(([, value]) => rateKey(value.rate, wholeOf(value, resolved?.isPercent === true)));
  const only = verdict === 'unique' ? [JSON.stringify(['histogram', ...design, histograms?.listed[0]])] : [];
  return [JSON.stringify(['values', ...design, ...values]), ...only];
}
