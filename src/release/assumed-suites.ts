import type { EvalPart, EvalScenario } from '../types/release/eval-body.ts';

interface Judged {
  readonly scenarios: readonly Pick<EvalScenario, 'name' | 'isSuiteAssumed'>[];
  readonly results: readonly EvalPart[];
}

/** Scenarios whose files say no suite, so that they count as validation; those whose answers are enumerated, too. */
export function assumedSuites({ scenarios, results }: Judged): readonly { readonly name: string }[] {
  return [
    ...scenarios.filter(({ isSuiteAssumed }) => isSuiteAssumed),
    ...results.filter(({ kind, suite }) => kind === 'enumeration' && suite === undefined),
  ];
}
