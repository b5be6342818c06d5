import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalPath } from '../../src/policy/canonical-path.ts';

test('gives each path one name', () => {
  const names = Object.fromEntries(
    [
      '/a/b',
      '/a//b/',
      '/a/./b/../c',
      '/../../etc/passwd',
      '/',
      'out/report.txt',
      './out/../report.txt',
      '.',
      '${WORKSPACE}/a/',
      '${SCENARIO_DIR}/../x',
      '${SCENARIO_DIR}/sub/..',
      '${SCENARIO_DIR}x/y',
      '../outside',
      'a\\..\\b',
      'a\u0000b',
      'a\nb',
      '',
      '\ud800',
    ].map((path) => [path, canonicalPath(path)]),
  );
  expect(names).toEqual({
    '/a/b': '/a/b',
    '/a//b/': '/a/b',
    '/a/./b/../c': '/a/c',
    '/../../etc/passwd': '/etc/passwd',
    '/': '/',
    'out/report.txt': '${WORKSPACE}/out/report.txt',
    './out/../report.txt': '${WORKSPACE}/report.txt',
    '.': '${WORKSPACE}',
    '${WORKSPACE}/a/': '${WORKSPACE}/a',
    '${SCENARIO_DIR}/../x': { problem: 'the path climbs out of ${SCENARIO_DIR}' },
    '${SCENARIO_DIR}/sub/..': '${SCENARIO_DIR}',
    '${SCENARIO_DIR}x/y': '${WORKSPACE}/${SCENARIO_DIR}x/y',
    '../outside': { problem: 'the path climbs out of ${WORKSPACE}' },
    'a\\..\\b': '${WORKSPACE}/a\\..\\b',
    'a\u0000b': { problem: 'the path contains a control character' },
    'a\nb': { problem: 'the path contains a control character' },
    '': { problem: 'the path is empty' },
    '\ud800': { problem: 'the path is not valid Unicode' },
  });
});

const piece = fc.constantFrom('a', 'b', '..', '.', '', '${WORKSPACE}', '${SCENARIO_DIR}', '...', ' ', 'ä', '\\');
const path = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('/'));

test('a canonical path is its own canonical path and holds nothing to resolve', () => {
  fc.assert(
    fc.property(path, (text) => {
      const canonical = canonicalPath(text);
      if (typeof canonical !== 'string') return;
      expect(canonicalPath(canonical)).toBe(canonical);
      expect(canonical.split('/').filter((segment) => segment === '.' || segment === '..')).toEqual([]);
      expect(canonical === '/' || !canonical.endsWith('/')).toBe(true);
    }),
  );
});
