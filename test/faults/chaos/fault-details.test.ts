import { expect, test } from 'vitest';
import { faultDetails } from '../../../src/faults/chaos/fault-details.ts';
import { aChaos, anAttack, anLlmFault, aToolFault } from './a-chaos.ts';

test('each declared fault says in words what it does, and when', () => {
  const chaos = aChaos({
    toolFaults: [
      aToolFault({ mode: 'error' }),
      aToolFault({ mode: 'slow', probability: 0.3, afterCalls: 2 }),
      aToolFault({ mode: 'timeout' }),
      aToolFault({ mode: 'malformed' }),
      aToolFault({ mode: 'malicious_response', payload: 'x'.repeat(90) }),
    ],
    llmFaults: [
      anLlmFault({ mode: 'truncated_response', maxTokens: 20 }),
      anLlmFault({ mode: 'timeout' }),
      anLlmFault({ mode: 'rate_limit', probability: 0.005 }),
      anLlmFault({ mode: 'response_drift' }),
      anLlmFault({ mode: 'response_drift', driftType: 'verbosity_shift' }),
    ],
    contextAttacks: [
      anAttack({ type: 'memory_poisoning', payloads: ['One.', 'Two.', 'Three.'], strategy: 'prepend', injectAt: 2 }),
      anAttack({ type: 'overflow', injectTokens: 500 }),
      anAttack({ type: 'indirect_injection', strategy: 'replace', probability: 0.3 }),
    ],
  });
  expect(faultDetails(chaos)).toEqual([
    '503 Service Unavailable',
    '2000 ms late, 30 % of calls, from call 3 on',
    'after 2000 ms',
    '',
    `"${'x'.repeat(80)}…"`,
    '20 words',
    'after 4000 ms',
    '0.5 % of calls',
    'subtle',
    'expand by 2',
    '"One." or 2 more, prepend, call 2 only',
    '500 words',
    '"POISON", 30 % of calls',
  ]);
});
