import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { asIs, aPolicy } from './a-policy.ts';

function ask(urls: readonly string[], url: string, method = 'GET', methods: readonly string[] = []): string | null {
  const gate = createPolicy(aPolicy({ http: { urls, methods } }), { mcpServers: [] });
  return gate.decide({ port: 'http', method, url }, asIs);
}

function allowed(pattern: string, urls: readonly string[]): readonly string[] {
  return urls.filter((url) => ask([pattern], url) === null);
}

test('checks the list, then the method, then the URL', () => {
  expect([
    ask([], 'http://h/', 'post', ['GET']),
    ask(['http://h/*'], 'http://x/', 'post', ['get']),
    ask(['http://h/*'], 'http://x/', 'get', ['GET']),
    ask(['http://h/*'], 'http://h/a', 'get', ['GET']),
  ]).toEqual([
    'http_request `POST http://h/`: http_request denied: no `http.urls` allowlist configured',
    'http_request `POST http://x/`: http_request method `POST` not in allowlist',
    'http_request `GET http://x/`: http_request URL `http://x/` not covered by any allowlist pattern',
    null,
  ]);
});

test('spelling does not matter where it means the same', () => {
  const same = [
    'https://api.example',
    'https://api.example/',
    'HTTPS://API.Example:443/',
    'https://api.example./#top',
    'https://api.example/x/..',
  ];
  expect(allowed('https://api.example/', same)).toEqual(same);
  expect(allowed('https://api.example/a~b/%2F', ['https://api.example/%61%7eb/%2f'])).toEqual([
    'https://api.example/%61%7eb/%2f',
  ]);
  expect(allowed('https://bücher.example/*', ['https://xn--bcher-kva.example/a'])).toEqual([
    'https://xn--bcher-kva.example/a',
  ]);
});

test('the endings of patterns', () => {
  const urls = [
    'https://h',
    'https://h/v1',
    'https://h/v1/',
    'https://h/v1/a?b',
    'https://h/v10',
    'https://h/v1?q',
    'http://h/v1',
  ];
  const by = Object.fromEntries(
    [
      '*',
      'https://*',
      'https://h/**',
      'https://h*',
      'https://h/v1/*',
      'https://h/v1*',
      'https://h/v1',
      'https://h/v1?*',
    ].map((pattern) => [pattern, allowed(pattern, urls).map((url) => urls.indexOf(url))]),
  );
  expect(by).toEqual({
    '*': [0, 1, 2, 3, 4, 5, 6],
    'https://*': [0, 1, 2, 3, 4, 5],
    'https://h/**': [0, 1, 2, 3, 4, 5],
    'https://h*': [0, 1, 2, 3, 4, 5],
    'https://h/v1/*': [1, 2, 3],
    'https://h/v1*': [1, 2, 3, 4, 5],
    'https://h/v1': [1],
    'https://h/v1?*': [5],
  });
});

test('a pattern means no more than it says', () => {
  const urls = ['https://h/', 'https://h/a', 'https://h/a/', 'https://h/a/..x', 'https://h/a?/x', 'https://h/b'];
  expect(allowed('https://h/a/..*', urls)).toEqual(['https://h/a/..x']);
  expect(allowed('https://h/a?/**', urls)).toEqual(['https://h/a?/x']);
  expect(allowed('https://h/b/../a/*', urls)).toEqual(['https://h/a', 'https://h/a/', 'https://h/a/..x']);
});

test('tricks do not leave the allowed place', () => {
  const tricks = [
    'https://api.example.evil.example/v1/a',
    'https://api.examplex/v1/a',
    'https://api.example@evil.example/v1/a',
    'https://api.example:443@evil.example/v1/a',
    'https://user:pass@api.example/v1/a',
    'https://evil.example/https://api.example/v1/a',
    'https://evil.example\\@api.example/v1/a',
    'https://api.example\\.evil.example/v1/a',
    'https:\\\\api.example/v1/a',
    'https:/api.example/v1/a',
    'https:api.example/v1/a',
    'https:///api.example/v1/a',
    '//api.example/v1/a',
    'https://api.example:8443/v1/a',
    'http://api.example/v1/a',
    'ftp://api.example/v1/a',
    'file:///v1/a',
    'javascript:https://api.example/v1/a',
    'https://api.example/v1/../admin',
    'https://api.example/v1/%2e%2e/admin',
    'https://api.example/v1/.%2E/admin',
    'https://api.example/v1/..%2fadmin',
    'https://api.example/v1/%2e%2e%2fadmin',
    'https://api.example/v1/%252e%252e%252fadmin',
    'https://api.example/v1/..%5cadmin',
    'https://api.example/v1/..;/admin',
    'https://api.example/v1/..%3b/admin',
    'https://api.example/v1/a\r\nHost: evil.example',
    'https://api.example/v1/a b',
    'https://api.example/v1/\ta',
    ' https://api.example/v1/a',
    'https://api.example%2eevil.example/v1/a',
    'https://api.example%00.evil.example/v1/a',
    'https://api。example。evil/v1/a',
    'https://2130706433/v1/a',
    'https://0x7f.1/v1/a',
    'https://[::1]/v1/a',
    'https://[::ffff:127.0.0.1]/v1/a',
    'https://apі.example/v1/a',
    'https:///v1/a',
    'https://',
    '',
  ];
  expect(allowed('https://api.example/v1/*', tricks)).toEqual([]);
  expect(allowed('https://api.example*', tricks).filter((url) => new URL(url).host !== 'api.example')).toEqual([]);
});

