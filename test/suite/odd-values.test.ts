import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSuite, type ScenarioDefinition, type TracedTrial, traceTrial } from '../../src/index.ts';
import { judged } from '../support/sampled.ts';

const MODULE = new URL('./fixtures/odd-values.mjs', import.meta.url);
const plugins = [fileURLToPath(MODULE)];
const { ODD, PLAIN } = (await import(MODULE.href)) as {
  readonly ODD: Readonly<Record<string, unknown>>;
  readonly PLAIN: Readonly<Record<string, readonly [given: unknown, data: unknown]>>;
};

declare module '../../src/types/definitions/node-keys.ts' {
  interface NodeKeys {
    readonly gives: object;
  }
}

function aScenario(
  node: Readonly<Record<string, string>>,
  parts: Partial<ScenarioDefinition> = {},
): ScenarioDefinition {
  return {
    name: Object.values(node).join(' '),
    trials: 2,
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual' }],
        nodes: [{ id: 'n', type: 'gives', ...node }],
      },
    },
    expected: { status: 'completed' },
    ...parts,
  };
}

/** Causes of broken trials as a run tells them, by scenario; null: none is broken. */
async function causesIn(
  scenarios: readonly ScenarioDefinition[],
  isolation: 'thread' | 'process' = 'thread',
): Promise<Readonly<Record<string, string | null>>> {
  const report = await runSuite({ scenarios, plugins, isolation, workers: 1 });
  return Object.fromEntries(
    report.scenarios
      .map(judged)
      .map(({ name, trials, failures }) => [name, trials.broken === 2 ? (failures[0]?.brokenBy ?? '') : null]),
  );
}

async function traced(scenario: ScenarioDefinition): Promise<TracedTrial> {
  const inspected = await traceTrial({ scenario, trial: 0, plugins });
  // Whoever shows or sends it finds data.
  expect(structuredClone(inspected)).toEqual(inspected);
  return inspected;
}

test.each(['thread', 'process'] as const)(
  'a node of a plug-in that gives no data breaks its trials and says which part is none: %s',
  async (isolation) => {
    const scenarios = Object.keys(ODD).map((name) => aScenario({ name }));
    const no = (what: string): string => `Node type "gives" gave an output that is not JSON: it ${what}.`;
    expect(await causesIn(scenarios, isolation)).toEqual({
      symbol: no('holds a symbol at "a"'),
      function: no('holds a function at "a.0"'),
      nothing: no('holds undefined'),
      'an absent part': no('holds undefined at "a.b"'),
      hole: no('holds undefined at "0"'),
      NaN: no('holds the number NaN at "0"'),
      infinity: no('holds the number Infinity at "a"'),
      date: no('holds an object that is not plain data at "a"'),
      map: no('holds an object that is not plain data'),
      'instance of a class': no('holds an object that is not plain data'),
      'text of its own': no('holds an object that is not plain data at "a"'),
      'list with a name': no('holds a list with keys of its own'),
      getter: no('cannot be read at "a": a planted error'),
      'revoked proxy': no("cannot be read: Cannot perform 'IsArray' on a proxy that has been revoked"),
      cycle: no('is nested deeper than 1000 levels or contains itself'),
      depth: no('is nested deeper than 1000 levels or contains itself'),
    });
  },
);

test('a trace tells the same of such a trial as the run does', { timeout: 60_000 }, async () => {
  const scenarios = Object.keys(ODD).flatMap((name) => [aScenario({ name }), aScenario({ name, as: 'thrown' })]);
  const causes = await causesIn(scenarios);
  expect(Object.values(causes)).not.toContain(null);
  for (const scenario of scenarios) {
    const { result } = await traced(scenario);
    expect([result.verdict, result.brokenBy]).toEqual(['broken', causes[scenario.name]]);
  }
});

test('what is data comes through as it is, numbers in one way', async () => {
  for (const [name, [, data]] of Object.entries(PLAIN)) {
    const { result } = await traced(aScenario({ name }));
    expect([result.verdict, result.outcome?.finalValue]).toEqual(['passed', data]);
  }
});

test('a value that changes is read once', async () => {
  const { result } = await traced(aScenario({ type: 'changes' }));
  expect(result.outcome?.finalValue).toEqual({ a: 'first' });
});

test('every other part of a move must be what it is for, and is named', async () => {
  for (const as of ['branch', 'response', 'reason', 'message', 'category', 'request']) {
    const causes = await causesIn(['symbol', 'date', 'cycle'].map((name) => aScenario({ name, as })));
    for (const cause of Object.values(causes)) {
      expect(cause).toMatch(`Node type "gives" returned a move whose ${as} must be `);
    }
  }
});

test('a fault of a plug-in gives replies that are data', async () => {
  const struck = (name: string, as: string) => {
    const intel = { turns: [{ content: 'a', fault: { type: 'odd_fault', name, as } }] };
    const model = { type: 'llm_infer', backend: 'default', prompt: 'x' };
    return aScenario(model, { name: `${name} ${as}`, intel } as never);
  };
  const scenarios = Object.keys(ODD).flatMap((name) => [struck(name, 'reply'), struck(name, 'text')]);
  for (const cause of Object.values(await causesIn(scenarios))) {
    expect(cause).toMatch(/^Fault "odd_fault" failed: it (?:gave a reply that is not JSON|must give)/);
  }
  await expect(runSuite({ scenarios: [struck('NaN', 'delayUs')], plugins })).rejects.toMatchObject({ code: 'PLUGIN' });
});
