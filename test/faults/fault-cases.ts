import { expect, test } from 'vitest';
import type { FaultType } from '../../src/plugin/fault-type.ts';
import type { ModelReply, ModelRequest, Reply } from '../../src/plugin/request.ts';
import type { JsonObject } from '../../src/types/json.ts';
import { plainUsage, textMessage, textParts } from '../../src/values/message-text.ts';

export const aRequest: ModelRequest = Object.freeze({
  port: 'model',
  backend: 'default',
  messages: Object.freeze([Object.freeze(textMessage('user', 'question'))]),
  maxTokens: null,
  repair: false,
});

const otherRequest: ModelRequest = Object.freeze({ ...aRequest, backend: 'other', messages: [], repair: true });

export function aReply(content: string): ModelReply {
  return Object.freeze({ kind: 'model', parts: textParts(content), finish: 'stop', usage: plainUsage(7, 3) });
}

const replies: readonly Reply[] = [
  aReply('{"a": 1}'),
  aReply(''),
  aReply('🎉 prose'),
  Object.freeze({ kind: 'error', category: 'intelligence', message: 'down', denied: false }),
];

/** The cases that every fault passes, with any configuration. */
export function passesFaultCases(faultType: FaultType, configs: readonly JsonObject[]): void {
  test.each(configs)(`${faultType.type} %j keeps the promises of every fault`, (config) => {
    const fault = faultType.create(Object.freeze(config));
    const again = faultType.create(config);
    expect(faultType.type).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(faultType.summary).toMatch(/\.$/);
    expect(Number.isSafeInteger(fault.delayUs) && fault.delayUs >= 0).toBe(true);
    for (const reply of replies) {
      const before = structuredClone(reply);
      const first = fault.apply(aRequest, reply);
      expect(reply).toEqual(before);
      expect([fault.apply(aRequest, reply), again.apply(aRequest, reply)]).toEqual([first, first]);
      if (fault.ignoresRequest) expect(fault.apply(otherRequest, reply)).toEqual(first);
      expect(['model', 'error']).toContain(first.kind);
      if (first.kind === 'error') expect([first.denied, first.message.length > 0]).toEqual([false, true]);
    }
  });
}
