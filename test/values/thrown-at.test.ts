import { expect, test } from 'vitest';
import { thrownAt, thrownIn } from '../../src/values/thrown-at.ts';

function withStack(...frames: readonly string[]): Error {
  const error = new Error('no');
  error.stack = ['Error: no', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const HERE = withStack('call (file:///passk/dist/bin/index.js:9:1)');

test.each<[string, unknown, string | null]>([
  [
    'its own first frame',
    withStack('ask (file:///home/me/agent.mjs:12:5)', 'file:///home/me/b.mjs:1:1'),
    'agent.mjs:12:5',
  ],
  ['a frame without a function', withStack('/home/me/agent.cjs:3:4'), 'agent.cjs:3:4'],
  ['a frame on Windows', withStack('async ask (C:\\me\\agent.mjs:3:4)'), 'agent.mjs:3:4'],
  [
    'what called an installed package',
    withStack('post (file:///home/me/node_modules/openai/index.mjs:1:2)', 'async ask (file:///home/me/agent.mjs:7:3)'),
    'agent.mjs:7:3',
  ],
  [
    'nothing of passk',
    withStack('node:internal/deps/undici:1:2', 'async call (file:///passk/dist/bin/index.js:8:2)'),
    null,
  ],
  ['nothing where no error was thrown', 7, null],
])('the place of what was thrown is %s', (_, error, place) => {
  expect(thrownAt(error, HERE)).toBe(place);
});

test('an error whose stack cannot be read has no place', () => {
  const error = new Error('no');
  Object.defineProperty(error, 'stack', {
    get: () => {
      throw new Error('never');
    },
  });
  expect(thrownAt(error, HERE)).toBeNull();
});

test('the place in one module is its own first frame, whatever it called', () => {
  const error = withStack('pay (file:///home/me/till.mjs:1:1)', 'async ask (file:///home/me/agent.mjs:7:3)');
  expect(thrownIn(error, 'file:///home/me/agent.mjs')).toBe('agent.mjs:7:3');
  expect(thrownIn(error, 'file:///home/me/other.mjs')).toBeNull();
});
