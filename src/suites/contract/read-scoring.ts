import type { PhaseWeights } from '../../types/contract.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

const DEFAULTS: PhaseWeights = { mutation: 0.2, chaos: 0.35, contract: 0.35, replay: 0.1 };
const SLACK = 0.001;

/** The shares under `scoring`, or under its `weights`; they have to make up a whole. */
export function readScoring(data: JsonObject, report: Report): PhaseWeights {
  const outer = tableAt(data, 'scoring');
  const table = { ...tableAt(outer, 'weights'), ...outer };
  const share = (phase: keyof PhaseWeights): number => numberAt(table, phase) ?? DEFAULTS[phase];
  const weights = {
    mutation: share('mutation'),
    chaos: share('chaos'),
    contract: share('contract'),
    replay: share('replay'),
  };
  const sum = weights.mutation + weights.chaos + weights.contract + weights.replay;
  if (valueAt(data, 'scoring') !== undefined && sum !== 0 && Math.abs(sum - 1) > SLACK) {
    report({
      code: 'out_of_range',
      message: `The shares of scoring must add up to 1, not ${Number(sum.toFixed(4))}.`,
      at: ['scoring'],
      hint: 'Shares that are left out are mutation 0.20, chaos 0.35, contract 0.35 and replay 0.10.',
    });
  }
  return weights;
}
