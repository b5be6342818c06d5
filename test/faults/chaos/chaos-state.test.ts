import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChaosState } from '../../../src/faults/chaos/chaos-state.ts';
import { compileChaos, type ToolCall } from '../../../src/faults/chaos/compile-chaos.ts';
import { faultLabels, hasChaos, isDrawn } from '../../../src/faults/chaos/fault-labels.ts';
import type { Chaos } from '../../../src/types/chaos.ts';
import type { SeedWords } from '../../../src/types/plan.ts';
import { aChaos, anAttack, anLlmFault, aToolFault } from './a-chaos.ts';

const WORDS: SeedWords = [11, 22, 33, 44];
const SEARCH: ToolCall = { names: ['search', 'api.example.com'], url: 'https://api.example.com/v1?q=1' };
const MAIL: ToolCall = { names: ['mail', '/usr/bin/mail'], url: null };

function stateOf(chaos: Partial<Chaos>, words = WORDS): ChaosState {
  return new ChaosState(compileChaos(aChaos(chaos), words));
}

/** What strikes `count` calls of one trial. */
function strikes(state: ChaosState, trial: number, count: number, call = SEARCH): readonly (string | null)[] {
  state.begin(trial);
  return Array.from({ length: count }, () => state.onTool(call).label);
}

const error = (parts = {}) => aToolFault({ mode: 'error', ...parts });

test('labels are unique and stand in the order of tool faults, LLM faults, context attacks', () => {
  const chaos = aChaos({
    toolFaults: [error({ tool: 'search' }), error({ tool: 'search' }), error({ tool: 'x', matchUrl: 'https://a/*' })],
    llmFaults: [anLlmFault({ mode: 'rate_limit' }), anLlmFault({ mode: 'response_drift', driftType: 'tone_shift' })],
    contextAttacks: [anAttack({ type: 'overflow' })],
  });
  expect(faultLabels(chaos)).toEqual([
    'tool search: error',
    'tool search: error #2',
    'tool https://a/*: error',
    'llm: rate_limit',
    'llm: response_drift tone_shift',
    'context: overflow',
  ]);
});

test('chaos is there when anything is declared, and drawn when chance or a choice has a part in it', () => {
  expect([undefined, aChaos({}), aChaos({ toolFaults: [error()] })].map(hasChaos)).toEqual([false, false, true]);
  const drawn: readonly Partial<Chaos>[] = [
    { toolFaults: [error({ probability: 0.5 })] },
    { llmFaults: [anLlmFault({ mode: 'empty', probability: 0.1 })] },
    { contextAttacks: [anAttack({ type: 'overflow', probability: 0.1 })] },
    { contextAttacks: [anAttack({ type: 'indirect_injection', payloads: ['a', 'b'] })] },
  ];
  const certain: readonly Partial<Chaos>[] = [
    { toolFaults: [error({ probability: 1 }), error({ probability: 0 }), error({ afterCalls: 3 })] },
    { contextAttacks: [anAttack({ type: 'overflow', injectAt: 2 })] },
    { contextAttacks: [anAttack({ type: 'overflow', probability: 0, payloads: ['a', 'b'] })] },
  ];
  expect(drawn.map((chaos) => isDrawn(aChaos(chaos)))).toEqual([true, true, true, true]);
  expect(certain.map((chaos) => isDrawn(aChaos(chaos)))).toEqual([false, false, false]);
});

test.each([
  ['search', SEARCH, true],
  ['sea*', SEARCH, true],
  ['api.example.com', SEARCH, true],
  ['*.example.com', SEARCH, true],
  ['mail', SEARCH, false],
  ['mail', MAIL, true],
  ['*', MAIL, true],
  ['Search', SEARCH, false],
])('a tool fault for %j and the call %j: %s', (tool, call, strikesIt) => {
  expect(strikes(stateOf({ toolFaults: [error({ tool })] }), 0, 1, call)[0] !== null).toBe(strikesIt);
});

