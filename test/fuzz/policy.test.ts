import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileUrlMatch } from '../../src/matching/url-match.ts';
import { canonicalPath, WORKSPACE } from '../../src/policy/canonical-path.ts';
import { canonicalUrl } from '../../src/policy/canonical-url.ts';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { compileNamePatterns } from '../../src/policy/name-pattern.ts';
import type { Policy } from '../../src/types/policy.ts';
import { fuzz } from './fuzz.ts';
import { mutatedTexts } from './mutations.ts';
import { UNSAFE } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const NOTHING: Policy = {
  fs: { read: [], write: [], delete: [], list: [] },
  env: { readKeys: [] },
  http: { urls: [], methods: [] },
  shell: { commands: [] },
  mcp: { servers: [], tools: [], resources: [] },
};

const SEGMENTS = ['a', 'b', 'in', '.', '..', '...', '', '*', 'a*', '..;', '%2e%2e', '..\\', '\\..', ' ', '..%2f', 'ａ'];
const words = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 6 }).map((parts) => parts.join('/'));
const roots = fc.constantFrom('', '/', `${WORKSPACE}/`, '/data/', 'a/', '${SCENARIO_DIR}/', '${SCENARIO_DIR}');
const built = fc.tuple(roots, words).map(([root, rest]) => root + rest);
const paths = fc.oneof(
  built,
  mutatedTexts(['in/a.txt', '/data/x/../y', `${WORKSPACE}/in/b`]).map(({ text }) => text),
);
const pathPatterns = fc.oneof(
  fc.tuple(built, fc.constantFrom('', '/*', '/**', '*')).map(([text, end]) => text + end),
  fc.constantFrom('in/*', '/data/*', '${SCENARIO_DIR}/*', 'in/a*'),
);

/** Where the system would go: the two symbolic roots are folders of one disk, siblings of what must not be reached. */
function onDisk(text: string): string {
  for (const [root, folder] of [
    [WORKSPACE, '/disk/workspace'],
    ['${SCENARIO_DIR}', '/disk/scenario'],
  ] as const) {
    if (text === root || text.startsWith(`${root}/`)) return path.posix.resolve(folder + text.slice(root.length));
  }
  return path.posix.resolve('/disk/workspace', text);
}

/** What a pattern is documented to cover, without any of our code. */
function covers(pattern: string, file: string): boolean {
  if (pattern === '*') return true;
  const folder = /^(.*)\/\*{1,2}$/s.exec(pattern)?.[1];
  if (folder !== undefined) {
    const at = folder === '' ? '/' : onDisk(folder);
    return at === '/' || file === at || file.startsWith(`${at}/`);
  }
  if (!pattern.endsWith('*')) return file === onDisk(pattern);
  const cut = pattern.lastIndexOf('/') + 1;
  const start = cut === 0 ? '/disk/workspace' : onDisk(pattern.slice(0, cut));
  return file.startsWith(`${start === '/' ? '' : start}/${pattern.slice(cut, -1)}`);
}

test('a path that the policy allows lies, as the system reads it, inside an allowed pattern', {
  timeout: LONG,
}, async () => {
  const cases = fc.tuple(fc.array(pathPatterns, { minLength: 1, maxLength: 3 }), paths);
  await fuzz('policy paths', cases, 4000, ([read, file]) => {
    const policy = createPolicy({ ...NOTHING, fs: { ...NOTHING.fs, read } }, { mcpServers: [] });
    const resolve = (text: string): string => {
      const resolved = canonicalPath(text);
      return typeof resolved === 'string' ? resolved : text;
    };
    const denial = policy.decide({ port: 'file', op: 'read', as: 'read_file', path: file }, resolve);
    const canonical = canonicalPath(file);
    if (typeof canonical === 'string') expect(canonicalPath(canonical)).toBe(canonical);
    if (denial === null) expect(read.some((pattern) => covers(pattern, onDisk(file)))).toBe(true);
    else expect(denial).not.toMatch(UNSAFE);
    expect(policy.decide({ port: 'file', op: 'write', as: 'write_file', path: file }, resolve)).not.toBeNull();
  });
});

