import type {
  Disagreement,
  GeneratedReport,
  GeneratedSet,
  PairSide,
  Relation,
  RelationReport,
} from '../../types/generated/generated-set.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';

/** What became of generated sets, in their order. Scenarios of contracts are cells, and are compared by nobody. */
export function foldGenerated(
  sets: readonly GeneratedSet[],
  scenarios: readonly ScenarioReport[],
): readonly GeneratedReport[] {
  return sets.map(({ kind: _, price: __, unrun: ___, relations, ...set }): GeneratedReport => {
    const own = scenarios.filter((one): one is SampledScenario => isSampled(one) && one.file === set.file);
    return {
      ...set,
      stands: set.drawn - set.rejected.filter(({ relation }) => relation === undefined).length,
      relations: relations.map((relation) => foldRelation(relation, own)),
    };
  });
}

function foldRelation(relation: Relation, scenarios: readonly SampledScenario[]): RelationReport {
  const byName = new Map(scenarios.map((one) => [one.name, one]));
  const disagreements: Disagreement[] = [];
  let pairs = 0;
  for (const changed of scenarios) {
    const { generated } = changed;
    if (generated?.relation !== relation || generated.original === undefined) continue;
    const original = byName.get(generated.original);
    if (original === undefined) continue;
    pairs++;
    if (original.verdict !== changed.verdict)
      disagreements.push({ original: sideOf(original), changed: sideOf(changed) });
  }
  return { relation, pairs, disagreements };
}

function sideOf({ name, trials }: SampledScenario): PairSide {
  return { scenario: name, passed: trials.passed, trials: trials.passed + trials.failed };
}
