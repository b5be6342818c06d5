/** One measured figure. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: 'x' | 'ns' | 'us' | 'ms' | '%' | 'KiB' | 'MiB' | 'M' | '/s';
  /** What the figure must keep to, where issue and documentation set a bar. */
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly note?: string;
}

/** How thoroughly to measure, and where to keep files. */
export interface BenchOptions {
  /** Fewer and shorter samples. */
  readonly quick: boolean;
  /** A folder that is thrown away afterwards; the bundles and the built package stand in it. */
  readonly folder: string;
}

/** A subject that is measured by itself. A bench that throws fails the process. */
export interface Bench {
  readonly name: string;
  readonly about: string;
  run(options: BenchOptions): Promise<readonly Row[]>;
}

/** True when a row has a bar and misses it. */
export function missesBar({ value, atLeast, atMost }: Row): boolean {
  return (atLeast !== undefined && value < atLeast) || (atMost !== undefined && value > atMost);
}
