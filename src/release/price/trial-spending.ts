import { foldLedger } from '../../suite/rows/fold-ledger.ts';
import type { LedgerLine } from '../../types/record.ts';
import type { PricedLine, TrialLine } from '../../types/release/trial-line.ts';
import { isGating } from '../axes/outcome-axis.ts';
import { countTrials } from '../count-trials.ts';
import type { PlannedEvidence, TriedScenario } from '../evidence.ts';
import type { SpentCase } from './spending.ts';

export interface TrialSpendingOptions {
  /** True: a rate card priced the lines, whose prices are then taken back. */
  readonly isCardPriced: boolean;
}

/** What the trials of a record, or recorded runs, took. Throws `INTEGRITY` for trials that are not those of the scenarios. */
export function trialSpending(
  scenarios: readonly PlannedEvidence[],
  trials: Iterable<TrialLine>,
  { isCardPriced }: TrialSpendingOptions,
): readonly SpentCase[] {
  const tried = countTrials(scenarios, trials).filter(isGating);
  return tried.map((scenario: TriedScenario) => ({
    name: scenario.name,
    trials: scenario.trials.length,
    passed: scenario.passed,
    retries: scenario.retries,
    lines: foldLedger(
      scenario.trials.map(({ ledger }) => ({ ledger: ledger.map((line) => unpriced(line, isCardPriced)) })),
    ),
  }));
}

/** Only a line of a model without usage cannot have its price from a card, so that the recording brought it along. */
function unpriced({ nanoUsd, ...line }: PricedLine, isCardPriced: boolean): LedgerLine {
  const isOwn = !isCardPriced || (line.usage === null && line.kind !== 'tool' && line.kind !== 'connector');
  return { ...line, nanoUsd: nanoUsd !== null && isOwn ? Number(nanoUsd) : null };
}
