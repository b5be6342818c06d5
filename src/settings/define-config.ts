import type { DriftRule } from '../types/drift.ts';
import type { PriceTable } from '../types/forecast.ts';
import type { ModelEndpoint } from '../types/model-endpoint.ts';
import type { PermissionOptions } from './permission-options.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Sampler } from '../types/scenario.ts';
import type { StopRule } from '../types/stop-early.ts';

/** What a configuration file may set: the flags of `passk run`. In `passk.toml` keys are in snake_case. */
export interface PasskConfig {
  /** Scenario files, folders or globs, for command lines that name none. */
  readonly paths?: readonly string[];
  readonly names?: readonly string[];
  readonly tags?: readonly string[];
  readonly plugins?: readonly string[];
  /** What passk may do on this machine, as `--allow-net` and its like say it. */
  readonly allow?: PermissionOptions;
  /** Real models by backend name, for `--live`; in `passk.toml` one table each: `[models.default]`. */
  readonly models?: Readonly<Record<string, ModelEndpoint>>;
  /** What all calls to real models may cost together, in USD. */
  readonly maxCost?: number;
  /** Tokens that all calls to real models may use together. */
  readonly maxTokens?: number;
  readonly trials?: number;
  readonly seed?: number;
  readonly sampler?: Sampler;
  readonly workers?: number;
  readonly isolation?: Isolation;
  readonly concurrency?: number;
  readonly minPassRate?: number;
  readonly gates?: readonly string[];
  /** `NAME` or `NAME:path`. */
  readonly reporters?: readonly string[];
  /** Compare with this run; see `--baseline`. */
  readonly baseline?: string;
  readonly saveBaseline?: string;
  readonly drift?: DriftRule;
  readonly tokenTolerance?: number;
  readonly driftMargin?: number;
  readonly driftComparisons?: number;
  /** Say what so many successful runs a day cost. */
  readonly forecastRunsPerDay?: readonly number[];
  /** USD per million tokens, for forecasts, models without a price and `max_cost`; flags with prices replace them all. */
  readonly prices?: PriceTable;
  /** A folder that keeps every run, for `passk history`. */
  readonly history?: string;
  /** A folder that results are written to while they come. */
  readonly journal?: string;
  /** Take what the journal holds and run the rest. */
  readonly resume?: boolean;
  readonly dedupe?: boolean;
  readonly bail?: boolean;
  /** End each scenario as soon as its verdict is settled; true: `curtail`. */
  readonly stopEarly?: boolean | StopRule['rule'];
  readonly timeoutMs?: number;
  readonly keepGoing?: boolean;
  readonly maxFileSize?: number;
}

/** Types what `passk.config.js` exports by default; returns it unchanged. */
export function defineConfig(config: PasskConfig): PasskConfig {
  return config;
}
