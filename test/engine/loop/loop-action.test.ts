import { expect, test } from 'vitest';
import { readLoopAction } from '../../../src/engine/loop/loop-action.ts';

test.each([
  ['{"action":"tool","tool":"find"}', {}],
  ['{"action":"tool","tool":"find","args":null}', null],
  ['{"action":"tool","tool":"find","args":{"id":1234567890123456789}}', { id: 1_234_567_890_123_456_789n }],
])('arguments are those that the model wrote, and an empty table where it wrote none: %s', (reply, args) => {
  expect(readLoopAction(reply)).toEqual({ kind: 'tool', tool: 'find', args });
});
