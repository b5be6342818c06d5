import { SIMILARITY_METHOD } from '../../checks/invariants/text-similarity.ts';
import type { Contract } from '../../types/contract.ts';
import type { ContractReport } from '../../types/reports/contract-report.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { isSampled } from '../../types/reports/scenario-report.ts';
import { answeredTurns } from '../../values/answered-turns.ts';
import type { DefinitionBar, PartResult, SeenTrial, SuiteVerbs } from '../suite-kind.ts';
import { contractFromObject } from './contract-from-object.ts';
import { contractFileSchema } from './contract-schema.ts';
import { contractNotices } from './contract-notices.ts';
import { foldContracts } from './fold-contracts.ts';
import { laxDocument } from './lax-document.ts';
import { loadContractDocument } from './load-contract.ts';
import { overallScore } from './overall-score.ts';
import type { ContractPartResult, PartTrial } from './part-result.ts';
import { wantedTrials } from './wanted-trials.ts';

/** What contracts do at each verb. */
export const contractVerbs: SuiteVerbs<Contract, ContractReport> = {
  fromYaml: (document) => laxDocument(document, contractFileSchema),
  load: loadContractDocument,
  loadObject: contractFromObject,
  notices: contractNotices,
  barOf,
  wants(contracts, parts) {
    const results = new Map(parts.map((part) => [toResult(part), part]));
    return wantedTrials(contracts, [...results.keys()]).flatMap(({ part, ...wanted }) => {
      const of = results.get(part);
      return of === undefined ? [] : [{ part: of, ...wanted }];
    });
  },
  fold(contracts, parts, { agents, notRun }) {
    const results = foldContracts(contracts, parts.map(toResult), { similarity: SIMILARITY_METHOD, agents });
    const scored = contracts.flatMap(({ scoring }, at) => {
      const report = results[at];
      return report === undefined ? [] : [{ report, scoring }];
    });
    return { results, overall: overallScore(scored, notRun) };
  },
};

function toResult({ plan, report, seen, replay }: PartResult): ContractPartResult {
  const { part, expected } = plan.scenario;
  if (part?.kind !== 'contract') throw new TypeError(`"${plan.scenario.name}" is no part of a contract.`);
  const judged = (expected.invariants?.list ?? []).map(({ id }) => id);
  const counted = isSampled(report) ? report : { ...NOTHING_SEEN, name: report.name, trials: report.trials };
  return { ...part, report: counted, judged, seen: seen.map(toTrial), replay };
}

const NOTHING_SEEN = { checks: [], failureClasses: [], failures: [] } as const;

function toTrial({ trial, findings, fired, turns }: SeenTrial): PartTrial {
  const answers = answeredTurns(turns).map(({ prompt, text }) => ({ prompt: prompt ?? '', text }));
  return { trial, findings, fired, answers };
}

/** A contract's bar is that of each cell: here, of those with the fewest trials. */
function barOf({ name, minPassRate }: Contract, plans: readonly ScenarioPlan[]): DefinitionBar | null {
  const trials = new Map<string, number>();
  for (const { scenario, trials: count } of plans) {
    const { part, expected } = scenario;
    if (part?.kind !== 'contract' || part.of !== name) continue;
    for (const { id } of expected.invariants?.list ?? []) {
      const cell = JSON.stringify([part.column, id]);
      trials.set(cell, (trials.get(cell) ?? 0) + count);
    }
  }
  if (trials.size === 0) return null;
  const fewest = [...trials.values()].reduce((a, b) => Math.min(a, b));
  return { what: 'each cell', bar: minPassRate === 1 ? null : minPassRate, trials: fewest };
}