test.each([
  ['https://api.example.com/*', SEARCH, true],
  ['*q=1', SEARCH, true],
  ['*q=2', SEARCH, false],
  ['*', MAIL, false],
])('a URL pattern %j decides instead of the name: %j: %s', (matchUrl, call, strikesIt) => {
  const state = stateOf({ toolFaults: [error({ tool: 'nothing', matchUrl })] });
  expect(strikes(state, 0, 1, call)[0] !== null).toBe(strikesIt);
});

test('slow faults add up, and the first other one comes instead of the call', () => {
  const state = stateOf({
    toolFaults: [
      aToolFault({ mode: 'slow', delayMs: 100 }),
      aToolFault({ mode: 'slow', delayMs: 20, tool: 'search' }),
      aToolFault({ mode: 'malformed' }),
      aToolFault({ mode: 'timeout' }),
    ],
  });
  state.begin(0);
  const strike = state.onTool(SEARCH);
  expect([strike.waitMs, strike.fault?.mode, strike.label]).toEqual([
    120,
    'malformed',
    'tool *: slow, tool search: slow, tool *: malformed',
  ]);
  expect([...state.fired]).toEqual([1, 1, 1, 0]);
  expect(state.onTool(SEARCH)).toBe(strike);
});

test('probability 0 never fires and probability 1 always does', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(2 ** 31), fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), (trial, other, words) => {
      const never = stateOf({ toolFaults: [error({ probability: 0 })] }, words);
      const always = stateOf({ toolFaults: [error({ probability: 1 })] }, words);
      expect([...strikes(never, trial, 4), ...strikes(never, other, 4)]).toEqual(Array(8).fill(null));
      expect(strikes(always, trial, 4)).toEqual(Array(4).fill('tool *: error'));
    }),
  );
});

test('after_calls N fires from call N + 1 on, counted for each fault by the calls that concern it', () => {
  fc.assert(
    fc.property(fc.nat(6), fc.array(fc.constantFrom(SEARCH, MAIL), { maxLength: 12 }), (afterCalls, calls) => {
      const state = stateOf({ toolFaults: [error({ tool: 'search', afterCalls })] });
      state.begin(0);
      let seen = 0;
      for (const call of calls) {
        if (call === SEARCH) seen++;
        expect(state.onTool(call).label !== null).toBe(call === SEARCH && seen > afterCalls);
      }
    }),
  );
});

test('model requests are counted in the same way', () => {
  const state = stateOf({ llmFaults: [anLlmFault({ mode: 'rate_limit', afterCalls: 2 })] });
  state.begin(0);
  expect([1, 2, 3, 4].map(() => state.onModel().instead?.label)).toEqual([
    undefined,
    undefined,
    'llm: rate_limit',
    'llm: rate_limit',
  ]);
});

test('a timeout comes before a rate limit, and both instead of what else would strike', () => {
  const modes = ['truncated_response', 'rate_limit', 'timeout', 'timeout'] as const;
  const state = stateOf({ llmFaults: modes.map((mode) => anLlmFault({ mode })) });
  state.begin(0);
  const { instead, changes } = state.onModel();
  expect([instead?.label, changes]).toEqual(['llm: timeout', []]);
  expect([...state.fired]).toEqual([0, 0, 1, 0]);
});

test('an attack strikes the call it names and no other', () => {
  const state = stateOf({ contextAttacks: [anAttack({ type: 'memory_poisoning', injectAt: 2 })] });
  state.begin(0);
  expect([1, 2, 3].map(() => state.onModel().prompt.length)).toEqual([0, 1, 0]);
});

test('results and documents are attacked by the kind that is meant for them', () => {
  const types = ['indirect_injection', 'injection_via_context', 'memory_poisoning'] as const;
  const state = stateOf({ contextAttacks: types.map((type) => anAttack({ type })) });
  state.begin(0);
  const labels = (attacks: readonly { readonly label: string }[]) => attacks.map(({ label }) => label);
  expect(labels(state.onResult('tool'))).toEqual(['context: indirect_injection']);
  expect(labels(state.onResult('document'))).toEqual(['context: injection_via_context']);
  expect(labels(state.onModel().prompt)).toEqual(['context: memory_poisoning']);
});

