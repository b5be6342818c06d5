import { describe, expect, test } from 'vitest';
import { explainRelease } from '../../src/release/explain/explain-release.ts';
import type { RunReleaseOptions } from '../../src/release/run-release.ts';
import { finishedEvidence } from '../../src/release/finished-kind.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { renderRelease } from '../../src/release/render-release.ts';
import { type Verification, verifyRelease } from '../../src/release/verify-release.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { renderReport, runSuite } from '../../src/index.ts';
import { tauRuns, tauText } from '../suite/recordings/tau-runs.ts';
import { aCase, ATTACK, inReleaseFolder, type ReleaseFolder, REVIEWED } from './a-release.ts';

const GOOD = aCase('good', REVIEWED);
const ATTACKED = aCase('attack', ATTACK);
/** The same scenario of another workflow. */
const CHANGED = {
  workflow: {
    inline: {
      name: 'router',
      startNodes: [{ name: 'main', source: 'manual', entryNode: 'done' }],
      nodes: [{ id: 'done', type: 'terminate' }],
      edges: [],
    },
  },
} as const;

/** A record of these scenarios, under this name. */
async function aRecord(
  { run }: ReleaseFolder,
  out: string,
  scenarios: readonly ScenarioDefinition[],
  more: object = {},
) {
  return run({ out, scenarios, ...more });
}

function verify({ folder }: ReleaseFolder, record: string, more: object = {}): Promise<Verification> {
  return verifyRelease({ record, recompute: true, cwd: folder, ...more });
}

