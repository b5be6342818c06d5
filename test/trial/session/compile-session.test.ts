import { describe, expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/engine/compile-json-schema.ts';
import { deriveWords } from '../../../src/random/draw.ts';
import { bareScenario } from '../../../src/scenario/bare-scenario.ts';
import { builtinRegistry } from '../../../src/trial/registry.ts';
import { compileSession } from '../../../src/trial/session/compile-session.ts';
import type { SessionPlan } from '../../../src/types/plan.ts';
import type { AgentTurn, SessionSubject } from '../../../src/types/session.ts';
import type { WorldStep } from '../../../src/types/sessions/declared-world.ts';

const says = (text: string, repeat = false): AgentTurn => ({
  repeat,
  variants: [{ weight: 1, calls: [], says: text }],
});
const calls = (...names: readonly string[]): AgentTurn => ({
  repeat: false,
  variants: [{ weight: 1, calls: names.map((name) => ({ name, args: {} })), says: null }],
});

const spends = (tokens: number, call?: string): AgentTurn => ({
  repeat: false,
  variants: [
    {
      weight: 1,
      calls: call === undefined ? [] : [{ name: call, args: {} }],
      says: call === undefined ? 'Done.' : null,
      usage: { promptTokens: tokens - 1, completionTokens: 1 },
    },
  ],
});

function recordOf(
  turns: readonly AgentTurn[],
  { steps = [], ...rest }: { readonly steps?: readonly WorldStep[] } & Partial<SessionSubject> = {},
) {
  const tool = { name: 'act', description: '', parameters: { type: 'object' }, steps, result: 'acted' };
  const subject: SessionSubject = {
    kind: 'session',
    world: { state: { n: 0 }, tools: [tool] },
    user: {
      opening: 'Hello.',
      goal: null,
      known: [],
      unknown: [],
      replies: [],
      changes: [],
      ends: [],
      verbosity: 'standard',
      typos: 0,
      patience: 3,
    },
    agent: { kind: 'canned', turns },
    gold: null,
    limits: { messages: 4, calls: 3 },
    ...rest,
  };
  const plan: SessionPlan = {
    index: 0,
    scenario: { ...bareScenario({ name: 's', file: 's.toml', trials: 1, timeoutMs: 1000 }), subject },
    sampler: 'seeded',
    words: deriveWords(0, 's'),
    trials: 1,
    traits: { sync: true, repeatable: true, place: 'here', orderGroup: null, longestMs: 1000 },
    userCode: false,
    schemas: true,
    liveModels: [],
    liveNodes: [],
    blockSize: 1,
  };
  const { readNow } = compileSession(plan, {
    registry: builtinRegistry,
    compileSchema: compileJsonSchema,
    startClock: () => {
      throw new Error('A session that is held at once reads no clock.');
    },
  });
  if (readNow === undefined) throw new Error('Sessions with canned answers run at once.');
  return readNow(0);
}

describe('a session', () => {
  test('is recorded as messages, calls with their results, what they cost, and the state before and after', () => {
    const steps: readonly WorldStep[] = [{ kind: 'set', at: ['n'], value: 1, when: [] }];
    const record = recordOf([calls('act', 'nothing'), says('Done.')], { steps });
    expect(record.ending).toMatchObject({ status: 'completed' });
    expect(record.turns.map(({ role, parts }) => [role, parts])).toEqual([
      ['user', [{ kind: 'text', text: 'Hello.' }]],
      [
        'assistant',
        [
          { kind: 'tool_call', id: 'call-1', name: 'act', args: {} },
          { kind: 'tool_call', id: 'call-2', name: 'nothing', args: {} },
        ],
      ],
      [
        'tool',
        [
          { kind: 'tool_result', id: 'call-1', name: 'act', result: 'acted' },
          {
            kind: 'tool_result',
            id: 'call-2',
            name: 'nothing',
            result: 'There is no tool "nothing". Tools: act.',
            isError: true,
          },
        ],
      ],
      ['assistant', [{ kind: 'text', text: 'Done.' }]],
    ]);
    expect(record.calls?.map(({ names, problem, turn }) => [names, problem === null, turn])).toEqual([
      [['act'], true, 1],
      [['nothing'], false, 1],
    ]);
    expect(record.world).toEqual({ files: null, state: { before: { n: 0 }, after: { n: 1 } } });
    expect(record.session).toEqual({ end: 'user_done', tools: ['act'], validCalls: 1, gold: null });
    expect(record.counters).toEqual({ toolCalls: 2 });
    expect(record.ledger.map(({ kind, name }) => [kind, name])).toEqual([
      ['tool', 'act'],
      ['tool', 'nothing'],
    ]);
  });

  test.each<[string, readonly AgentTurn[], Partial<SessionSubject>, object, string]>([
    [
      'the user gives up',
      [says('Why?', true)],
      {},
      { status: 'completed', reason: 'The user gave up.' },
      'user_gave_up',
    ],
    [
      'the user has said all that is allowed',
      [says('Why?', true)],
      { limits: { messages: 2, calls: 3 } },
      { status: 'failed', stoppedBy: 'step_limit', reason: 'The user had said 2 things, and the agent was not done.' },
      'message_limit',
    ],
    [
      'the agent calls more than is allowed',
      [calls('act', 'act'), calls('act', 'act'), says('Done.')],
      {},
      { status: 'failed', stoppedBy: 'step_limit', reason: 'The agent had made 3 calls, and wanted more.' },
      'call_limit',
    ],
    [
      'an answer passes the limit of tokens, whose calls are not made',
      [spends(60, 'act'), spends(60, 'act'), says('Done.')],
      { limits: { messages: 4, calls: 3, tokens: 100 } },
      { status: 'failed', stoppedBy: 'step_limit', reason: 'The agent had spent 120 tokens, and may spend 100.' },
      'token_limit',
    ],
    [
      'the last answer takes just what is left',
      [spends(60, 'act'), spends(40)],
      { limits: { messages: 4, calls: 3, tokens: 100 } },
      { status: 'completed' },
      'user_done',
    ],
    [
      'the agent has no answer left',
      [calls('act')],
      {},
      { status: 'errored', stoppedBy: 'error', reason: 'Its 1 canned answers are used up.' },
      'agent_stopped',
    ],
  ])('ends where %s', (_, turns, subject, ending, end) => {
    const record = recordOf(turns, subject);
    expect(record.ending).toMatchObject(ending);
    expect(record.session?.end).toBe(end);
  });

  test('that a limit ends has what was spent up to there in its counters, and nothing after it', () => {
    const limits = { messages: 4, calls: 3, tokens: 100 };
    const cut = recordOf([spends(60, 'act'), spends(60, 'act'), spends(60, 'act')], { limits });
    expect(cut.counters).toMatchObject({ toolCalls: 1, llmCalls: 2, llmTokens: 120 });
    const { tokens: _, ...calls } = limits;
    const called = recordOf([spends(60, 'act'), spends(60, 'act')], { limits: { ...calls, calls: 1 } });
    expect(called.session?.end).toBe('call_limit');
    expect(called.counters).toMatchObject({ toolCalls: 1, llmCalls: 2, llmTokens: 120 });
  });

  test('is broken where it has a limit of tokens and an answer does not tell them', () => {
    const limits = { messages: 4, calls: 3, tokens: 100 };
    expect(recordOf([says('Done.')], { limits }).ending).toEqual({
      status: 'broken',
      reason: 'The session has a limit of tokens, and the agent does not tell what its answers take.',
    });
  });

  test('is broken, not failed, where its world cannot do what its tools say', () => {
    const steps: readonly WorldStep[] = [{ kind: 'append', at: ['n'], value: 1, when: [] }];
    expect(recordOf([calls('act'), says('Done.')], { steps }).ending).toEqual({
      status: 'broken',
      reason: 'What stands at "n" is no list.',
    });
  });

  test('is broken where a tool gives more than anybody could read', () => {
    const double = { kind: 'compute', as: 'text', value: '{{text}}{{text}}', times: 1, plus: 0, minus: 0, when: [] };
    const first = { ...double, value: 'abcdefgh' };
    const steps = [first, ...Array.from({ length: 20 }, () => double)] as readonly WorldStep[];
    expect(recordOf([calls('act'), says('Done.')], { steps }).ending).toEqual({
      status: 'broken',
      reason: 'Of "text" there are more than 1048576 bytes.',
    });
  });
});

test('turns that are made when they are first read stand in whatever is made of a record', () => {
  const copies = [
    (record: object): unknown => structuredClone(record),
    (record: object): unknown => JSON.parse(JSON.stringify(record)),
    (record: object): unknown => ({ ...record }),
  ];
  const turns = ['user', 'assistant', 'tool', 'assistant'];
  for (const copy of copies) {
    const record = recordOf([calls('act'), says('Done.')]);
    expect(copy(record)).toEqual(record);
    expect(record.turns.map(({ role }) => role)).toEqual(turns);
    expect(Object.getOwnPropertyDescriptor(record, 'turns')).toMatchObject({ value: record.turns });
  }
});
