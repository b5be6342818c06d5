import { expect, test } from 'vitest';
import { compileNetGrant, parseNetEntry } from '../../../src/effects/granted/net-grant.ts';
import { canonicalUrl } from '../../../src/policy/canonical-url.ts';
import type { Grant } from '../../../src/types/permissions.ts';

function refuse(net: Grant, url: string, address?: string): string | null {
  const target = canonicalUrl(url);
  if ('problem' in target) return target.problem;
  const grant = compileNetGrant(net);
  return address === undefined ? grant.refuseUrl(target) : grant.refuseAddress(target, address);
}

function granted(net: Grant, urls: readonly string[]): readonly string[] {
  return urls.filter((url) => refuse(net, url) === null);
}

test('entries are hosts in any spelling, with or without a port', () => {
  expect(
    [
      'api.example',
      'API.Example.',
      'api.example:8080',
      '*.example',
      '*.example:443',
      '*',
      '127.1',
      '0x7f000001',
      '::1',
      '[::1]',
      '[::1]:80',
      'münchen.example',
      'localhost:0',
      'localhost:70000',
      'https://api.example',
      'a b',
      'a/b',
      'u@h',
      'a.*.example',
      '*.10.0.0.1',
      '**',
      '*example',
      '',
      ':80',
      'a:b',
      '10.0.0.0/8',
      'a%2eb',
    ].map((text) => {
      const entry = parseNetEntry(text);
      return `${text} → ${entry === null ? 'none' : `${entry.below ? 'below ' : ''}${entry.host} ${entry.port ?? 'any'}`}`;
    }),
  ).toMatchInlineSnapshot(`
    [
      "api.example → api.example any",
      "API.Example. → api.example any",
      "api.example:8080 → api.example 8080",
      "*.example → below example any",
      "*.example:443 → below example 443",
      "* → below  any",
      "127.1 → 127.0.0.1 any",
      "0x7f000001 → 127.0.0.1 any",
      "::1 → ::1 any",
      "[::1] → ::1 any",
      "[::1]:80 → ::1 80",
      "münchen.example → xn--mnchen-3ya.example any",
      "localhost:0 → none",
      "localhost:70000 → none",
      "https://api.example → none",
      "a b → none",
      "a/b → none",
      "u@h → none",
      "a.*.example → none",
      "*.10.0.0.1 → none",
      "** → none",
      "*example → none",
      " → none",
      ":80 → none",
      "a:b → none",
      "10.0.0.0/8 → none",
      "a%2eb → none",
    ]
  `);
});

test('a grant covers what it lists and nothing else', () => {
  const urls = [
    'http://api.example/',
    'https://api.example/',
    'https://API.example.:8443/',
    'http://sub.api.example/',
    'http://deep.sub.api.example/',
    'http://evilapi.example/',
    'http://api.example.evil.test/',
  ];
  expect(granted(false, urls)).toEqual([]);
  expect(granted([], urls)).toEqual([]);
  expect(granted(true, urls)).toEqual(urls);
  expect(granted(['*'], urls)).toEqual(urls);
  expect(granted(['api.example'], urls)).toEqual(urls.slice(0, 3));
  expect(granted(['api.example:443'], urls)).toEqual(urls.slice(1, 2));
  expect(granted(['api.example:80', 'API.EXAMPLE:8443'], urls)).toEqual([urls[0], urls[2]]);
  expect(granted(['*.api.example'], urls)).toEqual(urls.slice(3, 5));
  expect(granted(['*.example:8443'], urls)).toEqual(urls.slice(2, 3));
  expect(refuse(false, 'https://api.example:8443/x')).toBe(
    'A request to api.example:8443 needs --allow-net=api.example:8443.',
  );
});

test('an address that is not public is granted only by itself, however it is spelled', () => {
  const urls = [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://127.0.0.1.:80/',
    'http://１２７.0.0.1/',
  ];
  const others = [
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://224.0.0.1/',
    'http://100.64.0.1/',
    'http://[::]/',
    'http://127.0.0.2/',
  ];
  expect(granted(true, [...urls, ...others])).toEqual([]);
  expect(granted(['*', '*.1'], [...urls, ...others])).toEqual([]);
  expect(granted(['127.0.0.1'], [...urls, ...others])).toEqual(urls);
  expect(granted(['127.0.0.1:80', '0'], [...urls, ...others])).toEqual([...urls, 'http://0/']);
  expect(granted(['127.0.0.1:81'], [...urls, ...others])).toEqual([]);
  expect(granted(true, ['http://8.8.8.8/', 'http://[2606:4700::1111]/'])).toHaveLength(2);
  expect(refuse(true, 'http://[::1]:8080/')).toBe('[::1]:8080 is a loopback address: it needs --allow-net=[::1]:8080.');
});

test('a host may be at a private address when it is named, at a link-local one only when that is named', () => {
  const url = 'http://db.example:5000/';
  const at = (net: Grant, address: string) => refuse(net, url, address);
  expect(at(true, '93.184.216.34')).toBeNull();
  expect(at(true, '10.0.0.5')).toBe(
    'db.example:5000 leads to a private address: it needs --allow-net=db.example:5000.',
  );
  expect(at(['*.example'], '127.0.0.1')).toContain('loopback');
  expect(at(['db.example'], '127.0.0.1')).toBeNull();
  expect(at(['db.example:5000'], '::1')).toBeNull();
  expect(at(['db.example:80'], '::1')).toContain('loopback');
  expect(at(['*', '10.0.0.5'], '10.0.0.5')).toBeNull();
  expect(at(['*', '10.0.0.5:80'], '10.0.0.5')).toContain('private');
  expect(at(['db.example'], '169.254.169.254')).toBe(
    'db.example:5000 leads to a cloud metadata address, which --allow-net must name by its address.',
  );
  expect(at(['db.example'], '::ffff:10.0.0.5')).toContain('IPv4 address in IPv6 form');
  expect(at(['db.example', '169.254.169.254'], '169.254.169.254')).toBeNull();
  expect(at(['*', 'FE80:0::1'], 'fe80::1')).toBeNull();
});
