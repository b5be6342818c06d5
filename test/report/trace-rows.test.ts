import { expect, test } from 'vitest';
import { inWalkOrder } from '../../src/report/trace-rows.ts';
import type { TraceEvent } from '../../src/types/trace.ts';

function at(walk: string, node: string): TraceEvent {
  return { kind: 'edge', walk, node, visit: 1, attempt: 1, atUs: 0, to: 'x', when: null };
}

test('children that ran at the same time are read one after the other, each in its own order', () => {
  const events = [
    at('', 'a'),
    at('m[0]', 'b'),
    at('m[1]', 'c'),
    at('m[1]/n[0]', 'd'),
    at('m[0]', 'e'),
    at('m[1]/n[1]', 'f'),
    at('m[1]/n[0]', 'g'),
    at('m[1]', 'h'),
    at('', 'i'),
    at('m[0]', 'j'),
  ];
  const nodes = inWalkOrder(events).map((event) => ('node' in event ? event.node : ''));
  expect(nodes.join('')).toBe('abecdgfhij');
});
