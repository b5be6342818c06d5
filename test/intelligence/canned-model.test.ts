import { describe, expect, test } from 'vitest';
import { builtinFaults } from '../../src/faults/builtin.ts';
import { type CannedModelOptions, createCannedModel } from '../../src/intelligence/canned-model.ts';
import type { FaultType } from '../../src/plugin/fault-type.ts';
import type { Answer, ModelRequest } from '../../src/plugin/request.ts';
import { deriveWords } from '../../src/random/draw.ts';
import type { Turn, Variant } from '../../src/types/scenario.ts';
import { plainUsage, textOf, textParts } from '../../src/values/message-text.ts';

const words = deriveWords(0, 'canned');
const request: ModelRequest = { port: 'model', backend: 'default', messages: [], maxTokens: null, repair: false };

function aVariant(content: string, given: Partial<Variant> = {}): Variant {
  return { content, promptTokens: 1, completionTokens: 2, weight: 1, ...given };
}

function aTurn(contents: string, given: Partial<Turn> = {}): Turn {
  return { repeat: false, variants: contents.split('|').map((content) => aVariant(content)), ...given };
}

function aModel(turns: readonly Turn[], given: Partial<CannedModelOptions> = {}) {
  const faults = new Map<string, FaultType>(builtinFaults.map((fault) => [fault.type, fault]));
  const model = createCannedModel({ turns, sampler: 'seeded', words, faults, intelErrorOnCall: null, ...given });
  model.begin(0);
  const ask = (node = 'n', backend = 'default'): Answer =>
    model.answer(
      { ...request, backend },
      { trial: 0, walk: '', node, visit: 1, attempt: 1, call: 1, fromModel: false },
    );
  return { model, ask, say: (node?: string) => told(ask(node)) };
}

function told({ reply }: Answer): string {
  if (reply.kind === 'model') return textOf(reply.parts);
  return reply.kind === 'error' ? `${reply.category}: ${reply.message}` : reply.kind;
}

describe('which turn serves', () => {
  test('the queue serves requests in declared order, whichever node asks', () => {
    const { say } = aModel([aTurn('one'), aTurn('two'), aTurn('three')]);
    expect([say('a'), say('b'), say('a'), say('a')]).toEqual([
      'one',
      'two',
      'three',
      'intelligence: MockClient: no canned response enqueued for node `a`: the queue declares 3 turns, all used up',
    ]);
  });

  test('a node with turns of its own is served by those alone and leaves the queue to others', () => {
    const { say } = aModel([aTurn('queue'), aTurn('x1', { node: 'x' }), aTurn('x2', { node: 'x' })]);
    expect([say('x'), say('y'), say('x'), say('x'), say('y')]).toEqual([
      'x1',
      'queue',
      'x2',
      'intelligence: MockClient: no canned response enqueued for node `x`: 2 turns addressed to it, all used up',
      'intelligence: MockClient: no canned response enqueued for node `y`: the queue declares 1 turn, all used up',
    ]);
  });

  test('a repeating turn keeps serving', () => {
    const { say } = aModel([aTurn('once', { node: 'x' }), aTurn('again', { node: 'x', repeat: true })]);
    expect([say('x'), say('x'), say('x'), say('x')]).toEqual(['once', 'again', 'again', 'again']);
  });

  test('where no turn could serve, the answer says so', () => {
    expect([aModel([]).say('a'), aModel([aTurn('x1', { node: 'x' })]).say('constructor')]).toEqual([
      'intelligence: MockClient: no canned response enqueued for node `a`: no turn is declared that could serve it',
      'intelligence: MockClient: no canned response enqueued for node `constructor`: no turn is declared that could serve it',
    ]);
  });

  test('a new trial finds all turns unused', () => {
    const { model, say } = aModel([aTurn('one'), aTurn('x1', { node: 'x' })]);
    const all = () => [say('a'), say('x'), model.served];
    const first = all();
    model.begin(1);
    expect([first, all()]).toEqual([
      ['one', 'x1', 1],
      ['one', 'x1', 1],
    ]);
  });

  test('a backend nobody declared is refused and uses up no turn', () => {
    const { ask, say } = aModel([aTurn('one')], { backends: ['default', 'big'], intelErrorOnCall: 2 });
    expect([told(ask('a', 'other')), told(ask('a', 'big')), say('a')]).toEqual([
      'intelligence: backend `other` is not configured on this runtime; known backends: big, default',
      'one',
      'intelligence: injected transport fault on call 2',
    ]);
  });
});

