import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  runOfSpans as runOfTree,
  type ToldBySpans,
  type TraceFacts,
} from '../../../src/importers/spans/run-of-spans.ts';
import type { Span } from '../../../src/importers/spans/span.ts';
import { spanTree } from '../../../src/importers/spans/span-tree.ts';
import type { ImportedMessage, ImportedUsage } from '../../../src/plugin/importer-type.ts';
import type { Role } from '../../../src/types/message.ts';

function span(id: string, parent: string | null, more: Partial<Span> = {}): Span {
  const begin = Number(id.replace(/\D/g, ''));
  return { id, parent, kind: 'step', name: id, begin, end: begin + 1, error: null, ...more };
}

function said(role: Role, text: string): ImportedMessage {
  return { role, parts: [{ kind: 'text', text }] };
}

function textsOf(messages: readonly ImportedMessage[] | undefined): readonly string[] {
  return (messages ?? []).map(
    ({ role, parts: [part] }) => `${role[0]}: ${part?.kind === 'text' ? part.text : part?.kind}`,
  );
}

function model(id: string, parent: string | null, usage?: ImportedUsage, more: Partial<Span> = {}): Span {
  return span(id, parent, { kind: 'model', model: 'm', ...(usage !== undefined && { usage }), ...more });
}

function runOfSpans(spans: readonly Span[], facts: TraceFacts = {}): ToldBySpans {
  return runOfTree(spanTree(spans), facts);
}

const FIVE = { promptTokens: 4, completionTokens: 1 };

describe('span trees', () => {
  it('of any spans hold each once, before its parts, whatever names what as its parent, in any order', () => {
    const spans = fc
      .uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 })
      .chain((ids) =>
        fc.tuple(...ids.map((id) => fc.option(fc.integer({ min: 1, max: 40 })).map((parent) => [id, parent] as const))),
      );
    fc.assert(
      fc.property(spans, fc.infiniteStream(fc.integer()), (edges, keys) => {
        const all = edges.map(([id, parent]) => span(`s${id}`, parent === null ? null : `s${parent}`));
        const { nodes, tops, circles, orphans } = spanTree(all);
        expect(nodes.map((node) => node.span.id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
        for (const [at, { parent }] of nodes.entries()) {
          expect(parent === null || nodes.indexOf(parent) < at).toBe(true);
        }
        const named = all.filter(({ parent }) => parent === null).length;
        expect(tops.length).toBe(named + orphans + circles);
        if (circles > 0) return;
        const order = new Map(all.map((one) => [one, keys.next().value ?? 0]));
        const shuffled = all.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
        expect(spanTree(shuffled).nodes.map((node) => node.span.id)).toEqual(nodes.map((node) => node.span.id));
      }),
    );
  });

  it('may be as deep and as wide as a file has room for', () => {
    const deep = Array.from({ length: 100_000 }, (_, at) => model(`s${at}`, at === 0 ? null : `s${at - 1}`, FIVE));
    expect(runOfSpans(deep, {}).costs).toHaveLength(1);
    const wide = Array.from({ length: 200_000 }, (_, at) => span(`s${at}`, at === 0 ? null : 's0'));
    expect(spanTree(wide).nodes).toHaveLength(200_000);
  });
});

