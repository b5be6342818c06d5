import { expect, it } from 'vitest';
import { atif } from '../../src/importers/atif/atif.ts';
import { harbor } from '../../src/importers/harbor.ts';
import { isYoung, skipsHarbor, throughHarbor } from './a-harbor.ts';
import { importAll, sourceOf } from './import-all.ts';
import { TRAJECTORY } from './sources/atif.ts';
import { exception, jobFiles, trialResult } from './sources/harbor.ts';

it.skipIf(skipsHarbor)(
  "the trajectories of these tests are ATIF by Harbor's own models, whose own text is read alike",
  () => {
    const documents = ['ATIF-v1.2', 'ATIF-v1.6', 'ATIF-v1.8'].map((schema_version) => ({
      ...TRAJECTORY,
      schema_version,
    }));
    const written = throughHarbor('trajectories.trajectory', 'Trajectory', documents);
    expect(written).toHaveLength(3);
    for (const [at, text] of written.entries()) {
      const expected = importAll(atif, sourceOf({ 'trajectory.json': JSON.stringify(documents[at]) }));
      expect(importAll(atif, sourceOf({ 'trajectory.json': text }))).toEqual(expected);
    }
    expect(() => throughHarbor('trajectories.trajectory', 'Trajectory', [{ ...TRAJECTORY, steps: [] }])).toThrow(
      'steps',
    );
  },
);

it.skipIf(skipsHarbor || !isYoung)(
  "the trials of these tests are results by Harbor's own models, whose own text is read alike",
  () => {
    const trials = {
      passed: trialResult(),
      failed: trialResult({ verifier_result: { rewards: { reward: 0 } } }),
      crashed: trialResult({ verifier_result: null, exception_info: exception('AgentTimeoutError') }),
      unjudged: trialResult({ verifier_result: { rewards: null }, agent_result: null }),
    };
    const written = throughHarbor('trial.result', 'TrialResult', Object.values(trials));
    const theirs = Object.fromEntries(Object.keys(trials).map((name, at) => [name, written[at] ?? '']));
    const read = (files: Readonly<Record<string, unknown>>) => importAll(harbor, sourceOf(jobFiles(files), 'jobs'));
    const expected = read(trials);
    expect(Object.values(expected.sets).flat()).toHaveLength(4);
    expect(read(theirs)).toEqual(expected);
  },
);
