import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerCache } from '../../src/host/answer-cache.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passk-answers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const PLACE = {
  words: [1, 2, 3, 4],
  backend: 'default',
  trial: 0,
  walk: '',
  node: 'ask',
  visit: 1,
  attempt: 1,
} as const;

function answered(text: string) {
  return { kind: 'answer', parts: [{ kind: 'text', text }], finish: 'stop', usage: null } as const;
}

/** What a run gets that asks one call for one thing so often; asks anew where it finds nothing. */
async function ask(times: number, anew: (n: number) => string): Promise<readonly unknown[]> {
  const cache = await AnswerCache.open(folder);
  const texts: unknown[] = [];
  for (let n = 0; n < times; n++) {
    const reuse = cache.of(PLACE);
    const hit = await reuse.find('the request');
    const answer = hit ?? answered(anew(n));
    if (hit === null) await reuse.keep(answer);
    texts.push(answer.parts[0]?.kind === 'text' ? answer.parts[0].text : null);
  }
  await cache.close();
  expect(cache.notices()).toEqual([]);
  return texts;
}

test('a call that is made again and again in one trial has as many answers, and finds them in their order', async () => {
  expect(await ask(3, (n) => `first ${n}`)).toEqual(['first 0', 'first 1', 'first 2']);
  expect(await ask(5, (n) => `second ${n}`)).toEqual(['first 0', 'first 1', 'first 2', 'second 3', 'second 4']);
  expect(await ask(5, () => 'third')).toEqual(['first 0', 'first 1', 'first 2', 'second 3', 'second 4']);
});