describe('the request that fails', () => {
  test('counts every request of the trial and pops nothing', () => {
    const { ask, model } = aModel([aTurn('one'), aTurn('two'), aTurn('x1', { node: 'x' })], { intelErrorOnCall: 3 });
    expect([ask(), ask('x'), ask(), ask()].map(told)).toEqual([
      'one',
      'x1',
      'intelligence: injected transport fault on call 3',
      'two',
    ]);
    model.begin(1);
    expect([ask(), ask(), ask()].map((answer) => [answer.fault, answer.source])).toEqual([
      [null, 'turn'],
      [null, 'turn'],
      ['intel_error_on_call', 'fault'],
    ]);
    expect(model.served).toBe(-1);
  });

  test('never comes for 0, nor without turns', () => {
    expect([
      aModel([aTurn('one')], { intelErrorOnCall: 0 }).say(),
      aModel([], { intelErrorOnCall: 1 }).ask().fault,
    ]).toEqual(['one', null]);
  });
});

describe('which variant serves', () => {
  const trials = 64;

  function served(turns: readonly Turn[], given: Partial<CannedModelOptions> = {}, asks = turns.length): string[] {
    const { model, say } = aModel(turns, given);
    return Array.from({ length: trials }, (_, trial) => {
      model.begin(trial);
      return Array.from({ length: asks }, () => say()).join('');
    });
  }

  test('frozen: the variants of the first trials', () => {
    const turns = [aTurn('a|b'), aTurn('a|b|c'), aTurn('a|b|c|d', { id: 'last' })];
    expect(served(turns).join(' ')).toMatchInlineSnapshot(
      `"aac baa aad bba bca bca acd aab aba bba aac bbb acb aca abc bad aca abd acd aba acb abc acc bcc abd bba bbd baa bac abd aca acb acb bcc bcd bbc aaa acd aab aac bcb acb acc bca bcc acc aab aaa acb abd aac abd acd bbc aaa abc bbb bbd bad aaa bbb bcd bba bad"`,
    );
  });

  test('a turn with an id keeps its draws wherever it stands', () => {
    const named = aTurn('a|b|c', { id: 'choice' });
    const alone = served([named]);
    const behind = served([aTurn('x|y'), named]).map((text) => text.slice(1));
    const first = served([aTurn('x|y')]);
    expect(behind).toEqual(alone);
    expect(served([named, aTurn('x|y')]).map((text) => text.slice(1))).toEqual(first);
  });

  test('all combinations of two turns occur', () => {
    expect(new Set(served([aTurn('a|b|c|d'), aTurn('e|f|g|h')], { words: deriveWords(3, 'x') })).size).toBeGreaterThan(
      13,
    );
  });

  test('each repeat draws anew', () => {
    const texts = served([aTurn('a|b', { repeat: true })], {}, 6);
    expect(new Set(texts).size).toBeGreaterThan(20);
  });

  test('weights decide how often', () => {
    const turn = { repeat: false, variants: [aVariant('a', { weight: 15 }), aVariant('b', { weight: 1 })] };
    const { model, say } = aModel([turn]);
    let rare = 0;
    for (let trial = 0; trial < 16_000; trial++) {
      model.begin(trial);
      if (say() === 'b') rare++;
    }
    expect(Math.abs(rare - 1000)).toBeLessThan(150);
  });

  test('the reference sampler goes by the position in the file and ignores seed and weights', () => {
    const turns = [
      aTurn('0|1|2'),
      { repeat: false, variants: [aVariant('0'), aVariant('1', { weight: 99 }), aVariant('2')] },
    ];
    const texts = served(turns, { sampler: 'reference' }).slice(0, 12);
    expect([texts.map((text) => text[0]).join(' '), texts.map((text) => text[1]).join(' ')]).toEqual([
      '0 1 1 2 2 2 0 0 1 1 1 2',
      '2 2 1 0 2 2 2 1 1 1 0 2',
    ]);
    expect(served(turns, { sampler: 'reference', words: deriveWords(9, 'other') }).slice(0, 12)).toEqual(texts);
  });

  test('the served variant is known by its place in the row of all', () => {
    const { model, ask } = aModel([aTurn('a'), aTurn('b|c|d', { node: 'x' }), aTurn('e')]);
    const row = ['a', 'b', 'c', 'd', 'e'];
    const seen = ['x', 'n', 'n', 'n'].map((node) => [told(ask(node)), row[model.served] ?? null]);
    expect(seen.slice(0, 3).map(([content, at]) => content === at)).toEqual([true, true, true]);
    expect(seen[3]?.[1]).toBe(null);
  });

  test('equal answers are one frozen object', () => {
    const { model, ask } = aModel([
      aTurn('a'),
      aTurn('b', { variants: [aVariant('b', { fault: { type: 'empty', config: {} } })] }),
    ]);
    const asked = () => {
      model.begin(0);
      return [ask(), ask(), ask()];
    };
    const first = asked();
    expect(asked().map((answer, index) => answer === first[index])).toEqual([true, true, true]);
    expect(first.every((answer) => Object.isFrozen(answer) && Object.isFrozen(answer.reply))).toBe(true);
  });
});

