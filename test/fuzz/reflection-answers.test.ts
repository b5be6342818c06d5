import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Asking } from '../../src/runners/asking.ts';
import { judgeProblem } from '../../src/runners/judge-problem.ts';
import { readStream, readDocument } from '../../src/runners/reflection/read-reply.ts';
import type { ModelAnswer } from '../../src/types/model-test.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBytes, mutatedTexts } from './mutations.ts';

const LONG = 24 * 3_600_000;
const carrier = { status: 200, headers: {} };
const RESULT = '{"result":{"message":{"role":"model","content":[{"text":"Grüße"}]}},"telemetry":{"traceId":"t"}}';
const SOUND = [
  RESULT,
  `{"content":[{"text":"Grü"}]}\n{"content":[{"text":"ße 😀"}]}\n${RESULT}`,
  '{"content":[{"text":"a"}]}\n{"error":{"code":13,"message":"boom","details":{"stack":"Error"}}}',
  '{"code":400,"message":"no such field","details":null}',
  '{"error":"Action not found: /model/x"}',
].map((text) => Buffer.from(text));
const cuts = fc.array(fc.nat(200), { maxLength: 8 });

/** What a server that sends these bytes is understood to say, without the times. */
async function understood(bytes: Uint8Array, at: readonly number[], stream: boolean) {
  async function* body(): AsyncGenerator<Buffer> {
    let from = 0;
    for (const cut of [...at, bytes.length].sort((one, other) => one - other)) {
      if (cut <= from || cut > bytes.length) continue;
      yield Buffer.from(bytes.subarray(from, cut));
      from = cut;
    }
  }
  const question = { model: 'm', input: {}, stream, validators: [], timeoutMs: 1000 };
  const answer = await (stream ? readStream : readDocument)(new Asking(question), body(), carrier);
  return answer === null ? null : withoutTimes(answer);
}

function withoutTimes({ latencyMs: _, chunks, ...answer }: ModelAnswer) {
  return { ...answer, chunks: chunks?.map(({ chunk }) => chunk) ?? null };
}

test('any reply of a reflection server is an answer or a problem, the same wherever the network cuts it', {
  timeout: LONG,
}, async () => {
  const inputs = fc.tuple(fc.oneof(mutatedBytes(SOUND), fc.uint8Array({ maxLength: 200 })), cuts, fc.boolean());
  await fuzz('reflection replies', inputs, 3000, async ([bytes, at, stream]) => {
    const answer = await understood(bytes, at, stream);
    expect(answer).toEqual(await understood(bytes, [], stream));
    expect(['answer', 'problem']).toContain(answer?.kind);
    expect(Array.isArray(answer?.chunks)).toBe(stream);
  });
});

test('any refusal of a model is judged, and waits for no negative time', { timeout: LONG }, async () => {
  const messages = mutatedTexts([
    '[503 Service Unavailable] {"retryDelay":"3.5s"}',
    'RESOURCE_EXHAUSTED: retry in 2 minutes',
  ]);
  const codes = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constantFrom(8, 14, '429', 'UNAVAILABLE'));
  await fuzz('refusals of models', fc.tuple(messages, codes), 3000, ([{ text }, code]) => {
    const judged = judgeProblem({ message: text, code }, 0);
    expect(typeof judged.transient).toBe('boolean');
    expect(judged.retryAfterMs === null || (judged.retryAfterMs >= 0 && Number.isFinite(judged.retryAfterMs))).toBe(
      true,
    );
  });
});