describe('runs of spans', () => {
  it('tell once what every call of a model repeats, and another conversation from its beginning', () => {
    const [hi, hello, more, fine] = [
      said('user', 'Hi'),
      said('assistant', 'Hello'),
      said('user', 'Hi'),
      said('assistant', 'Fine'),
    ];
    const { messages } = runOfSpans(
      [
        model('s1', null, FIVE, { asked: [hi], answered: [hello] }),
        model('s2', null, FIVE, {
          asked: [said('system', 'Judge'), said('user', 'Is it good?')],
          answered: [said('assistant', 'Yes')],
        }),
        // What was said twice is said twice; what was forgotten to save room is missing from the history.
        model('s3', null, FIVE, { asked: [hi, hello, more], answered: [fine] }),
        model('s4', null, FIVE, { asked: [fine, said('user', 'Bye')], answered: [] }),
      ],
      {},
    );
    expect(textsOf(messages)).toEqual([
      'u: Hi',
      'a: Hello',
      's: Judge',
      'u: Is it good?',
      'a: Yes',
      'u: Hi',
      'a: Fine',
      'u: Bye',
    ]);
  });

  it('name the tool of a result that names its call alone', () => {
    const call: ImportedMessage = { role: 'assistant', parts: [{ kind: 'tool_call', id: 'c', name: 'add', args: {} }] };
    const result: ImportedMessage = { role: 'tool', parts: [{ kind: 'tool_result', id: 'c', name: '', result: 2 }] };
    const { messages } = runOfSpans(
      [model('s1', null, FIVE, { answered: [call] }), model('s2', null, FIVE, { asked: [result] })],
      {},
    );
    expect(messages?.[1]?.parts).toEqual([{ kind: 'tool_result', id: 'c', name: 'add', result: 2 }]);
  });

  it('count calls within calls once: the inner ones where they tell as much', () => {
    const tokens = (...spans: readonly Span[]) => runOfSpans(spans, {}).costs?.map(({ usage, usd }) => [usage, usd]);
    expect(tokens(model('s1', null, FIVE), span('s2', 's1'), model('s3', 's2', FIVE))).toEqual([[FIVE, undefined]]);
    const both = { promptTokens: 8, completionTokens: 2 };
    expect(tokens(model('s1', null, both), model('s2', 's1', FIVE), model('s3', 's1', FIVE))).toHaveLength(2);
    expect(tokens(model('s1', null, both), model('s2', 's1', FIVE), model('s3', 's1'))).toEqual([[both, undefined]]);
    expect(tokens(model('s1', null, FIVE, { usd: 0.5 }), model('s2', 's1', FIVE))).toEqual([[FIVE, 0.5]]);
  });

  it('take what a span that is no call tells for the sum of all below it', () => {
    const costs = (...spans: readonly Span[]) => {
      const { costs: lines = [], unsaid } = runOfSpans(spans);
      return [lines.map(({ units, usage }) => [units, usage]), unsaid];
    };
    const agent = (usage: ImportedUsage) => span('s1', null, { kind: 'agent', usage });
    const ten = { promptTokens: 8, completionTokens: 2 };
    // Calls that tell nothing are in a sum that is no less than what the others tell.
    expect(costs(agent(FIVE), model('s2', 's1', FIVE), model('s3', 's1'))).toEqual([[[1, FIVE]], {}]);
    expect(costs(agent(FIVE), model('s2', 's1'))).toEqual([[[undefined, FIVE]], {}]);
    expect(costs(agent(ten), model('s2', 's1', FIVE))).toEqual([
      [
        [1, FIVE],
        [undefined, FIVE],
      ],
      { usage: 'span "s1" says 10 tokens, the spans below it come to 5, so calls are missing, which are counted' },
    ]);
    expect(costs(agent(FIVE), model('s2', 's1', ten), model('s3', 's1'))).toEqual([
      [
        [1, ten],
        [1, {}],
      ],
      { usage: '1 of 2 calls of models do not tell their tokens' },
    ]);
  });

  it('count what a tool or an agent asked apart from the call that it stands in, and leave it out of what was said', () => {
    const { costs, messages } = runOfSpans([
      model('s1', null, FIVE, { asked: [said('user', 'Hi')], answered: [said('assistant', 'Hello')] }),
      span('s2', 's1', { kind: 'tool', usd: 2 }),
      model('s3', 's2', { promptTokens: 2, completionTokens: 0 }, { asked: [said('user', 'Look')] }),
    ]);
    expect(costs?.map(({ kind, usage, usd }) => [kind, usage?.promptTokens, usd])).toEqual([
      ['model', 4, undefined],
      ['tool', undefined, 2],
      ['model', 2, undefined],
    ]);
    expect(textsOf(messages)).toEqual(['u: Hi', 'a: Hello']);
    const alone = runOfSpans([
      span('s1', null, { kind: 'tool' }),
      model('s2', 's1', FIVE, { asked: [said('user', 'Look')] }),
    ]);
    expect(textsOf(alone.messages)).toEqual(['u: Look']);
  });

  it('leave tokens unknown where a call does not tell them, and failed calls aside', () => {
    const { costs, unsaid } = runOfSpans([model('s1', null, FIVE), model('s2', null)], {});
    expect(costs?.map(({ usage }) => usage)).toEqual([FIVE, {}]);
    expect(unsaid).toEqual({ usage: '1 of 2 calls of models do not tell their tokens' });
    const failed = model('s2', null, undefined, { error: '503' });
    const told = runOfSpans([model('s1', null, FIVE), failed], {});
    expect([told.costs?.length, told.unsaid]).toEqual([1, {}]);
    expect(told.messages).toMatchObject([{ role: 'assistant', parts: [], problem: '503' }]);
    const lost = runOfSpans([model('s1', null, FIVE)], { lost: ['It is not JSON.'] });
    expect(lost.costs?.map(({ usage }) => usage)).toEqual([FIVE, {}]);
  });

  it('take totals where they say more, and say so', () => {
    const usage = { promptTokens: 40, completionTokens: 1 };
    const { costs, unsaid } = runOfSpans([model('s1', null, FIVE, { usd: 1 })], { totals: { usage, usd: 1 } });
    // How many calls are missing nobody knows.
    expect(costs).toEqual([{ kind: 'model', name: 'm', usage, usd: 1 }]);
    expect(unsaid['usage']).toBe(
      'the source counts 41 tokens in all, its calls of models come to 5 tokens; the first is used: calls are missing',
    );
    const less = runOfSpans([model('s1', null, FIVE)], { totals: { usage: { promptTokens: 1, completionTokens: 1 } } });
    expect(less.costs).toMatchObject([{ usage: FIVE }]);
    expect(less.unsaid['usage']).toMatch(/the second is used$/);
  });

  it('keep judges out of what the subject said, did and took', () => {
    const { messages, calls, costs } = runOfSpans(
      [
        model('s1', null, FIVE, { asked: [said('user', 'Hi')], answered: [said('assistant', 'Hello')] }),
        span('s2', null, { kind: 'judge' }),
        model('s3', 's2', FIVE, { asked: [said('user', 'Is it good?')], answered: [said('assistant', 'Yes')] }),
        span('s4', 's3', { kind: 'tool' }),
      ],
      {},
    );
    expect([textsOf(messages), calls]).toEqual([['u: Hi', 'a: Hello'], undefined]);
    expect(costs?.map(({ kind }) => kind)).toEqual(['model', 'judge']);
  });

  it('call a tool once that two traced, and name the agent within an agent that called', () => {
    const { calls } = runOfSpans(
      [
        span('s1', null, { kind: 'agent', name: 'boss' }),
        span('s2', 's1', { kind: 'tool', name: 'ask', args: { of: 'clerk' } }),
        span('s3', 's2', { kind: 'agent', name: 'clerk' }),
        span('s4', 's3', { kind: 'tool', name: 'look', args: { at: 1 }, result: 2 }),
        span('s5', 's4', { kind: 'tool', name: 'look', args: { at: 1 } }),
        span('s6', 's3', { kind: 'tool', name: 'look', args: { at: 2 }, error: 'gone' }),
      ],
      {},
    );
    expect(calls).toEqual([
      { name: 'ask', args: { of: 'clerk' } },
      { name: 'look', by: 'clerk', args: { at: 1 }, result: 2 },
      { name: 'look', by: 'clerk', args: { at: 2 }, problem: 'gone' },
    ]);
  });
});
