import { formatCount, plural } from '../../text/format-number.ts';
import type { CostFacts, EvalBody } from '../../types/release/eval-body.ts';
import { dollars, percent, UNTOLD_MODEL } from '../release-texts.ts';
import type { Change } from './change.ts';
import { named } from './change-texts.ts';

type Unpriced = CostFacts['unpriced'][number];

const TELL_TOKENS = 'Have agents tell the tokens of their answers (usage), and recordings their tokens or costs.';

/** What cost still needs. */
export function costChanges({ axes, cost, rules }: EvalBody): readonly Change[] {
  return axes.cost.reasons.flatMap(({ code, verdict, message }): readonly Change[] => {
    if (verdict === 'pass') return [];
    const shared = { verdict, code, reason: message };
    switch (code) {
      case 'NO_EVIDENCE':
        return [
          {
            ...shared,
            change: `Add a scenario of validation: ${plural(rules.trials, 'trial')}.`,
            trials: rules.trials,
          },
        ];
      case 'UNPRICED': {
        const isUntold = ({ kind, name }: Unpriced): boolean => kind === 'model' && name === UNTOLD_MODEL;
        const names = cost.unpriced.filter((one) => !isUntold(one)).map(({ kind, name }) => `${kind} "${name}"`);
        return [
          ...(cost.unpriced.some(isUntold) ? [{ ...shared, change: TELL_TOKENS, trials: null }] : []),
          ...(names.length === 0
            ? []
            : [{ ...shared, change: `Price ${named(names)} in the file of --rates.`, trials: 0 }]),
        ];
      }
      case 'NO_CEILING':
        return [{ ...shared, change: `Name the release before with --prior, or set max_cost_per_success.`, trials: 0 }];
      case 'BILLING_UNPRICED':
        return [{ ...shared, change: 'Price every line that the bill covers, in the file of --rates.', trials: 0 }];
      case 'BILLING_MISMATCH':
        return [
          {
            ...shared,
            change: 'Find what the ledger does not show, what the bill covers besides, or a price that is another one.',
            trials: 0,
          },
        ];
      case 'COST_CEILING':
        return [{ ...shared, change: overCeiling(cost), trials: null }];
      default:
        return [{ ...shared, change: message, trials: null }];
    }
  });
}

/** A success becomes cheaper when runs do, or when more of them succeed. */
function overCeiling({
  perSuccessUsd,
  perSuccessExactUsd,
  ceilingUsd,
  totalNanoUsd,
  runs,
  successes,
}: CostFacts): string {
  const cost = Math.max(perSuccessUsd ?? 0, perSuccessExactUsd ?? 0);
  const ceiling = ceilingUsd ?? 0;
  const cheaper = `A run must cost ${percent(1 - ceiling / cost)} less, for ${dollars(ceiling)} in place of ${dollars(cost)}`;
  const needed = ceiling === 0 ? Number.POSITIVE_INFINITY : Math.ceil(Number(totalNanoUsd) / 1e9 / ceiling);
  if (needed > runs || needed <= successes) return `${cheaper}.`;
  return `${cheaper}; or ${formatCount(needed)} of ${plural(runs, 'run')} must succeed, not ${formatCount(successes)}.`;
}
