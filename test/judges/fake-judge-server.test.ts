import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTunnel } from '../../src/judges/tunnel/judge-tunnel.ts';
import { type FakeJudgeServer, startFakeJudge } from '../../src/suite/judges/fake-judge-server.ts';
import { servedTunnel } from '../../src/suite/judges/served-tunnel.ts';

let server: FakeJudgeServer;
beforeAll(async () => {
  server = await startFakeJudge({ seed: 1 });
});
afterAll(() => server.close());

const says = (content: unknown, role = 'user') => ({ role, content });
/** Two answers of which the first is better, or as a list of parts. */
const PAIR = [says('Which is better? [[quality=1]] or [[quality=0]]?')];

function post(body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${server.url}/chat/completions`, { method: 'POST', body: text });
}

async function contentOf(model: string, messages: readonly unknown[] = PAIR): Promise<string> {
  const { choices } = (await (await post({ model, messages })).json()) as {
    readonly choices: readonly { readonly message: { readonly content: string } }[];
  };
  return choices[0]?.message.content ?? '';
}

describe('the tunnel over HTTP', () => {
  test('gives the figures of the embedded one, to the last digit, with what goes wrong on the way asked again', async () => {
    const options = { pairs: 4, trials: 1, seed: 5 };
    const served = await servedTunnel({ ...options, faults: { limited: 0.005, failing: 0.005 } });
    const embedded = judgeTunnel(options);
    expect(served.isServed).toBe(true);
    expect({ ...served, isServed: false }).toEqual(embedded);
  });

  test('tells a protocol without swap from one with it, as the embedded one does at 2,000 pairs', async () => {
    const options = { pairs: 300, bias: { position: 1 }, protocols: ['plain', 'swap'] };
    const { protocols } = await servedTunnel(options);
    expect(protocols).toEqual(judgeTunnel({ ...options, trials: 1 }).protocols);
    const [plain, swapped] = protocols;
    expect(Math.abs((plain?.winRate ?? 0) - 0.731)).toBeLessThan(0.06);
    expect(Math.abs((swapped?.ties ?? 0) / 300 - 0.6068)).toBeLessThan(0.06);
    expect([plain?.recovers, swapped?.recovers]).toEqual([false, true]);
  });

  test('counts answers that never come whole as errors, and asks no more than anybody waits for', async () => {
    const bias = { position: 1 };
    const { protocols } = await servedTunnel({ pairs: 10, bias, protocols: ['plain'], faults: { malformed: 1 } });
    expect(protocols).toMatchObject([{ errors: 10, winRate: null }]);
    await expect(servedTunnel({ pairs: 100_000 })).rejects.toThrow('a server is asked 200000 at most');
  });
});

describe('a fake judge for code of one’s own', () => {
  test('judges what it is shown, whole or streamed, with the same answer to the same question', async () => {
    const messages = [says('You judge.', 'system'), ...PAIR];
    const whole = (await (await post({ model: 'skill=20', messages })).json()) as Record<string, unknown>;
    const content = '{"reason":"It is better.","verdict":"A"}';
    expect(whole).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      model: 'skill=20',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 15, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 0 } },
    });
    const response = await post({
      model: 'skill=20',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)));
    const deltas = chunks.map(({ choices }) => choices[0]?.delta.content ?? '');
    expect(deltas.join('')).toBe(content);
    expect(chunks.at(-1)).toMatchObject({ id: whole['id'], choices: [], usage: whole['usage'] });
  });

  test('has the biases that its model names', async () => {
    const turned = [says([{ type: 'text', text: '[[quality=0]]' }]), says('[[quality=1]]')];
    expect(await contentOf('skill=20', turned)).toContain('"verdict":"B"');
    expect(await contentOf('position=20', turned)).toContain('"verdict":"A"');
    const styled = [says('[[styled=1]] [[kin=1 length=2]]')];
    expect(await contentOf('style=20', styled)).toContain('"verdict":"A"');
    expect(await contentOf('family=20', styled)).toContain('"verdict":"B"');
    expect(await contentOf('length=20', styled)).toContain('"verdict":"B"');
    expect(await contentOf('fair', [says('[[good=1]]')])).toBe('{"met":true}');
    expect(await contentOf('sensitivity=0', [says('[[good=1]]')])).toBe('{"met":false}');
    expect(await contentOf('specificity=0', [says('nothing of note')])).toBe('{"met":true}');
  });

  test('answers in forms that are no plain verdict, as often as its model says', async () => {
    expect(await contentOf('fenced=1')).toMatch(/^```json\n\{.*\}\n```$/);
    expect(await contentOf('prose=1')).toContain('My verdict:\n{');
    expect(await contentOf('empty=1')).toBe('[]');
    expect(await contentOf('contradictory=1')).toMatch(/"A".*"B"|"B".*"A"/s);
    expect((await contentOf('huge=1')).length).toBeGreaterThan(1_000_000);
    const truncated = (await (await post({ model: 'truncated=1', messages: PAIR })).json()) as never;
    expect(truncated).toMatchObject({ choices: [{ finish_reason: 'length' }] });
  });

  test('is too busy, breaks or ends in the middle, as often as its model says', async () => {
    expect((await post({ model: 'limited=1', messages: PAIR })).status).toBe(429);
    expect((await post({ model: 'failing=1', messages: PAIR })).status).toBe(500);
    for (const stream of [false, true]) {
      const malformed = await post({ model: 'malformed=1', messages: PAIR, stream });
      expect(await malformed.text()).toContain('{"choices":[{]}');
      await expect((await post({ model: 'cut=1', messages: PAIR, stream })).text()).rejects.toThrow();
    }
  });

  test.each([
    ['{', 400, 'The request is no JSON.'],
    ['[]', 400, 'The request is no JSON object.'],
    [{ messages: PAIR }, 400, '`model` must be a text.'],
    [{ model: 'fair', messages: [] }, 400, '`messages` must be a list that is not empty.'],
    [{ model: 'fair', messages: [{}] }, 400, 'A message has no `content`.'],
    [{ model: 'positon=1', messages: PAIR }, 404, '"positon" is no fault of a judge.'],
    [{ model: 'limited=2', messages: PAIR }, 404, '"limited" must be a number from 0 to 1, not 2.'],
    [{ model: 'position=', messages: PAIR }, 404, '"position" must be a number from -20 to 20, not NaN.'],
  ])('%j is refused', async (body, status, message) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message } });
  });

  test('lists its model, counts what it was asked, and has no other address', async () => {
    expect(await (await fetch(`${server.url}/models`)).json()).toMatchObject({ data: [{ id: 'fair' }] });
    expect((await fetch(`${server.url}/completions`, { method: 'POST' })).status).toBe(404);
    const before = server.asked();
    await contentOf('fair');
    expect(server.asked()).toBe(before + 1);
    const port = Number(new URL(server.url).port);
    await expect(startFakeJudge({ port })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
