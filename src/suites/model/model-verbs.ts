import type { ScenarioPlan } from '../../types/plan.ts';
import type { ModelReport, ModelSuite } from '../../types/model-suite.ts';
import type { Issue } from '../../types/issue.ts';
import type { NoticeOptions, DefinitionBar, SuiteVerbs } from '../suite-kind.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { foldModels, withParity } from './fold-models.ts';
import { loadModelDocument } from './load-models.ts';
import { modelRows } from './model-rows.ts';

/** What specs of models do at each verb. */
export const modelVerbs: SuiteVerbs<ModelSuite, ModelReport> = {
  // Everything in it is meant as it is written.
  fromYaml: (document) => document,
  load: loadModelDocument,
  notices: modelNotices,
  barOf,
  rows: modelRows,
  // What failed is kept as it ran: models are not asked again for a report.
  wants: () => [],
  fold: (suites, parts) => ({ results: withParity(suites.map((suite) => foldModels(suite, parts))) }),
};

/** What was asked of a run and does not concern tests of models. */
function modelNotices(suites: readonly ModelSuite[], { stopEarly, sampler }: NoticeOptions): readonly Issue[] {
  const say = (message: string, hint: string): Issue => ({ code: 'models_apart', severity: 'warning', message, hint });
  return [
    ...(stopEarly === null
      ? []
      : [say('Tests of models ran all their trials: what is settled early are scenarios.', 'Give them fewer trials.')]),
    ...(sampler === 'exhaustive'
      ? [say('Tests of models were sampled: what models answer is not enumerated.', 'Give them more trials.')]
      : []),
    ...strayNotices(suites),
  ];
}

/** Plug-ins that the file of known failures names and that no spec file has: written wrong, or gone. */
function strayNotices(suites: readonly ModelSuite[]): readonly Issue[] {
  const [first, ...rest] = suites;
  const names = [...new Set(suites.map(({ plugin }) => plugin))];
  return (first?.strayFailures ?? [])
    .filter(({ plugin }) => rest.every((suite) => suite.strayFailures.some((other) => other.plugin === plugin)))
    .map(({ plugin, at }) => {
      const message = `Tests of "${plugin}" are expected to fail, and no spec file here has that name.`;
      return { code: 'unknown_plugin', severity: 'warning', message, at, hint: hintFor(plugin, names, 'plug-ins') };
    });
}

/** The bar of a spec file is that of each of its tests. */
function barOf({ name }: ModelSuite, plans: readonly ScenarioPlan[]): DefinitionBar | null {
  const suitePlans = plans.filter(({ scenario: { part } }) => part?.kind === 'model' && part.of === name);
  const [first] = suitePlans;
  if (first === undefined) return null;
  const trials = suitePlans.reduce((fewest, plan) => Math.min(fewest, plan.trials), Number.POSITIVE_INFINITY);
  return { what: 'each test', bar: first.scenario.minPassRate, trials };
}