test('integer hosts are the addresses they stand for', () => {
  expect(
    allowed('http://127.0.0.1/*', ['http://2130706433/a', 'http://0x7f.0.0.1/a', 'http://017700000001/a']),
  ).toHaveLength(3);
  expect(allowed('http://127.0.0.1/*', ['http://2130706434/a', 'http://[::1]/a'])).toEqual([]);
});

test('a denial shows the canonical form or why there is none', () => {
  expect([
    ask(['https://h/*'], 'HTTPS://H.Other/a/../b'),
    ask(['https://h/*'], 'https://u@h/'),
    ask(['https://h/*'], 'gopher://h/'),
    ask(['https://h/*'], 'https://h/a\r\nb'),
  ]).toEqual([
    'http_request `GET HTTPS://H.Other/a/../b`: http_request URL `HTTPS://H.Other/a/../b` not covered by any allowlist pattern (canonical form `https://h.other/b`)',
    'http_request `GET https://*@h/`: http_request URL `https://*@h/` not covered by any allowlist pattern: the URL carries user information before its host',
    'http_request `GET gopher://h/`: http_request URL `gopher://h/` not covered by any allowlist pattern: the URL must start with http:// or https://',
    'http_request `GET https://h/a\\r\\nb`: http_request URL `https://h/a\\r\\nb` not covered by any allowlist pattern: the URL contains a control character',
  ]);
});

test('`*` refuses ambiguous URLs but leaves other schemes to the node', () => {
  expect(allowed('*', ['gopher://h/', 'nonsense', 'https://u@h/', 'https://h/\n', 'https://h/..%2f'])).toEqual([
    'gopher://h/',
    'nonsense',
  ]);
});

test('patterns that can never match are named', () => {
  const urls = ['https://*.example/*', 'http*', 'https://u@h/*', 'https://h/#*', '/v1/*'];
  expect(createPolicy(aPolicy({ http: { urls } }), { mcpServers: [] }).problems).toEqual([
    'pattern `https://*.example/*` matches nothing: a `*` inside a host is an ordinary character',
    'pattern `http*` matches nothing: the URL must start with http:// or https://',
    'pattern `https://u@h/*` matches nothing: the URL carries user information before its host',
    'pattern `https://h/#*` matches nothing: a fragment is never part of a request',
    'pattern `/v1/*` matches nothing: the URL must start with http:// or https://',
  ]);
});

const part = fc.constantFrom(
  'https://',
  'http://',
  'api.example',
  'evil.example',
  '@',
  ':',
  '443',
  '/',
  '//',
  '\\',
  '..',
  '.',
  '%2e',
  '%2F',
  '%25',
  '?',
  '#',
  'v1',
  'a',
  ';',
  '\n',
  ' ',
  'HTTPS://',
  'API.EXAMPLE',
  '[::1]',
  '0x7f.1',
  '。',
  '%00',
  '*',
);

test('whatever is allowed really goes to the allowed host and below the allowed path', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, anchored) => {
      const url = (anchored ? 'https://api.example/v1/' : '') + parts.join('');
      if (ask(['https://api.example/v1/*'], url) !== null) return;
      const real = new URL(url);
      expect([real.protocol, real.hostname.replace(/\.$/, ''), real.port, real.username, real.password]).toEqual([
        'https:',
        'api.example',
        '',
        '',
        '',
      ]);
      const decoded = decodeURIComponent(real.pathname.replace(/%(?![0-9a-f]{2})/gi, '%25'));
      expect(decoded === '/v1' || decoded.startsWith('/v1/')).toBe(true);
      expect(decoded.split(/[/\\]/).filter((segment) => segment === '..' || segment === '.')).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
