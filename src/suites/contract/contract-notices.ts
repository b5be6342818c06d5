import type { Contract } from '../../types/contract.ts';
import type { Issue } from '../../types/issue.ts';
import type { DefinitionPart } from '../../types/suite.ts';
import type { NoticeOptions, PartResult } from '../suite-kind.ts';
import { appliesIn } from './applies-in.ts';

/**
 * What was asked of a run and does not concern the contracts in it, which of them have no bar to fail, and which columns
 * were left out.
 */
export function contractNotices(
  contracts: readonly Contract[],
  { baseline, saveBaseline, history, stopEarly, sampler, minScore }: NoticeOptions,
  parts: readonly PartResult[],
): readonly Issue[] {
  const run = parts.map(({ plan }) => plan.scenario.part);
  const notices: Issue[] = contracts.flatMap((contract) => leftOutNotice(contract, run));
  if (minScore === null) notices.push(...contracts.flatMap(barlessNotice));
  const say = (message: string, hint: string): void => {
    notices.push({ code: 'contracts_apart', severity: 'warning', message, hint });
  };
  if (baseline !== null || saveBaseline !== null || history !== null) {
    say(
      'Contracts are not part of baselines and history: only scenarios are. A run of contracts alone leaves both as they are.',
      'Keep the JSON reports of runs.',
    );
  }
  if (stopEarly !== null) {
    say('Contracts ran all their trials: what is settled early are scenarios.', 'Give contracts fewer trials.');
  }
  if (sampler === 'exhaustive') {
    say('Contracts were sampled: chaos is drawn, so their answers are not enumerated.', 'Give contracts more trials.');
  }
  return notices;
}

/** A filter may choose columns; the score is then that of these. */
function leftOutNotice(
  { name, file, matrix, invariants }: Contract,
  parts: readonly (DefinitionPart | undefined)[],
): readonly Issue[] {
  const seen = new Set(parts.flatMap((part) => (part?.kind === 'contract' && part.of === name ? [part.column] : [])));
  const judged = matrix.filter((column) => invariants.some(({ when }) => appliesIn(when, column)));
  const leftOut = judged.filter((column) => !seen.has(column.name)).map((column) => column.name);
  if (seen.size === 0 || leftOut.length === 0) return [];
  const message = `Contract "${name}" (${file}) ran in ${seen.size} of ${judged.length} columns; left out: ${leftOut.join(', ')}.`;
  const hint = 'Its score and its verdict are those of what ran. Without --name all of it runs.';
  return [{ code: 'columns_left_out', severity: 'warning', message, hint }];
}

function barlessNotice({ name, file, invariants, minScore, phase }: Contract): readonly Issue[] {
  // A session that fails fails all.
  if (phase === 'replay') return [];
  if (minScore !== null || invariants.some(({ severity }) => severity === 'critical')) return [];
  return [
    {
      code: 'no_bar',
      severity: 'warning',
      message: `Contract "${name}" (${file}) has no critical invariant and no bar: unless its score is 0 it passes.`,
      hint: 'Mark what must hold with severity = "critical", or write min_score in [contract].',
    },
  ];
}
