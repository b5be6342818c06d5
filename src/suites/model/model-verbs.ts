import type { ScenarioPlan } from '../../types/plan.ts';
import type { ModelReport, ModelSuite } from '../../types/model-suite.ts';
import type { DefinitionBar, SuiteVerbs } from '../suite-kind.ts';
import { foldModels, withParity } from './fold-models.ts';
import { loadModelDocument } from './load-models.ts';
import { modelRows } from './model-rows.ts';

/** What specs of models do at each verb. */
export const modelVerbs: SuiteVerbs<ModelSuite, ModelReport> = {
  // Everything in it is meant as it is written.
  fromYaml: (document) => document,
  load: loadModelDocument,
  notices: () => [],
  barOf,
  rows: modelRows,
  // What failed is kept as it ran: models are not asked again for a report.
  wants: () => [],
  fold: (suites, parts) => ({ results: withParity(suites.map((suite) => foldModels(suite, parts))) }),
};

/** The bar of a spec file is that of each of its tests. */
function barOf({ name }: ModelSuite, plans: readonly ScenarioPlan[]): DefinitionBar | null {
  const own = plans.filter(({ scenario: { part } }) => part?.kind === 'model' && part.of === name);
  const [first] = own;
  if (first === undefined) return null;
  const trials = own.reduce((fewest, plan) => Math.min(fewest, plan.trials), Number.POSITIVE_INFINITY);
  return { what: 'each test', bar: first.scenario.minPassRate, trials };
}