describe('a release with finished evidence', () => {
  test('says which sets its scenarios were generated in, its own and those of records', async () => {
    await inReleaseFolder(async (folder) => {
      const { write, run, read } = folder;
      await write('shop.toml', 'name = "shop"\ntrials = 1\n[generate]\nfamily = "repair_shop"\ncount = 1\n');
      const sets = async (more: object) => (await run({ scenarios: [], paths: [], ...more })).body.generated;
      const first = await sets({ paths: ['shop.toml'], out: 'shop.json' });
      expect(first).toEqual([{ name: 'shop', file: 'shop.toml', hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
      expect(await sets({ records: ['shop.json'] })).toEqual(first);
      expect((await verify(folder, 'release.json')).holds).toBe(true);
      const record = JSON.parse(await read('release.json')) as EvalResult;
      expect(renderRelease(record).replaceAll(/\s+/g, ' ')).toContain(`generated shop: set ${first?.[0]?.hash} `);
    });
  });

  test('is that of one run of everything, but for what says where it comes from', async () => {
    await inReleaseFolder(async (folder) => {
      const whole = (await aRecord(folder, 'whole.json', [GOOD, ATTACKED])).body;
      const { bodyHash, signature } = await aRecord(folder, 'attack.json', [ATTACKED], { seed: 7 });
      const result = await aRecord(folder, 'release.json', [GOOD], { records: ['attack.json'] });
      expect(renderRelease(result)).toContain(`of a record   ${bodyHash.slice(0, 16)}… of 2026-11-25: 1 scenario\n`);
      const { body } = result;
      const { merged, ...others } = body;
      expect(others).toEqual(whole);
      expect(merged).toEqual([
        {
          bodyHash,
          keyId: signature.keyId,
          tier: 'dev',
          asOf: '2026-11-25',
          passk: whole.engine.version,
          seed: 7,
          scenarios: 1,
        },
      ]);
      expect((await verify(folder, 'release.json')).holds).toBe(true);
    });
  });

  test('may be of records alone, in any order, and runs nothing', async () => {
    await inReleaseFolder(async (folder) => {
      const whole = (await aRecord(folder, 'whole.json', [GOOD, ATTACKED])).body;
      await aRecord(folder, 'good.json', [GOOD]);
      await aRecord(folder, 'attack.json', [ATTACKED]);
      const events: string[] = [];
      const onProgress = ({ kind }: { readonly kind: string }): void => void events.push(kind);
      const merge = (records: readonly string[]) => aRecord(folder, 'release.json', [], { records, onProgress });
      const { body, bodyHash } = await merge(['good.json', 'attack.json']);
      const { merged, ...others } = body;
      expect([others, merged?.length, events]).toEqual([whole, 2, []]);
      expect((await merge(['attack.json', 'good.json'])).bodyHash).toBe(bodyHash);
      expect((await verify(folder, 'release.json')).holds).toBe(true);
    });
  });

  test('counts a report of trials that are all the same as one trial where a bound is asked', async () => {
    await inReleaseFolder(async (folder) => {
      const same = { intel: { turns: [{ content: '{"way": "left"}', promptTokens: 1000, completionTokens: 100 }] } };
      const scenarios = [aCase('same', same), aCase('varied')];
      const report = await runSuite({ cwd: folder.folder, scenarios, workers: 0, trials: 20 });
      await folder.write('report.json', renderReport(report, { reporter: 'json' }));
      const rules = { outcome: ['scenario("report.json: same").pass_rate.lower(0.95) >= 0.1'] };
      const finished = { ...finishedEvidence(['report.json'], { cwd: folder.folder }), rules };
      const { body } = await aRecord(folder, 'release.json', [GOOD], finished);
      expect(body.scenarios.map(({ name, isConstant, passed }) => [name, isConstant, passed]).sort()).toEqual([
        ['good', undefined, 4],
        ['report.json: same', true, 20],
        ['report.json: varied', undefined, 20],
      ]);
      expect(body.axes.outcome.reasons.map(({ code }) => code)).toContain('SAME_TRIALS');
    });
  });

  test('counts recorded runs and reports beside what runs', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.write('runs.json', tauText(tauRuns({ a: 2, b: 2 }, 2)));
      const report = await runSuite({ cwd: folder.folder, scenarios: [aCase('reported')], workers: 0, trials: 4 });
      await folder.write('report.json', renderReport(report, { reporter: 'json' }));
      await aRecord(folder, 'attack.json', [ATTACKED]);
      const evidence = finishedEvidence(['runs.json', 'attack.json', 'report.json'], { cwd: folder.folder });
      expect(evidence).toEqual({ records: ['attack.json'], recordings: ['runs.json', 'report.json'] });
      const { body } = await aRecord(folder, 'release.json', [GOOD], evidence);
      expect(body.scenarios.map(({ name, passed, planned }) => [name, passed, planned]).sort()).toEqual([
        ['attack', 4, 4],
        ['good', 4, 4],
        ['report.json (passk-report): reported', 4, 4],
        ['runs.json (tau-bench): a', 2, 2],
        ['runs.json (tau-bench): b', 2, 2],
      ]);
      // What they cost, nobody tells.
      expect(body.cost.unpriced).toEqual([{ kind: 'model', name: 'model', runs: 8 }]);
      expect((await verify(folder, 'release.json')).holds).toBe(true);
    });
  });

  test('counts no trial twice: not of a copy, nor of a report of what is tried or stands in a record', async () => {
    await inReleaseFolder(async (folder) => {
      const report = await runSuite({ cwd: folder.folder, scenarios: [GOOD], workers: 0, trials: 4 });
      for (const name of ['report.json', 'copy.json']) {
        await folder.write(name, renderReport(report, { reporter: 'json' }));
      }
      const again = { ...report, timing: { ...report.timing, durationMs: report.timing.durationMs + 1 } };
      await folder.write('again.json', renderReport(again, { reporter: 'json' }));
      const other = await runSuite({ cwd: folder.folder, scenarios: [GOOD], workers: 0, trials: 4, seed: 9 });
      await folder.write('other.json', renderReport(other, { reporter: 'json' }));
      await aRecord(folder, 'good.json', [GOOD]);
      const refusal = (scenarios: readonly object[], more: object): Promise<unknown> =>
        aRecord(folder, 'release.json', scenarios as (typeof GOOD)[], more).then(
          () => 'written',
          ({ code, message }: { readonly code: string; readonly message: string }) => `${code}: ${message}`,
        );
      const recordings = ['report.json'];
      const message = 'INPUT: The scenario "good" is tried, and stands in recorded runs ("report.json: good").';
      expect([
        await refusal([], { recordings: ['report.json', 'copy.json'] }),
        await refusal([], { recordings: ['report.json', 'again.json'] }),
        await refusal([], { recordings: ['report.json', 'other.json'] }),
        await refusal([GOOD], { recordings }),
        await refusal([], { recordings, records: ['good.json'] }),
        await refusal([ATTACKED], { recordings }),
      ]).toEqual([
        expect.stringMatching(/^INPUT: A release does not count a trial twice: copy\.json /),
        expect.stringMatching(/^INPUT: A release does not count a trial twice: again\.json "good" drew the same in /),
        'written',
        message,
        message,
        'written',
      ]);
    });
  });

  test('is not enough where finished runs were stopped before their end', async () => {
    await inReleaseFolder(async (folder) => {
      const report = await runSuite({ cwd: folder.folder, scenarios: [aCase('reported')], workers: 0, trials: 4 });
      await folder.write('report.json', renderReport({ ...report, partial: true }, { reporter: 'json' }));
      const { body } = await aRecord(folder, 'release.json', [GOOD], { recordings: ['report.json'] });
      expect(body.axes.outcome.reasons).toContainEqual({
        code: 'PARTIAL',
        verdict: 'insufficient',
        message: 'Not all of its trials were run, or could be read.',
      });
      expect((await verify(folder, 'release.json')).holds).toBe(true);
    });
  });

  test('has of each scenario that passk ran as many trials as its own tier asks for', async () => {
    await inReleaseFolder(async (folder) => {
      await aRecord(folder, 'good.json', [GOOD]);
      const more = { records: ['good.json'], rules: { trials: 8 } };
      const { body, bodyHash } = await aRecord(folder, 'release.json', [ATTACKED], more);
      const message = 'The tier asks for 8 trials, and 1 scenario ("good") had fewer.';
      expect(body.axes.outcome.reasons).toContainEqual({ code: 'FEW_TRIALS', verdict: 'insufficient', message });
      expect(explainRelease({ body, bodyHash }).changes).toMatchObject([
        { code: 'FEW_TRIALS', change: 'Run good again, 8 trials each.', trials: 8 },
        { code: 'NO_RULE' },
      ]);
      await folder.write('runs.json', tauText(tauRuns({ a: 2 }, 2)));
      const recorded = await aRecord(folder, 'runs.release.json', [GOOD, ATTACKED], { recordings: ['runs.json'] });
      expect(recorded.body.axes.outcome.verdict).toBe('pass');
    });
  });

  test('does not take the records that it is made of for earlier tries', async () => {
    await inReleaseFolder(async (folder) => {
      await aRecord(folder, 'attack.json', [ATTACKED]);
      await aRecord(folder, 'release.json', [GOOD], { records: ['attack.json'] });
      const log = 'release-log.jsonl';
      expect((await verify(folder, 'release.json', { log })).holds).toBe(true);
      await aRecord(folder, 'again.json', [aCase('bad', REVIEWED, 'right')], { records: ['attack.json'] });
      const { checks } = await verify(folder, 'again.json', { log });
      expect(checks.find(({ code }) => code === 'LOG')).toMatchObject({ holds: false });
    });
  });
});

