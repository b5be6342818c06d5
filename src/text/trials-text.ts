/** Trials by their numbers: `trial 3`, `trials 0, 4`. */
export function trialsText(trials: readonly number[]): string {
  return `${trials.length === 1 ? 'trial' : 'trials'} ${trials.join(', ')}`;
}
