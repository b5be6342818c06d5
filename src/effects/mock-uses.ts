import type { MockReplies } from '../types/mock.ts';
import { countWork } from '../values/work.ts';

/** Numbers the mocks of one program whose answers depend on how often they were asked. */
export class MockSlots {
  count = 0;

  /** −1 for a mock that always answers the same. */
  take({ replies, afterLast, times }: MockReplies<unknown>): number {
    return replies.length === 1 && afterLast === 'repeat' && (times ?? null) === null ? -1 : this.count++;
  }
}

/** How often each numbered mock has answered in the trial that runs. */
export class MockUses {
  private readonly counts: Int32Array;
  private isClean = true;

  constructor({ count }: MockSlots) {
    this.counts = new Int32Array(count);
  }

  /** Forgets the trial. */
  reset(): void {
    if (this.isClean) return;
    this.counts.fill(0);
    this.isClean = true;
  }

  /** How often this mock has answered before. */
  before(slot: number): number {
    return slot < 0 ? 0 : (this.counts[slot] as number);
  }

  add(slot: number): void {
    if (slot < 0) return;
    this.counts[slot] = this.before(slot) + 1;
    this.isClean = false;
  }
}

/** A mock and its answers in order; the last one repeats. */
export interface ServedMock<A> {
  readonly slot: number;
  /** Infinity: no bound. */
  readonly times: number;
  readonly answers: readonly A[];
}

/** Prepares a mock; `afterLast` is what it gives when its replies are used up and do not repeat. */
export function serveMock<R, A>(
  mock: MockReplies<R>,
  slots: MockSlots,
  { answer, afterLast }: { readonly answer: (reply: R) => A; readonly afterLast: A },
): ServedMock<A> {
  const answers = mock.replies.map(answer);
  return {
    slot: slots.take(mock),
    times: mock.times ?? Number.POSITIVE_INFINITY,
    answers: mock.afterLast === 'error' ? [...answers, afterLast] : answers,
  };
}

/** What it takes to look at a mock. */
const MOCK_WORK = 4;

/** The answer of the first of these mocks that fits and has one left; counts it. Undefined: none. */
export function takeAnswer<M extends ServedMock<A>, A>(
  mocks: readonly M[],
  uses: MockUses,
  fits: (mock: M) => boolean,
): A | undefined {
  for (const mock of mocks) {
    countWork(MOCK_WORK);
    const before = uses.before(mock.slot);
    if (before >= mock.times || !fits(mock)) continue;
    uses.add(mock.slot);
    return mock.answers[Math.min(before, mock.answers.length - 1)];
  }
  return undefined;
}