/** A task for the agent in `desk.mjs`. */
function aTask(says: string, more: string): string {
  return `name = "${says}"
trials = 4
min_pass_rate = 1
${more}
[agent]
module = "desk.mjs"
[user]
opening = "Go on."
[expected]
says = ["${says}"]
`;
}

function aDesk(text: string, usage = '{ promptTokens: 10, completionTokens: 1 }'): string {
  return `export default () => () => ({ text: '${text}', usage: ${usage} });`;
}

const WORK = aTask('done', 'suite = "validation"');
const ATTACK_TASK = aTask('no', 'suite = "adversarial"\n[attack]\nowasp = ["ASI01"]');

describe('records of an agent', () => {
  /** A folder with work and an attack for an agent, of which each is released by itself. */
  async function released(use: (folder: ReleaseFolder, more: Partial<RunReleaseOptions>) => Promise<void>) {
    await inReleaseFolder(async (folder) => {
      await folder.write('work.toml', WORK);
      await folder.write('attack.toml', ATTACK_TASK);
      await folder.write('desk.mjs', aDesk('done, and no'));
      await use(folder, { scenarios: [], permissions: { run: ['./desk.mjs'] } });
    });
  }

  test('go together where each tries the same module on other tasks', async () => {
    await released(async ({ run }, more) => {
      await run({ ...more, paths: ['attack.toml'], out: 'attack.json' });
      const { body } = await run({ ...more, paths: ['work.toml'], records: ['attack.json'] });
      const { axes, scenarios, candidate } = body;
      expect([axes.outcome.verdict, scenarios.length, candidate.subjects?.length]).toEqual(['pass', 2, 1]);
    });
  });

  test('do not where the module is another one since then', async () => {
    await released(async ({ run, write }, more) => {
      await run({ ...more, paths: ['work.toml'], out: 'work.json' });
      await write('desk.mjs', aDesk('no'));
      await expect(run({ ...more, paths: ['attack.toml'], records: ['work.json'] })).rejects.toMatchObject({
        code: 'INTEGRITY',
        message: expect.stringContaining('is of another candidate'),
      });
    });
  });

  test('cost nothing that anybody knows where it tells no tokens', async () => {
    await released(async ({ run, write }, more) => {
      await write('desk.mjs', aDesk('done, and no', 'undefined'));
      const { body, bodyHash } = await run({ ...more, paths: ['.'], rules: { maxCostPerSuccess: 1 } });
      expect(body.axes.cost.reasons).toEqual([
        {
          code: 'UNPRICED',
          verdict: 'insufficient',
          message: 'Nobody tells the tokens of 4 runs, so the sum is a lower bound.',
        },
      ]);
      expect(explainRelease({ body, bodyHash }).changes.map(({ change }) => change)).toContain(
        'Have agents tell the tokens of their answers (usage), and recordings their tokens or costs.',
      );
    });
  });
});

