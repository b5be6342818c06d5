import type { ContractFile } from '../contract/read-contract-file.ts';
import type { Issue } from '../types/issue.ts';
import type { ResolvedRunOptions } from './options.ts';

type Asked = Pick<ResolvedRunOptions, 'baseline' | 'saveBaseline' | 'history' | 'stopEarly' | 'sampler'>;

/** What was asked of a run and does not concern the contracts in it. */
export function contractNotices({ baseline, saveBaseline, history, stopEarly, sampler }: Asked): readonly Issue[] {
  const notices: Issue[] = [];
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

/** What contract files ask for that passk does not run, one sentence each. */
export function notRunIn(files: readonly ContractFile[]): readonly string[] {
  return files.flatMap(({ unsupported }) =>
    // A model is only asked to write mutations.
    unsupported
      .filter(({ name }) => name !== 'model')
      .map(({ name, at, message }) => `${name} (${at.file}:${at.line}): ${message}`),
  );
}
