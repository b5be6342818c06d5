import { locationAt } from '../source/location-at.ts';
import { hintFor } from '../text/did-you-mean.ts';
import type { Issue } from '../types/issue.ts';
import type { LabelRow } from './read-labels.ts';

/** Conflicts that are listed; the rest would be more of the same. */
const MOST_ISSUES = 20;

/**
 * Items that stand more than once: with the same label they would count twice, with another one nobody knows which is
 * right. Rows without an `id` cannot be told apart.
 */
export function labelConflicts(rows: readonly LabelRow[]): readonly Issue[] {
  const issues: Issue[] = [];
  const first = new Map<string, LabelRow>();
  for (const row of rows) {
    if (row.id === null) continue;
    const key = JSON.stringify([row.id, row.criterion]);
    const before = first.get(key);
    if (before === undefined) first.set(key, row);
    else if (issues.length < MOST_ISSUES) issues.push(conflict(row, before));
  }
  return issues;
}

/** Criteria of labels that the judge does not rule on: how right it is about others says nothing of it. */
export function otherCriteria(rows: readonly LabelRow[], criteria: readonly string[]): readonly Issue[] {
  const others = new Map<string, LabelRow>();
  for (const row of rows) {
    const { criterion } = row;
    if (criterion !== '' && !criteria.includes(criterion) && !others.has(criterion)) others.set(criterion, row);
  }
  return [...others].slice(0, MOST_ISSUES).map(([criterion, { place }]) => ({
    code: 'other_criterion',
    severity: 'error',
    message: `The judge does not rule on criterion "${criterion.slice(0, SHOWN)}".`,
    at: locationAt(place.source, place.offset),
    hint: `${hintFor(criterion, criteria, 'criteria')} Labels of whole trials have no criterion.`,
  }));
}

const SHOWN = 60;

function conflict(row: LabelRow, { human, place }: LabelRow): Issue {
  const isContradictory = row.human !== human;
  const item = `Item "${(row.id ?? '').slice(0, SHOWN)}"`;
  const before = locationAt(place.source, place.offset);
  const where = `${before.file}:${before.line}`;
  return {
    code: isContradictory ? 'contradictory_label' : 'double_label',
    severity: 'error',
    message: isContradictory ? `${item} has another label in ${where}.` : `${item} stands in ${where} already.`,
    at: locationAt(row.place.source, row.place.offset),
    hint: isContradictory ? 'Let people agree on one label, and keep that.' : 'Keep one of the rows.',
  };
}
