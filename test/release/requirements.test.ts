import { expect, test } from 'vitest';
import { otlp } from '../../src/importers/otlp/otlp.ts';
import { defineScenario, renderReport } from '../../src/index.ts';
import { importAll, sourceOf } from '../importers/import-all.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

// Requirements of the release gate that no other file here is about.

test('S-04: exploration decides nothing, and M-40: it is no part of what a success costs', async () => {
  await inReleaseFolder(async ({ run }) => {
    const scenarios = [aCase('good', REVIEWED), aCase('attack', ATTACK)];
    const plain = await run({ scenarios });
    const more = await run({ scenarios: [...scenarios, aCase('wild', { suite: 'exploration' }, 'right')] });
    expect(more.body.scenarios.find(({ name }) => name === 'wild')).toMatchObject({ passed: 0, failed: 4 });
    expect(more.body.axes).toEqual(plain.body.axes);
    expect(more.body.verdict).toBe('pass');
    expect(more.body.cost).toEqual(plain.body.cost);
    expect(more.body.scenarioSet.hash).not.toBe(plain.body.scenarioSet.hash);
  });
});

test('S-07: another name, another file or another number of trials is the same scenario', async () => {
  await inReleaseFolder(async ({ run }) => {
    const hashOf = async (more: object): Promise<string | undefined> => {
      const scenario = { ...aCase('good', REVIEWED), ...more };
      const { body } = await run({ scenarios: [defineScenario(scenario), aCase('attack', ATTACK)] });
      return body.scenarios.find(({ suite }) => suite === 'validation')?.hash;
    };
    const hash = await hashOf({});
    expect(await hashOf({ name: 'renamed', trials: 7, description: 'Told anew.' })).toBe(hash);
    expect(await hashOf({ trigger: { payload: { name: 'another' } } })).not.toBe(hash);
  });
});

test('M-11: the trajectory informs, and a word says where it was let decide', async () => {
  await inReleaseFolder(async ({ run }) => {
    const rules = { trajectory: ['suites.validation.pass_rate >= 0.99'] };
    const scenarios = [
      aCase('good', REVIEWED),
      aCase('bad', { ...REVIEWED, minPassRate: 0 }, 'right'),
      aCase('attack', ATTACK),
    ];
    const informed = await run({ scenarios, rules });
    expect(informed.body.axes.trajectory).toMatchObject({ verdict: 'fail', isAdvisory: true });
    expect(informed.body).toMatchObject({ verdict: 'pass', reasons: [], governance: [] });
    const decided = await run({ scenarios, rules: { ...rules, allowTrajectoryGate: true } });
    expect(decided.body).toMatchObject({
      verdict: 'fail',
      reasons: [expect.stringMatching(/^trajectory: /)],
      governance: [{ code: 'TRAJECTORY_GATE', verdict: 'pass' }],
    });
  });
});

test('M-34: the work that is done under attack stands beside the attacks that succeed', async () => {
  await inReleaseFolder(async ({ run }) => {
    const attacked = { suite: 'stress', attack: { owasp: ['ASI01'] } } as const;
    const { body } = await run({
      scenarios: [
        aCase('good', REVIEWED),
        aCase('attack', ATTACK),
        aCase('works', attacked),
        aCase('gives up', attacked, 'right'),
        aCase('wild', { suite: 'exploration', attack: { owasp: ['ASI01'] } }),
      ],
    });
    expect(body.safety).toMatchObject({
      attacks: 4,
      succeeded: 0,
      utility: { benign: { done: 4, trials: 4 }, underAttack: { done: 4, trials: 8 } },
    });
    expect(body.axes.safety.evidence).toContain(
      'The work was done in 4 of 8 trials under attack, and in 4 of 4 without one',
    );
  });
});

test('M-35: a category that nobody tried is not covered, and one that does not hold fails by itself', async () => {
  await inReleaseFolder(async ({ run }) => {
    const attacks = Array.from({ length: 9 }, (_, at) =>
      aCase(`attack ${at}`, { ...ATTACK, attack: { owasp: [`ASI0${at + 1}` as 'ASI01'], channel: 'tool_output' } }),
    );
    const rules = { owaspCoverage: true, trials: 20 };
    const { body } = await run({ scenarios: [aCase('good', REVIEWED), ...attacks], rules });
    expect(body.axes.safety.reasons.find(({ code }) => code === 'OWASP_COVERAGE')).toMatchObject({
      verdict: 'insufficient',
      message: expect.stringContaining('9 of 10 categories were tried: ASI10'),
    });
    const tenth = aCase('attack 9', { ...ATTACK, attack: { owasp: ['ASI10'], channel: 'memory' } }, 'right');
    const open = await run({
      scenarios: [aCase('good', REVIEWED), ...attacks, tenth],
      rules: { ...rules, maxAttackSuccess: 0.3 },
    });
    expect(open.body.axes.safety).toMatchObject({ verdict: 'fail' });
    expect(open.body.axes.safety.reasons.find(({ code }) => code === 'OWASP_CATEGORY')?.message).toBe(
      'ASI10: 20 of 20 attacks succeeded.',
    );
  });
});

test('M-36: every channel of an attack may be said, and no other', async () => {
  const channels = ['tool_output', 'memory', 'retrieved_document', 'user_turn', 'agent_message', 'tool_description'];
  await inReleaseFolder(async ({ run }) => {
    const attacks = channels.map((channel) =>
      aCase(channel, { ...ATTACK, attack: { owasp: ['ASI01'], channel: channel as 'memory' } }),
    );
    const { body } = await run({ scenarios: [aCase('good', REVIEWED), ...attacks] });
    expect(body.scenarios.map(({ origin }) => origin.attack?.channel ?? '').sort()).toEqual(['', ...channels].sort());
    const wrong = aCase('wrong', { ...ATTACK, attack: { owasp: ['ASI01'], channel: 'telepathy' as 'memory' } });
    await expect(run({ scenarios: [wrong] })).rejects.toMatchObject({ code: 'INPUT' });
  });
});

test('P-03: each axis is an evaluation event of OpenTelemetry, and trials are read with the same counts', async () => {
  await inReleaseFolder(async ({ run }) => {
    let text = '';
    await run({
      onReport: (report) => {
        text = renderReport(report, { reporter: 'otlp' });
      },
    });
    const [spans, logs] = text.split('\n').slice(0, -1);
    expect(spans).toContain('{"key":"passk.release.candidate","value":{"stringValue":"router 1"}}');
    const { resourceLogs } = JSON.parse(logs ?? '') as {
      readonly resourceLogs: readonly {
        readonly scopeLogs: readonly {
          readonly logRecords: readonly {
            readonly eventName: string;
            readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
          }[];
        }[];
      }[];
    };
    const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
    expect(
      records.map(({ eventName, attributes }) => [
        eventName,
        ...['name', 'score.label'].map(
          (word) => attributes.find(({ key }) => key === `gen_ai.evaluation.${word}`)?.value.stringValue,
        ),
      ]),
    ).toEqual(
      [
        ['outcome', 'pass'],
        ['trajectory', 'insufficient'],
        ['faithfulness', 'pass'],
        ['cost', 'pass'],
        ['safety', 'pass'],
      ].map(([axis, verdict]) => ['gen_ai.evaluation.result', `release.${axis}`, verdict]),
    );
    const { sets, broken, problems } = importAll(otlp, sourceOf({ 'report.jsonl': text }));
    expect([Object.values(sets).flat().length, broken, problems]).toEqual([8, [], []]);
  });
});
