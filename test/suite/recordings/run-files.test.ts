import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PasskError, renderReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../../src/index.ts';
import { FRAME_HEAD } from '../../../src/records/frame.ts';
import { mergeShards } from '../../../src/suite/merge-shards.ts';
import { runShard } from '../../../src/suite/run-shard.ts';
import { isSampled } from '../../../src/types/reports/scenario-report.ts';
import { aRouter } from '../scenarios.ts';
import { folderWith, tauRuns, tauText } from './tau-runs.ts';

/** Of each set its tasks with their counts, whatever the format. */
function countsOf({ scenarios }: SuiteReport) {
  return scenarios.filter(isSampled).map(({ recording }) => {
    const rows = recording?.perTask.map(({ task, trials, passed, errors }) => ({ task, trials, passed, errors })) ?? [];
    return rows.sort((a, b) => (a.task < b.task ? -1 : 1));
  });
}

const score = (cwd: string, recordings: readonly string[]) => runSuite({ cwd, recordings, workers: 0 });

async function shardsOf(options: RunSuiteOptions, count: number) {
  const shards: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (let index = 1; index <= count; index++) {
    const { bytes } = await runShard({ ...options, workers: 0, shard: { index, count } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  return shards;
}

describe('shards and journals as recorded runs', () => {
  it('of recorded runs and of scenarios are scored to what the merged report is scored to', async () => {
    const passed = Object.fromEntries(Array.from({ length: 300 }, (_, task) => [`task ${task}`, task % 5]));
    const runs = tauRuns(passed, 4).map((run, at) => (at % 50 === 0 ? { ...run, error: 'down' } : run));
    const cwd = folderWith({ 'runs.json': tauText(runs) });
    const cases: readonly RunSuiteOptions[] = [
      { cwd, recordings: ['runs.json'] },
      { cwd, scenarios: [aRouter({ trials: 40 }), aRouter({ name: 'two', trials: 5000 })] },
    ];
    for (const options of cases) {
      const shards = await shardsOf(options, 3);
      for (const { name, bytes } of shards) writeFileSync(path.join(cwd, name), bytes);
      const { report } = await mergeShards(shards);
      writeFileSync(path.join(cwd, 'report.json'), renderReport(report, { reporter: 'json' }));
      const [merged, direct] = [
        await score(cwd, ['report.json']),
        await score(
          cwd,
          shards.map(({ name }) => name),
        ),
      ];
      expect(countsOf(direct)).toEqual(countsOf(merged));
      expect(direct.summary.trials).toEqual(merged.summary.trials);
      expect(direct.notices.map(({ code }) => code)).not.toContain('part_of_run');
    }
  });

  it('of a run that was cut off count what is whole, and say so', async () => {
    const cwd = folderWith({});
    const scenarios = [aRouter({ trials: 40 }), aRouter({ name: 'two', trials: 5000 })];
    await runSuite({ cwd, scenarios, workers: 0, journal: 'whole' });
    const file = path.join(cwd, 'whole', 'run.journal');
    const whole = readFileSync(file);
    const report = await score(cwd, ['whole/run.journal']);
    expect(countsOf(report)[0]?.map(({ task, trials }) => [task, trials])).toEqual([
      ['router', 40],
      ['two', 5000],
    ]);
    // Within the last result: the end of the run has a frame of its own.
    writeFileSync(file, whole.subarray(0, whole.length - FRAME_HEAD - 20));
    const cut = await score(cwd, ['whole/run.journal']);
    const messages = cut.notices.map(({ message }) => message).join('\n');
    expect(messages).toMatch(
      /"whole\/run\.journal" at byte \d+: It ends in the middle of a record; what stands before is counted\./,
    );
    const { executed } = cut.summary.trials;
    expect(messages).toContain(`Its run has not finished: ${executed} of 5040 trials are counted.`);
    expect(executed).toBeLessThan(5040);
    // Nothing was cut off or locked.
    expect(readFileSync(file).length).toBe(whole.length - FRAME_HEAD - 20);
  });

  it('say which part they are, and the same part twice, or of a run that may have stopped, is refused', async () => {
    const cwd = folderWith({});
    const options = { cwd, scenarios: [aRouter({ trials: 5000 })] };
    for (const [name, bail] of [
      ['shard', false],
      ['bailing', true],
    ] as const) {
      for (const shard of await shardsOf({ ...options, bail }, 2)) {
        writeFileSync(path.join(cwd, `${shard.name.replace('shard', name)}`), shard.bytes);
      }
    }
    writeFileSync(path.join(cwd, 'copy'), readFileSync(path.join(cwd, '2.shard')));
    const { notices } = await score(cwd, ['2.shard']);
    expect(notices.map(({ message }) => message)).toContain(
      '"2.shard" is the shard of part 2 of 2 of its run: not all other parts are given, and they are not counted.',
    );
    for (const [files, why] of [
      [['2.shard', 'copy'], /cannot be read as passk-shard: It is of the same part of the same run as .*2\.shard\./],
      [['1.bailing'], /only its report knows which trials count/],
    ] as const) {
      const refused = await score(cwd, files).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(PasskError);
      expect(
        (refused as PasskError).issues?.filter(({ severity }) => severity === 'error').map(({ message }) => message),
      ).toEqual([expect.stringMatching(why)]);
    }
  });
});