const HOSTS = [
  'api.example',
  'API.EXAMPLE',
  'api.example.',
  'evil.example',
  'api.example.evil',
  '127.1',
  '[::1]',
  'x@api.example',
];
const urlParts = fc.record({
  scheme: fc.constantFrom('https://', 'http://', 'HTTPS://', 'file://', 'https:', 'https:/\\'),
  host: fc.constantFrom(...HOSTS),
  port: fc.constantFrom('', ':443', ':80', ':8443', ':0443', ':'),
  path: fc.oneof(
    fc.constant(''),
    words.map((text) => `/${text}`),
  ),
  query: fc.constantFrom('', '?', '?q=1', '?q=/../', '#x', '?q=%2e%2e%2f', '/%2e%2e/', '/%252e%252e/x', '/..%5cx'),
});
const builtUrls = urlParts.map(({ scheme, host, port, path: rest, query }) => scheme + host + port + rest + query);
const urls = fc.oneof(
  builtUrls,
  mutatedTexts(['https://api.example/v1/users?id=1']).map(({ text }) => text),
);
const urlPatterns = fc.oneof(
  fc.tuple(builtUrls, fc.constantFrom('', '/*', '*')).map(([text, end]) => text + end),
  fc.constantFrom('https://api.example/v1/*', 'https://api.example/*', 'https://api.example*', 'https://*'),
);

/** Everything that some server could take for the path, decoded and with its dots followed. */
function readings(url: URL): readonly string[] {
  let text = url.pathname;
  const found = [path.posix.normalize(text)];
  for (let round = 0; round < 4; round++) {
    try {
      text = decodeURIComponent(text.replaceAll('\\', '/'));
    } catch {
      break;
    }
    found.push(path.posix.normalize(text.replaceAll('\\', '/').replaceAll(/;[^/]*/g, '')));
  }
  return found;
}

test('a URL that the policy allows goes to an allowed host, below an allowed path', { timeout: LONG }, async () => {
  const cases = fc.tuple(fc.array(urlPatterns, { minLength: 1, maxLength: 3 }), urls);
  await fuzz('policy URLs', cases, 4000, ([allowed, text]) => {
    const policy = createPolicy({ ...NOTHING, http: { urls: allowed, methods: ['GET'] } }, { mcpServers: [] });
    const same = (file: string): string => file;
    const denial = policy.decide({ port: 'http', method: 'GET', url: text }, same);
    expect(policy.decide({ port: 'http', method: 'POST', url: text }, same)).not.toBeNull();
    const canonical = canonicalUrl(text);
    if (!('problem' in canonical)) expect(canonicalUrl(canonical.href)).toEqual(canonical);
    if (denial !== null) return expect(denial).not.toMatch(UNSAFE);
    if (allowed.includes('*')) return undefined;
    // What a client would really ask.
    const asked = new URL(text);
    expect(asked.username + asked.password).toBe('');
    expect(allowed.some((pattern) => allows(pattern, asked))).toBe(true);
    return undefined;
  });
});

function allows(pattern: string, asked: URL): boolean {
  if (/^https?:\/\/\*$/i.test(pattern)) return asked.protocol === pattern.toLowerCase().slice(0, -3);
  const text = pattern.replace(/\*{1,2}$/, '');
  if (!URL.canParse(text)) return false;
  const base = new URL(text);
  const host = (url: URL): string => `${url.protocol}//${url.hostname.replace(/\.$/, '')}:${url.port}`;
  if (host(base) !== host(asked)) return false;
  if (/^[^:]*:\/\/[^/?]+$/.test(text)) return true;
  const folder = path.posix.normalize(decoded(base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1)));
  return readings(asked).every((reading) => reading.startsWith(folder) || `${reading}/` === folder);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

test('a name pattern matches what it spells, or what begins so', { timeout: LONG }, async () => {
  const names = mutatedTexts(['API_KEY', 'read*', 'tools/list', '*']).map(({ text }) => text);
  await fuzz('name patterns', fc.tuple(fc.array(names, { maxLength: 3 }), names), 4000, ([patterns, name]) => {
    const expected = patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
    expect(compileNamePatterns(patterns).matches(name)).toBe(expected);
    const policy = createPolicy({ ...NOTHING, env: { readKeys: patterns } }, { mcpServers: [] });
    expect(policy.decide({ port: 'env', key: name }, (file) => file) === null).toBe(expected);
  });
});

test('a mock for URLs answers no other host, whatever stands in its pattern', { timeout: LONG }, async () => {
  await fuzz('URL matches', fc.tuple(urlPatterns, urls), 2000, ([pattern, text]) => {
    const match = compileUrlMatch(pattern);
    const asked = canonicalUrl(text);
    if ('problem' in asked || !match.matches(asked)) return;
    expect(match.problem).toBeNull();
    if (pattern === '*' || /^https?:\/\/\*$/i.test(pattern)) return;
    const wanted = canonicalUrl(pattern.replace(/\*+$/, ''));
    if (!('problem' in wanted)) expect(asked.origin).toBe(wanted.origin);
  });
});
