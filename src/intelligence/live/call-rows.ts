import type { CallBill } from '../../types/cassette.ts';
import type { LiveCounts, LiveRow } from '../../types/live-counts.ts';
import type { TokenUsage } from '../../types/message.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';
import { liveKey, sortedRows } from './live-counts.ts';
import { costOf } from './model-cost.ts';

/** Counts of one scenario's calls to one backend. */
export class CallRow {
  readonly scenario: string;
  readonly backend: string;
  readonly endpoint: ModelEndpoint;
  private readonly whole: CallRow | null;
  private readonly counts = {
    calls: 0,
    reused: 0,
    retries: 0,
    failures: 0,
    unknownUsage: 0,
    filtered: 0,
    cut: 0,
  };
  private readonly sums = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  nanoUsd = 0;

  /** `whole`: counts all that this one counts. */
  constructor(scenario: string, backend: string, endpoint: ModelEndpoint, whole: CallRow | null = null) {
    this.scenario = scenario;
    this.backend = backend;
    this.endpoint = endpoint;
    this.whole = whole;
  }

  /** A row for a part of the calls. */
  part(): CallRow {
    return new CallRow(this.scenario, this.backend, this.endpoint, this);
  }

  get unknownUsage(): number {
    return this.counts.unknownUsage;
  }

  count(what: keyof CallRow['counts'], by = 1): void {
    this.counts[what] += by;
    this.whole?.count(what, by);
  }

  add(usage: TokenUsage): void {
    for (const name of SUMS) this.sums[name] += usage[name];
    if (this.endpoint.price !== undefined) this.nanoUsd += costOf(usage, this.endpoint.price);
    this.whole?.add(usage);
  }

  bill(): CallBill {
    return { backend: this.backend, ...this.counts, ...this.sums, nanoUsd: this.nanoUsd };
  }

  /** Counts calls that were made and billed before; older cassettes do not say all. */
  addBill(bill: CallBill): void {
    for (const what of COUNTS) this.counts[what] += bill[what] ?? 0;
    for (const name of SUMS) this.sums[name] += bill[name];
    this.nanoUsd += bill.nanoUsd;
  }

  liveRow(): LiveRow {
    const { scenario, endpoint } = this;
    const { provider, model, price } = endpoint;
    return { scenario, provider, model, ...this.bill(), isPriced: price !== undefined };
  }
}

const COUNTS = ['calls', 'reused', 'retries', 'failures', 'unknownUsage', 'filtered', 'cut'] as const;
const SUMS = ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const;

/** All live calls of a run, by scenario and backend. */
export class CallRows {
  private readonly rows = new Map<string, CallRow>();

  row(scenario: string, backend: string, endpoint: ModelEndpoint): CallRow {
    const key = liveKey({ scenario, backend });
    const hit = this.rows.get(key);
    if (hit !== undefined) return hit;
    const row = new CallRow(scenario, backend, endpoint);
    this.rows.set(key, row);
    return row;
  }

  counts(stoppedBy: LiveCounts['stoppedBy']): LiveCounts {
    return { stoppedBy, rows: sortedRows(this.rows).map((row) => row.liveRow()) };
  }
}