describe('faults of turns', () => {
  const faulty = (type: string, config = {}) => [
    { repeat: false, variants: [aVariant('content', { fault: { type, config } })] },
  ];

  test('the fault answers, the turn is used up', () => {
    const { ask, model } = aModel([...faulty('backend_down'), ...faulty('delay', { delayMs: 5 }), aTurn('fine')]);
    expect([ask(), ask(), ask(), model.served]).toEqual([
      {
        reply: {
          kind: 'error',
          category: 'intelligence',
          message: 'connection refused (fault backend_down)',
          denied: false,
        },
        delayUs: 0,
        source: 'fault',
        fault: 'backend_down',
      },
      {
        reply: { kind: 'model', parts: textParts('content'), finish: 'stop', usage: plainUsage(1, 2) },
        delayUs: 5000,
        source: 'fault',
        fault: 'delay',
      },
      {
        reply: { kind: 'model', parts: textParts('fine'), finish: 'stop', usage: plainUsage(1, 2) },
        delayUs: 0,
        source: 'turn',
        fault: null,
      },
      2,
    ]);
  });

  const echo: FaultType = {
    kind: 'fault',
    type: 'echo',
    summary: 'Answers with the backend.',
    create: () => ({
      delayUs: 0,
      apply: (asked, reply) => {
        if (asked.port !== 'model' || asked.backend === 'bad') throw new Error('no such backend');
        return reply.kind === 'model' ? { ...reply, parts: textParts(asked.backend) } : reply;
      },
    }),
  };

  test('a fault that looks at the request sees it, and its own failure breaks the trial', () => {
    const { ask } = aModel([...faulty('echo'), ...faulty('echo')], { faults: new Map([['echo', echo]]) });
    expect([told(ask('n', 'mine')), ask('n', 'bad')]).toEqual([
      'mine',
      {
        reply: { kind: 'broken', message: 'Fault "echo" failed: no such backend' },
        delayUs: 0,
        source: 'none',
        fault: null,
      },
    ]);
  });

  test('a fault that cannot be set up stops the program from being built', () => {
    const slow: FaultType = { ...echo, type: 'slow', create: () => ({ delayUs: 0.5, apply: (_, reply) => reply }) };
    const throws: FaultType = {
      ...echo,
      type: 'throws',
      create: () => {
        throw new Error('bad config');
      },
    };
    const faults = new Map([slow, throws].map((fault) => [fault.type, fault]));
    expect(() => aModel(faulty('gone'), { faults })).toThrow('Turn "turns[0]" names the unknown fault "gone".');
    expect(() => aModel(faulty('slow'), { faults })).toThrow('Fault "slow" of turn "turns[0]" takes 0.5 µs.');
    expect(() => aModel(faulty('throws'), { faults })).toThrow('Fault "throws" of turn "turns[0]" failed: bad config');
  });
});