describe('what does not go together', () => {
  /** Why a record is refused beside a run of `good`. */
  async function refusal(
    record: (folder: ReleaseFolder) => Promise<unknown>,
    more: object = {},
  ): Promise<readonly [string, string]> {
    let refused: readonly [string, string] = ['', ''];
    await inReleaseFolder(async (folder) => {
      await record(folder);
      const merging = aRecord(folder, 'release.json', [GOOD], { records: ['other.json'], ...more });
      refused = await merging.then(
        () => ['', 'merged'],
        ({ code, message }: { code: string; message: string }) => [code, message],
      );
      // Nothing is written of it.
      await expect(folder.read('release.json')).rejects.toThrow();
    });
    return refused;
  }

  test('is a record of another candidate, by its name or version', async () => {
    const candidate = { name: 'router', version: '2' };
    expect(await refusal((folder) => aRecord(folder, 'other.json', [ATTACKED], { candidate }))).toEqual([
      'INTEGRITY',
      'The record other.json is of router 2; this release is of router 1.',
    ]);
  });

  test('is a record of another workflow under the same name and version', async () => {
    const changed = aCase('attack', { ...ATTACK, ...CHANGED });
    expect(await refusal((folder) => aRecord(folder, 'other.json', [changed]))).toEqual([
      'INTEGRITY',
      'The record other.json is of another candidate: it tried what this release does not, and the other way round.',
    ]);
  });

  test('is a record of another model', async () => {
    const other = (folder: ReleaseFolder) =>
      aRecord(folder, 'other.json', [ATTACKED], { pins: { writer: 'a-2024-08-06' } });
    expect(await refusal(other, { pins: { writer: 'b-2024-08-06' } })).toEqual([
      'INTEGRITY',
      'The record other.json is of another candidate: writer was a-2024-08-06, and is b-2024-08-06 here.',
    ]);
  });

  test('is a record that was changed, or whose trials are those of another one', async () => {
    const [code, message] = await refusal(async (folder) => {
      await aRecord(folder, 'other.json', [ATTACKED]);
      await folder.write('other.json', (await folder.read('other.json')).replace('"passed": 4', '"passed": 3'));
    });
    expect([code, message.slice(0, 41)]).toEqual(['INTEGRITY', 'The record other.json does not hold. The ']);
    const [swapped] = await refusal(async (folder) => {
      await aRecord(folder, 'third.json', [aCase('third', ATTACK)]);
      await aRecord(folder, 'other.json', [ATTACKED]);
      await folder.write('other.json.trials', await folder.read('third.json.trials'));
    });
    expect(swapped).toBe('INTEGRITY');
  });

  test('is a record that somebody else signed', async () => {
    const [code, message] = await refusal((folder) =>
      aRecord(folder, 'other.json', [ATTACKED], { key: makeKeys().privateKey, log: 'elsewhere.jsonl' }),
    );
    expect([code, message]).toEqual(['INTEGRITY', expect.stringContaining('Somebody else signed it')]);
  });

  test('is a record with trials of a scenario that runs, too', async () => {
    expect(await refusal((folder) => aRecord(folder, 'other.json', [GOOD, ATTACKED], { seed: 5 }))).toEqual([
      'INPUT',
      'The scenario "good" stands in this run and in other.json.',
    ]);
  });

  test('is a record that another card prices', async () => {
    const [code, message] = await refusal(async (folder) => {
      await folder.write('old.toml', 'id = "old"\neffective = "2025-01-01"\n');
      await aRecord(folder, 'other.json', [ATTACKED], { rates: 'old.toml' });
    });
    expect([code, message]).toEqual([
      'INPUT',
      'The record other.json is priced by the card old of 2025-01-01, and this release by the card test of 2026-11-01.',
    ]);
  });

  test('is a record of scenarios without a suite, where the tier asks for one', async () => {
    for (const open of [aCase('open'), aCase('open', { sampler: 'exhaustive' })]) {
      const [code] = await refusal((folder) => aRecord(folder, 'other.json', [open]), { rules: { governed: true } });
      expect(code).toBe('INPUT');
    }
  });

  test('is a record that is given twice', async () => {
    const other = (folder: ReleaseFolder) => aRecord(folder, 'other.json', [ATTACKED]);
    expect(await refusal(other, { records: ['other.json', 'other.json'] })).toEqual([
      'INTEGRITY',
      'The record other.json is given twice.',
    ]);
  });
});