const CHANCE: Partial<Chaos> = {
  toolFaults: [error({ probability: 0.5 }), error({ tool: 'search', probability: 0.3, afterCalls: 1 })],
  llmFaults: [anLlmFault({ mode: 'empty', probability: 0.4 })],
  contextAttacks: [anAttack({ type: 'memory_poisoning', probability: 0.5, payloads: ['a', 'b', 'c'] })],
};

/** Everything that strikes one trial of some calls. */
function story(state: ChaosState, trial: number): unknown {
  state.begin(trial);
  return Array.from({ length: 6 }, (_, at) => [
    state.onTool(at % 2 === 0 ? SEARCH : MAIL).label,
    state.onModel().changes.map(({ label }) => label),
    state.onModel().prompt.map(({ payload }) => payload),
    [...state.fired],
  ]);
}

test('a trial is struck the same alone, in any order and after any other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 8 }), (trials) => {
      const together = stateOf(CHANCE);
      const stories = new Map(trials.map((trial) => [trial, story(together, trial)]));
      for (const trial of trials.toReversed()) {
        expect(story(together, trial)).toEqual(stories.get(trial));
        expect(story(stateOf(CHANCE), trial)).toEqual(stories.get(trial));
      }
    }),
  );
});

test('a fault is drawn for by itself: others come and go without changing when it strikes', () => {
  const fault = aToolFault({ mode: 'slow', probability: 0.5 });
  const alone = stateOf({ toolFaults: [fault] });
  const crowded = stateOf({ toolFaults: [error({ tool: 'mail', probability: 0.5 }), fault], ...{} });
  for (let trial = 0; trial < 50; trial++) {
    expect(strikes(crowded, trial, 5)).toEqual(strikes(alone, trial, 5));
  }
});

test('a probability is the share of calls that are struck, whatever their number in the trial', () => {
  const state = stateOf({ toolFaults: [error({ probability: 0.3 })] });
  const struck = [0, 0, 0];
  for (let trial = 0; trial < 20_000; trial++) {
    for (const [call, label] of strikes(state, trial, 3).entries())
      if (label !== null) struck[call] = (struck[call] ?? 0) + 1;
  }
  // Four standard deviations of 20,000 draws are 0.013.
  for (const count of struck) expect(Math.abs(count / 20_000 - 0.3)).toBeLessThan(0.013);
});

test('every payload is drawn, each about as often', () => {
  const state = stateOf({ contextAttacks: [anAttack({ type: 'overflow', payloads: ['a', 'b', 'c', 'd'] })] });
  const seen: Record<string, number> = {};
  for (let trial = 0; trial < 4000; trial++) {
    state.begin(trial);
    const payload = state.onModel().prompt[0]?.payload ?? '';
    seen[payload] = (seen[payload] ?? 0) + 1;
  }
  expect(Object.keys(seen).sort()).toEqual(['a', 'b', 'c', 'd']);
  for (const count of Object.values(seen)) expect(Math.abs(count / 4000 - 0.25)).toBeLessThan(0.03);
});

test('more faults than a number has bits strike together', () => {
  const state = stateOf({ toolFaults: Array.from({ length: 80 }, () => aToolFault({ mode: 'slow', delayMs: 1 })) });
  state.begin(0);
  expect(state.onTool(MAIL).waitMs).toBe(80);
});

test('the draws of chaos are these: a change is a breaking release', () => {
  const state = stateOf({ toolFaults: [error({ probability: 0.5 })] }, [1, 2, 3, 4]);
  const struck = Array.from({ length: 8 }, (_, trial) =>
    strikes(state, trial, 8)
      .map((label) => (label === null ? '.' : 'x'))
      .join(''),
  );
  expect(struck).toMatchInlineSnapshot(`
    [
      "x..xxxx.",
      "xx..xxxx",
      ".xx.x..x",
      "xxx....x",
      "xx..x.x.",
      ".x.xxxxx",
      "..x..xxx",
      "....xxxx",
    ]
  `);
});
