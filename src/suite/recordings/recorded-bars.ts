import type { Gate } from '../../types/reports/gate.ts';

/** What pass^k of a set of recorded runs must reach. */
export interface RecordedBar {
  /** As written. */
  readonly text: string;
  readonly k: number;
  readonly value: number;
  /** Of the interval that decides. */
  readonly level: number;
  /** True: about more trials of these very tasks, not about tasks like these. */
  readonly isOfThese: boolean;
}

export interface Asked {
  readonly name: string;
  readonly gates: readonly Gate[];
  /** Bars of the set and of the run; null: there is none, or every run must pass. */
  readonly bars: readonly (number | null)[];
}

/** The bars that a set of recorded runs of this name has on its pass rate or its pass^k; those of a whole suite are not. */
export function recordedBars({ name, gates, bars }: Asked): readonly RecordedBar[] {
  const rates = bars.flatMap((value): readonly RecordedBar[] =>
    value === null ? [] : [{ text: `min_pass_rate ${value}`, k: 1, value, level: LEVEL, isOfThese: false }],
  );
  const asked = gates.flatMap(({ text, metric, k, scope, side, value }): readonly RecordedBar[] => {
    const isItsOwn = scope.kind === 'every' || (scope.kind === 'scenario' && scope.name === name);
    if (!isItsOwn || (metric !== 'pass_rate' && metric !== 'pass^')) return [];
    const isPoint = side.kind === 'point';
    return [
      { text, k: k ?? 1, value, level: isPoint ? LEVEL : side.level, isOfThese: !isPoint && side.about === 'these' },
    ];
  });
  // Nothing proves that all runs pass, or that none does.
  return [...rates, ...asked].filter(({ value }) => value > 0 && value < 1);
}

const LEVEL = 0.95;
