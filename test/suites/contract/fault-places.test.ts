import { expect, test } from 'vitest';
import { faultPlaces } from '../../../src/suites/contract/fault-places.ts';
import { aChaos, anAttack, anLlmFault, aToolFault } from '../../faults/chaos/a-chaos.ts';
import { anHttpAgent } from '../../suite/an-agent.ts';

const CHAOS = aChaos({
  toolFaults: [aToolFault({ mode: 'error' })],
  llmFaults: [anLlmFault({ mode: 'empty' })],
  contextAttacks: [
    anAttack({ type: 'memory_poisoning' }),
    anAttack({ type: 'indirect_injection' }),
    anAttack({ type: 'injection_via_context' }),
  ],
});
const agent = anHttpAgent('http://127.0.0.1:1/ask');
const proxy = { port: 0, upstream: null, tools: {} };
const command = { kind: 'command', command: ['./agent'] } as const;

test.each([
  [
    'a workflow',
    { kind: 'workflow' },
    [
      'calls of tools',
      'model requests',
      'prompts of model requests',
      'results of tools',
      'files, resources and results of GET',
    ],
  ],
  ['an HTTP agent', { kind: 'agent', agent }, ['the request to it', 'its answer', 'its input', null, null]],
  ['a program', { kind: 'agent', agent: { ...agent, target: command } }, [null, 'its answer', 'its input', null, null]],
  [
    'an agent behind the proxy',
    { kind: 'agent', agent: { ...agent, proxy } },
    [
      'its calls of tools, at the proxy',
      'its model calls, at the proxy',
      'its input, and its model calls at the proxy',
      'results of its tools, at the proxy',
      'instructions of its model calls, at the proxy',
    ],
  ],
] as const)('a column says where its faults can strike %s', (_, subject, places) => {
  expect(faultPlaces(CHAOS, subject)).toEqual(places);
});
