import type { Contract } from '../../types/contract.ts';
import type { Issue } from '../../types/issue.ts';
import type { NoticeOptions } from '../suite-kind.ts';

/** What was asked of a run and does not concern the contracts in it, and which of them have no bar to fail. */
export function contractNotices(
  contracts: readonly Contract[],
  { baseline, saveBaseline, history, stopEarly, sampler, minScore }: NoticeOptions,
): readonly Issue[] {
  const notices: Issue[] = minScore === null ? contracts.flatMap(barlessNotice) : [];
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
