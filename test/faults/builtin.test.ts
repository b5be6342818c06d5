import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinFaultSchemas } from '../../src/faults/builtin-schemas.ts';
import { builtinFaults } from '../../src/faults/builtin.ts';
import type { JsonObject } from '../../src/types/json.ts';
import { aReply, aRequest, passesFaultCases } from './fault-cases.ts';
import { textOf } from '../../src/values/message-text.ts';

const configs: Readonly<Record<string, readonly JsonObject[]>> = {
  timeout: [{}, { delayMs: 0 }, { delayMs: 1500 }],
  rate_limited: [{}, { retryAfterMs: 250 }],
  delay: [{}, { delayMs: 20 }],
  truncated: [{}, { chars: 0 }, { chars: 3 }, { fraction: 1 }],
};

describe('shared cases', () => {
  for (const fault of builtinFaults) passesFaultCases(fault, configs[fault.type] ?? [{}]);
});

function apply(type: string, content: string, config: JsonObject = {}): unknown {
  const fault = builtinFaults.find((candidate) => candidate.type === type)?.create(config);
  return { delayUs: fault?.delayUs, reply: fault?.apply(aRequest, aReply(content)) };
}

test('every fault has its schema', () => {
  expect([...builtinFaultSchemas.keys()]).toEqual(builtinFaults.map((fault) => fault.type));
});

test('faults that fail a request bill nothing and say what went wrong', () => {
  const error = (category: string, message: string) => ({ kind: 'error', category, message, denied: false });
  expect([
    apply('backend_down', 'x'),
    apply('timeout', 'x', { delayMs: 1500 }),
    apply('rate_limited', 'x', { retryAfterMs: 250 }),
  ]).toEqual([
    { delayUs: 0, reply: error('intelligence', 'connection refused (fault backend_down)') },
    { delayUs: 1_500_000, reply: error('timeout', '1.5s without an answer (fault timeout)') },
    { delayUs: 0, reply: error('intelligence', '429 Too Many Requests, retry after 250ms (fault rate_limited)') },
  ]);
});

test('faults that change an answer bill it in full', () => {
  const model = (content: string) => ({ ...aReply(content) });
  expect([
    apply('delay', 'abc', { delayMs: 20 }),
    apply('truncated', 'a🎉cd', { chars: 2 }),
    apply('truncated', 'abcde'),
    apply('empty', 'abc'),
    apply('malformed', '{"a":1}'),
  ]).toEqual([
    { delayUs: 20_000, reply: model('abc') },
    { delayUs: 0, reply: model('a🎉') },
    { delayUs: 0, reply: model('ab') },
    { delayUs: 0, reply: model('') },
    { delayUs: 0, reply: model('{malformed: {"a":1}') },
  ]);
});

test('a malformed answer is JSON under no circumstances', () => {
  const malformed = builtinFaults.find((fault) => fault.type === 'malformed')?.create({});
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constantFrom('}', '1}', '"}', '":1}')), (content) => {
      const reply = malformed?.apply(aRequest, aReply(content));
      expect(() => JSON.parse(reply?.kind === 'model' ? textOf(reply.parts) : '{}')).toThrow();
    }),
  );
});
