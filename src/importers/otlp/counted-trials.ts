import { ImportError, type ImportIndex, type RunPiece } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { countAt, fieldAt } from '../../values/json-fields.ts';
import {
  PASSK_CASE_ID,
  PASSK_RUN_ID,
  PASSK_TRIAL_VERDICT,
  TRIAL_OUTCOMES,
  type TrialOutcome,
  trialCountKey,
} from '../../values/passk-attributes.ts';
import { readObject } from '../read-record.ts';
import { otlpAttributes, otlpList } from './otlp-values.ts';
import type { SpanGroup } from './span-places.ts';

/** The most trials without spans that a source may count. */
const MOST_COUNTED = 1_000_000;

interface TestCase {
  readonly group: SpanGroup;
  readonly span: RunPiece;
  /** How many trials ended so. */
  readonly counts: ReadonlyMap<TrialOutcome, number>;
}

/**
 * Trials of passk's own reporter, which writes a span for each test case with the count of its trials, and a span for some
 * of these. Each other trial becomes a run with an outcome and nothing else.
 */
export class CountedTrials {
  private readonly cases = new Map<string, TestCase>();
  /** Trials with spans of their own, by test case and outcome. */
  private readonly withSpans = new Map<string, number>();

  /** Takes a span of the reporter and counts its trials. True: the span is no part of a run. */
  take(bytes: Uint8Array, at: { readonly file: number; readonly from: number }, group: SpanGroup): boolean {
    let span: unknown;
    try {
      span = readObject(bytes);
    } catch (error) {
      if (error instanceof ImportError) return false;
      throw error;
    }
    const attributes = otlpAttributes(otlpList(span, 'attributes'));
    const id = fieldAt(attributes, PASSK_CASE_ID);
    if (typeof id !== 'string') return fieldAt(attributes, PASSK_RUN_ID) !== undefined;
    const verdict = TRIAL_OUTCOMES.find((outcome) => outcome === fieldAt(attributes, PASSK_TRIAL_VERDICT));
    if (verdict !== undefined) {
      const key = `${id} ${verdict}`;
      this.withSpans.set(key, (this.withSpans.get(key) ?? 0) + 1);
      return false;
    }
    const counts = countsIn(attributes);
    // Senders may repeat a span.
    if (counts.size > 0 && !this.cases.has(id)) {
      this.cases.set(id, { group, span: { ...at, to: at.from + bytes.length }, counts });
    }
    return counts.size > 0 || fieldAt(attributes, PASSK_RUN_ID) !== undefined;
  }

  /** Adds the trials that have no span of their own. */
  addTo(index: ImportIndex): void {
    let room = MOST_COUNTED;
    for (const [id, { group, span, counts }] of this.cases) {
      const set = index.set(group.set);
      const pieces = group.resource === null ? [span] : [group.resource, span];
      for (const [outcome, count] of counts) {
        const left = Math.max(0, count - (this.withSpans.get(`${id} ${outcome}`) ?? 0));
        const added = Math.min(left, room);
        room -= added;
        set.addCounted({ count: added, outcome, position: 0, pieces });
        if (added === left) continue;
        const message = `${left - added} of the trials that it counts as ${outcome} are left out: at most ${MOST_COUNTED} are taken that have no span of their own.`;
        index.problem({ message, file: span.file, at: span.from });
      }
    }
  }
}

function countsIn(attributes: JsonObject): TestCase['counts'] {
  const counts = new Map<TrialOutcome, number>();
  for (const outcome of TRIAL_OUTCOMES) {
    const count = countAt(attributes, trialCountKey(outcome));
    if (count !== null) counts.set(outcome, count);
  }
  return counts;
}
