import { formatCount, plural } from '../../text/format-number.ts';
import type { AxisReason, AxisResult, CostFacts } from '../../types/release/eval-body.ts';
import type { BillingFacts } from '../../types/release/billing-facts.ts';
import type { Count } from '../../types/numbers.ts';
import type { TierRules } from '../../types/release/release-rules.ts';
import { dollars, percent, UNTOLD_MODEL } from '../release-texts.ts';
import { axisResult, fail, insufficient, pass } from './axis-result.ts';

/** A gap between the two costs per success that is worth a word. */
const LARGE_GAP = 0.1;
/** Items in one sentence. */
const MOST_ITEMS = 3;

/** Whether a success is affordable. Both costs per success must keep the ceiling: neither may hide what the other shows. */
export function costAxis(
  facts: CostFacts,
  rules: Pick<TierRules, 'costSlack' | 'maxCostPerSuccess'>,
  { billing, errors }: { readonly billing: BillingFacts | null; readonly errors: Count },
): AxisResult {
  const { runs, successes, perSuccessUsd, perSuccessExactUsd, gap } = facts;
  const evidence = [
    `${plural(runs, 'run')}, of which ${formatCount(successes)} succeeded`,
    ...(perSuccessUsd === null || perSuccessExactUsd === null
      ? []
      : [`${dollars(perSuccessUsd)} for each success with retries amortised, ${dollars(perSuccessExactUsd)} exactly`]),
    ...(gap !== null && Math.abs(gap) > LARGE_GAP
      ? [`the two differ by ${percent(gap)}: a retry does not cost what a first attempt does`]
      : []),
  ];
  return axisResult(
    [reasonOf(facts, rules, errors), ...(billing === null ? [] : [billingReason(billing), ...itemReason(billing)])],
    { evidence },
  );
}

/** A ledger that is not what was paid is wrong, or the bill is: either must be put right. Source: release gate, M-44. */
function billingReason({ billedNanoUsd, ledgerNanoUsd, difference, tolerance, unpriced }: BillingFacts): AxisReason {
  const [billed, ledger] = [billedNanoUsd, ledgerNanoUsd].map((sum) => dollars(Number(sum) / 1e9));
  const both = `The provider billed ${billed}, and the ledger says ${ledger}`;
  if (unpriced > 0) {
    const lines = `${plural(unpriced, 'line')} of the ledger that the bill covers`;
    return insufficient('BILLING_UNPRICED', `${both} without the price of ${lines}, so they cannot be compared.`);
  }
  if (difference === null ? ledgerNanoUsd === '0' : Math.abs(difference) <= tolerance)
    return pass('BILLING', `${both}; ${percent(tolerance)} between them are tolerated.`);
  const gap = BigInt(ledgerNanoUsd) - BigInt(billedNanoUsd);
  const apart = `${dollars(Math.abs(Number(gap)) / 1e9)} ${gap < 0n ? 'less' : 'more'}`;
  const share = difference === null ? '' : `, ${percent(Math.abs(difference))} of the bill`;
  return fail('BILLING_MISMATCH', `${both}: ${apart}${share}. At most ${percent(tolerance)} are tolerated.`);
}

/** Sums may agree where what they are made of does not. */
function itemReason({ items = [], tolerance, unpriced }: BillingFacts): readonly AxisReason[] {
  if (unpriced > 0) return [];
  const apart = items.filter(({ difference, ledgerNanoUsd }) =>
    difference === null ? ledgerNanoUsd !== '0' : Math.abs(difference) > tolerance,
  );
  if (apart.length === 0) return [];
  const usd = (sum: string): string => dollars(Number(sum) / 1e9);
  const texts = apart
    .slice(0, MOST_ITEMS)
    .map((one) => `${one.name || 'nothing'} ${usd(one.billedNanoUsd)}, and in the ledger ${usd(one.ledgerNanoUsd)}`);
  const more = apart.length - texts.length;
  const others = more > 0 ? `; and ${plural(more, 'other')}` : '';
  return [fail('BILLING_MISMATCH', `The provider billed for ${texts.join('; for ')}${others}.`)];
}

function reasonOf(
  { runs, successes, unpriced, perSuccessUsd, perSuccessExactUsd, ceilingUsd, ceilingFrom }: CostFacts,
  { costSlack, maxCostPerSuccess }: Pick<TierRules, 'costSlack' | 'maxCostPerSuccess'>,
  errors: Count,
): AxisReason {
  if (runs === 0) return insufficient('NO_EVIDENCE', 'No trial was run, so nothing is known of what a success costs.');
  const [first] = unpriced;
  if (first?.kind === 'model' && first.name === UNTOLD_MODEL) {
    const why = `Nobody tells the tokens of ${plural(first.runs, 'run')}, so the sum is a lower bound.`;
    return insufficient('UNPRICED', why);
  }
  if (first !== undefined) {
    const more = unpriced.length > 1 ? ` and ${unpriced.length - 1} more` : '';
    return insufficient(
      'UNPRICED',
      `Nobody prices the ${first.kind} "${first.name}"${more}, so the sum is a lower bound.`,
    );
  }
  if (successes === 0 || perSuccessUsd === null || perSuccessExactUsd === null) {
    if (errors > 0)
      return insufficient('NO_SUCCESS', `No trial passed, and ${plural(errors, 'trial')} ended in errors.`);
    return fail('NO_SUCCESS', 'No trial passed, so no sum of money buys a success.');
  }
  const cost = Math.max(perSuccessUsd, perSuccessExactUsd);
  if (ceilingUsd === null) {
    if (costSlack === null && maxCostPerSuccess === null)
      return pass('COST', `A success costs ${dollars(cost)}. The tier has no ceiling for it.`);
    return insufficient(
      'NO_CEILING',
      'There is no ceiling, and no earlier version that gives one: its own cost must not have failed.',
    );
  }
  const from = ceilingFrom === 'prior' ? 'from the prior release' : 'as stated';
  const message = `A success costs ${dollars(cost)}; the ceiling is ${dollars(ceilingUsd)}, ${from}.`;
  return cost <= ceilingUsd ? pass('COST', message) : fail('COST_CEILING', message);
}
