import { describe, expect, it } from 'vitest';
import { helicone } from '../../../src/importers/helicone/helicone.ts';
import type { ImportedRun } from '../../../src/plugin/importer-type.ts';
import { importAll, sourceOf } from '../import-all.ts';
import { heliconeSession } from '../sources/helicone.ts';
import { jsonLines } from '../sources/langsmith.ts';

function imported(text: string, options: Readonly<Record<string, string>> = {}) {
  const source = sourceOf({ 'requests.jsonl': text });
  expect(helicone.detects(source, options)).toBe(true);
  return importAll(helicone, source, options);
}

function onlyRun(records: readonly object[], options: Readonly<Record<string, string>> = {}): ImportedRun {
  const { sets, broken } = imported(jsonLines(records), options);
  const runs = Object.values(sets).flat();
  expect([broken, runs.length]).toEqual([[], 1]);
  return runs[0] as ImportedRun;
}

/** A request that is in no session, answered by Anthropic. */
function single(more: object = {}): object {
  return {
    request_id: 'r1',
    response_id: 'a1',
    request_created_at: '2026-03-01T10:00:00Z',
    delay_ms: 1500,
    response_status: 200,
    request_path: '/v1/messages',
    request_body: { model: 'claude', system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] },
    response_body: {
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 90 },
    },
    prompt_tokens: 10,
    completion_tokens: 2,
    response_model: 'claude',
    costUSD: 0.0001,
    properties: { Case: 'greeting' },
    ...more,
  };
}

describe('helicone', () => {
  it('makes a run of each session: the last verdict, the conversation, calls, tokens and price', () => {
    const run = onlyRun(heliconeSession(1));
    expect(run).toMatchObject({
      task: 'How warm is it in city 1?',
      id: 'session 1',
      scores: [
        { name: 'correct', value: true },
        { name: 'quality', value: 80 },
      ],
      durationMs: 4000,
      calls: [{ name: 'weather', args: { city: 'Rome' }, result: { degrees: 21 } }],
      costs: [
        { name: 'gpt-4o', usd: 0.001, usage: { promptTokens: 100, completionTokens: 10 } },
        { name: 'gpt-4o', usd: 0.002, usage: { promptTokens: 130, completionTokens: 5, cachedTokens: 100 } },
      ],
      unsaid: {},
    });
    expect(run.messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('makes a run of each request that is in no session', () => {
    expect(onlyRun([single({ feedback_rating: false })])).toMatchObject({
      task: 'greeting',
      id: 'r1',
      scores: [{ name: 'feedback', value: false }],
      durationMs: 1500,
      messages: [
        { role: 'system', parts: [{ text: 'Be brief.' }] },
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'assistant', parts: [{ text: 'Hello' }], model: 'claude', finish: 'stop' },
      ],
      costs: [{ usage: { promptTokens: 100, completionTokens: 2, cachedTokens: 90 }, usd: 0.0001 }],
    });
    const { sets } = imported(jsonLines([single(), single({ request_id: 'r2', properties: null })]));
    expect(sets['']?.map(({ task }) => task)).toEqual(['greeting', 'Hi']);
  });

  it('reads the same from lists, pages and lines in any order, and of requests that are there twice', () => {
    const requests = [...heliconeSession(1), ...heliconeSession(2)];
    const expected = imported(jsonLines(requests)).sets;
    const texts = [
      JSON.stringify(requests, null, 2),
      JSON.stringify({ data: requests, error: null }),
      jsonLines(requests.toReversed()),
      jsonLines([...requests, ...requests]),
    ];
    for (const text of texts) {
      const { sets, broken, problems } = imported(text);
      expect([broken, problems]).toEqual([[], []]);
      expect({ '': sets['']?.toSorted((a, b) => (a.task < b.task ? -1 : 1)) }).toEqual(expected);
    }
  });

  it('reads lists that end with a comma, as the exporter writes them, and says so', () => {
    const text = `[\n${heliconeSession(1)
      .map((request) => `${JSON.stringify(request, null, 2)},\n`)
      .join('')}]\n`;
    const { sets, problems } = imported(text);
    expect(sets['']).toHaveLength(1);
    expect(problems).toMatchObject([{ message: 'A value is missing.', at: text.length - 2 }]);
  });

  it('takes the tokens of Helicone where the answer tells none; the cache stands beside them', () => {
    const counted = {
      response_body: {},
      prompt_tokens: 10,
      prompt_cache_read_tokens: 80,
      prompt_cache_write_tokens: 10,
    };
    expect(onlyRun([single(counted)]).costs).toMatchObject([
      { usage: { promptTokens: 100, completionTokens: 2, cachedTokens: 80, cacheWriteTokens: 10 } },
    ]);
    const whole = { ...counted, prompt_tokens: 100, total_tokens: 102 };
    expect(onlyRun([single(whole)]).costs).toMatchObject([{ usage: { promptTokens: 100 } }]);
  });

  it('takes a session for an error whose last request failed, and no other', () => {
    const failed = { response_status: 429, response_body: { error: { message: 'Slow down.' } }, scores: null };
    const run = onlyRun(heliconeSession(1, failed));
    expect(run.error).toBe('The server answered with status 429: Slow down.');
    expect(run.unsaid).toEqual({ scores: 'it has neither scores nor feedback' });
    const [first, ...others] = heliconeSession(1);
    const retried = [
      { ...first, ...failed, request_id: 'first', completion_tokens: null, prompt_tokens: null },
      first,
      ...others,
    ];
    expect(onlyRun(retried.filter((one) => one !== undefined)).error).toBeUndefined();
    expect(onlyRun([single({ response_status: -3 })]).error).toBe(
      'It was not answered: Helicone has status -3 for it.',
    );
  });

  it('says that bodies were not exported', () => {
    const { request_body: _, response_body: __, ...bare } = single() as Readonly<Record<string, unknown>>;
    const run = onlyRun([bare]);
    expect(run).toMatchObject({ task: 'greeting', costs: [{ usage: { promptTokens: 10 } }] });
    expect(run.unsaid).toMatchObject({ messages: 'the bodies of requests and answers were not exported' });
  });

  it('costs a broken request itself', () => {
    const text = `${jsonLines([single()])}\n{"request_id":"r9","response_status":200,"request_body":{"model\n${jsonLines([single({ request_id: 'r2' })])}`;
    const { sets, broken } = imported(text);
    expect(sets['']).toHaveLength(2);
    expect(broken).toEqual([expect.stringMatching(/^It is not JSON/)]);
  });

  it('finds tasks and sets where `--map` says', () => {
    const text = jsonLines([single({ properties: { Ticket: 7, Release: 'v2' } })]);
    const { sets } = imported(text, { task: 'properties.Ticket', set: 'properties.Release' });
    expect(sets).toMatchObject({ v2: [{ task: '7' }] });
  });
});
