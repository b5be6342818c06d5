import type { LiveModelReport, LiveReport } from '../../types/live-report.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';
import { costOf } from './model-cost.ts';
import type { ModelUsage } from './provider.ts';

const NANO = 1e9;

/** Counts of one scenario's calls to one backend. */
export class CallRow {
  readonly scenario: string;
  readonly backend: string;
  readonly endpoint: ModelEndpoint;
  calls = 0;
  retries = 0;
  failures = 0;
  unknownUsage = 0;
  nanoUsd = 0;
  private readonly sums = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

  constructor(scenario: string, backend: string, endpoint: ModelEndpoint) {
    this.scenario = scenario;
    this.backend = backend;
    this.endpoint = endpoint;
  }

  add(usage: ModelUsage): void {
    for (const name of SUMS) this.sums[name] += usage[name];
    if (this.endpoint.price !== undefined) this.nanoUsd += costOf(usage, this.endpoint.price);
  }

  report(): LiveModelReport {
    const { scenario, backend, endpoint, calls, retries, failures, unknownUsage } = this;
    const { provider, model, price } = endpoint;
    const costUsd = price === undefined ? null : this.nanoUsd / NANO;
    return { scenario, backend, provider, model, calls, retries, failures, ...this.sums, unknownUsage, costUsd };
  }
}

const SUMS = ['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens'] as const;

/** All live calls of a run, by scenario and backend. */
export class CallBook {
  private readonly rows = new Map<string, CallRow>();

  row(scenario: string, backend: string, endpoint: ModelEndpoint): CallRow {
    const key = JSON.stringify([scenario, backend]);
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const row = new CallRow(scenario, backend, endpoint);
    this.rows.set(key, row);
    return row;
  }

  /** Sorted, so that the order does not depend on who called first. */
  report(stoppedBy: LiveReport['stoppedBy']): LiveReport {
    const rows = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const priced = rows.filter(({ endpoint }) => endpoint.price !== undefined);
    return {
      stoppedBy,
      models: rows.map((row) => row.report()),
      costUsd: priced.length === 0 ? null : priced.reduce((sum, row) => sum + row.nanoUsd, 0) / NANO,
      unknownUsage: rows.reduce((sum, row) => sum + row.unknownUsage, 0),
    };
  }
}
