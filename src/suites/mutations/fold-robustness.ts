import { mutationKinds } from '../../mutations/mutate.ts';
import { clopperPearsonInterval } from '../../stats/clopper-pearson.ts';
import {
  MODEL_MUTATIONS,
  MUTATION_TYPES,
  type MutatedTrials,
  type Robustness,
} from '../../types/mutations/mutation.ts';

/** Trials whose messages were mutated, and those of them that could not be judged. */
export interface MutatedCounts extends MutatedTrials {
  readonly broken: number;
}

/** Whether a type is said to keep what a message means. */
export function keepsMeaning(type: Robustness['type']): boolean {
  return mutationKinds.some((kind) => kind.type === type && kind.keepsMeaning);
}

/**
 * Robustness by type, in the order of the types, those of models and of the file last: only trials in which something was changed count. Trials of one rate
 * are one sample: where their rates differ, they vary less than Clopper–Pearson's interval allows for (Hoeffding 1956).
 * `isFixed` false: runs could stop early, and there is no interval.
 */
export function foldRobustness(counts: readonly MutatedCounts[], isFixed: boolean): readonly Robustness[] {
  const types = new Set<Robustness['type']>([...MUTATION_TYPES, ...MODEL_MUTATIONS]);
  for (const { type } of counts) types.add(type);
  return [...types].flatMap((type): readonly Robustness[] => {
    const own = counts.filter((one) => one.type === type);
    if (own.length === 0) return [];
    const sum = (of: (one: MutatedCounts) => number): number => own.reduce((total, one) => total + of(one), 0);
    const [trials, passed] = [sum(({ changed }) => changed), sum((one) => one.passed)];
    return [
      {
        type,
        keepsMeaning: keepsMeaning(type),
        trials,
        passed,
        rate: trials === 0 ? null : passed / trials,
        interval: isFixed ? clopperPearsonInterval(trials, passed) : null,
        unchanged: sum(({ unchanged }) => unchanged),
        broken: sum(({ broken }) => broken),
      },
    ];
  });
}
