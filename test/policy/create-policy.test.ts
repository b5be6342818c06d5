import { describe, expect, test } from 'vitest';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { asIs, aPolicy, aServer } from './a-policy.ts';

const none = { mcpServers: [] };

test('no policy allows everything', () => {
  const gate = createPolicy(null, none);
  const questions = [
    { port: 'file', op: 'read', as: 'read_file', path: '/etc/passwd' },
    { port: 'env', key: 'HOME' },
    { port: 'http', method: 'GET', url: 'not a url' },
    { port: 'process', command: 'ls' },
    { port: 'mcp', op: 'tool', server: null, target: 't' },
    { port: 'model' },
  ] as const;
  expect(questions.map((question) => gate.decide(question, asIs))).toEqual([null, null, null, null, null, null]);
});

test('an empty policy denies every family and says that nothing is configured', () => {
  const gate = createPolicy(aPolicy(), none);
  const questions = [
    { port: 'file', op: 'read', as: 'read_file', path: '/etc/passwd' },
    { port: 'file', op: 'write', as: 'write_file', path: 'x' },
    { port: 'file', op: 'mkdir', as: 'create_dir', path: 'x' },
    { port: 'env', key: 'HOME' },
    { port: 'http', method: 'get', url: 'http://h/' },
    { port: 'process', command: '/bin/ls' },
    { port: 'mcp', op: 'tool', server: 's', target: 't' },
    { port: 'mcp', op: 'resource', server: 's', target: 'u' },
    { port: 'model' },
    { port: 'children' },
    { port: 'host' },
  ] as const;
  expect(questions.map((question) => gate.decide(question, asIs))).toEqual([
    'read_file denied on /etc/passwd: fs_read denied: no `fs_read` allowlist patterns are configured',
    'write_file denied on x: fs_write denied: no `fs_write` allowlist patterns are configured',
    'create_dir denied on x: fs_write denied: no `fs_write` allowlist patterns are configured',
    'read_env `HOME`: env var `HOME` is not in the allowlist (0 configured)',
    'http_request `GET http://h/`: http_request denied: no `http.urls` allowlist configured',
    'shell_run `/bin/ls`: shell_run denied: no `shell.commands` allowlist configured',
    'mcp tool `t` denied by allowlist on server `s`',
    'mcp resource `u` denied by allowlist on server `s`',
    null,
    null,
    null,
  ]);
});

describe('files', () => {
  const gate = createPolicy(aPolicy({ fs: { read: ['/data/*'], write: ['out/**', '/tmp/rep*', '/tmp/..*'] } }), none);
  const write = (path: string) => gate.decide({ port: 'file', op: 'write', as: 'write_file', path }, asIs);
  const read = (path: string) => gate.decide({ port: 'file', op: 'read', as: 'read_file', path }, asIs);

  test('patterns allow what they cover, judged on canonical paths', () => {
    const allowed = ['/data', '/data/a', '/data/a/b', '/x/../data/a'].map(read);
    const written = ['out', 'out/a', './out//a/', '${WORKSPACE}/out/a', '/tmp/report', '/tmp/..x'].map(write);
    expect([...allowed, ...written]).toEqual(Array(10).fill(null));
  });

  test('a denial shows the given and the canonical path', () => {
    expect(['out/../secret', '/database', 'a\u0007b', 'out\\a', '../x', '/tmp/x'].map(write)).toEqual([
      'write_file denied on out/../secret: fs_write on `out/../secret` not covered by any allowlist pattern (it resolves to `${WORKSPACE}/secret`)',
      'write_file denied on /database: fs_write on `/database` not covered by any allowlist pattern',
      'write_file denied on a\\u{7}b: fs_write on `a\\u{7}b` not covered by any allowlist pattern: the path contains a control character',
      'write_file denied on out\\a: fs_write on `out\\a` not covered by any allowlist pattern (it resolves to `${WORKSPACE}/out\\a`) (a backslash is an ordinary character, not a separator)',
      'write_file denied on ../x: fs_write on `../x` not covered by any allowlist pattern: the path climbs out of ${WORKSPACE}',
      'write_file denied on /tmp/x: fs_write on `/tmp/x` not covered by any allowlist pattern',
    ]);
    expect(read('/database')).toBe(
      'read_file denied on /database: fs_read on `/database` not covered by any allowlist pattern',
    );
  });

  test('a link is judged by where it leads, each time anew', () => {
    const question = { port: 'file', op: 'read', as: 'read_file', path: '/data/link' } as const;
    expect(gate.decide(question, asIs)).toBe(null);
    expect(gate.decide(question, () => '/etc/shadow')).toBe(
      'read_file denied on /data/link: fs_read on `/data/link` not covered by any allowlist pattern (it resolves to `/etc/shadow`)',
    );
    expect(gate.decide(question, () => '/data/real')).toBe(null);
  });

  test('one path is judged for each operation and each asker, in any order', () => {
    const path = '/data/x';
    const ask = (op: 'read' | 'write' | 'mkdir', as: string) =>
      gate.decide({ port: 'file', op, as, path }, asIs)?.split(':')[0] ?? null;
    const once = [ask('read', 'a'), ask('write', 'a'), ask('mkdir', 'a'), ask('write', 'b'), ask('read', 'b')];
    expect(once).toEqual([null, 'a denied on /data/x', 'a denied on /data/x', 'b denied on /data/x', null]);
    expect([ask('read', 'a'), ask('write', 'a'), ask('mkdir', 'a'), ask('write', 'b'), ask('read', 'b')]).toEqual(once);
  });

  test('`*` and `/**` allow all paths that have a canonical form', () => {
    const open = createPolicy(aPolicy({ fs: { read: ['*'], write: ['/**'] } }), none);
    const ask = (op: 'read' | 'write', path: string) => open.decide({ port: 'file', op, as: 'x', path }, asIs) === null;
    const paths = ['/etc/passwd', 'rel', '${SCENARIO_DIR}/x', '../up', 'a\u0000', ''];
    expect(paths.map((path) => [ask('read', path), ask('write', path)])).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
  });

  test('patterns that can never match are named', () => {
    expect(createPolicy(aPolicy({ fs: { read: ['../x/*', 'a\u0000*', ''], write: [] } }), none).problems).toEqual([
      'pattern `../x/*` matches nothing: the path climbs out of ${WORKSPACE}',
      'pattern `a\u0000*` matches nothing: the path contains a control character',
      'pattern `` matches nothing: the path is empty',
    ]);
  });
});

test('environment keys match by name, trailing `*` or `*`', () => {
  const ask = (readKeys: readonly string[], key: string) =>
    createPolicy(aPolicy({ env: { readKeys } }), none).decide({ port: 'env', key }, asIs);
  expect([ask(['APP_*'], 'APP_KEY'), ask(['*'], 'X'), ask(['X'], 'X'), ask(['X', 'Y'], 'XY'), ask(['x'], 'X')]).toEqual(
    [
      null,
      null,
      null,
      'read_env `XY`: env var `XY` is not in the allowlist (2 configured)',
      'read_env `X`: env var `X` is not in the allowlist (1 configured)',
    ],
  );
});

test('commands are judged by absolute canonical path', () => {
  const gate = createPolicy(aPolicy({ shell: { commands: ['/bin/*', '${SCENARIO_DIR}/tools/lint'] } }), none);
  const ask = (command: string) => gate.decide({ port: 'process', command }, asIs);
  expect(
    ['/bin/ls', '/usr/../bin/ls', '${SCENARIO_DIR}/tools/lint', '/bin/../sbin/x', 'ls', '/bin/ls\n'].map(ask),
  ).toEqual([
    null,
    null,
    null,
    'shell_run `/bin/../sbin/x`: shell_run command `/bin/../sbin/x` not covered by any allowlist pattern (it resolves to `/sbin/x`)',
    'shell_run `ls`: shell_run command `ls` not covered by any allowlist pattern: shell_run requires an absolute path',
    'shell_run `/bin/ls\\n`: shell_run command `/bin/ls\\n` not covered by any allowlist pattern: the path contains a control character',
  ]);
});

describe('MCP', () => {
  const tool = (server: string | null, target: string) => ({ port: 'mcp', op: 'tool', server, target }) as const;
  const resource = (target: string) => ({ port: 'mcp', op: 'resource', server: null, target }) as const;

  test("a server's own lists bind with and without a policy, and stand for a policy that is silent", () => {
    const servers = { mcpServers: [aServer('s', { allowTools: ['read_*'], allowResources: ['note:*'] })] };
    for (const policy of [null, aPolicy()]) {
      const gate = createPolicy(policy, servers);
      expect(
        [tool('s', 'read_x'), tool(null, 'read_x'), tool('s', 'drop'), resource('note:1')].map((q) =>
          gate.decide(q, asIs),
        ),
      ).toEqual([null, null, 'mcp tool `drop` denied by allowlist on server `s`', null]);
    }
  });

  test('lists of the policy narrow what a server allows', () => {
    const servers = { mcpServers: [aServer('s', { allowTools: ['*'] }), aServer('t')] };
    const gate = createPolicy(aPolicy({ mcp: { servers: ['s'], tools: ['read_*'], resources: [] } }), servers);
    expect(
      [tool('s', 'read_x'), tool('s', 'drop'), tool('t', 'read_x'), tool(null, 'read_x')].map((q) =>
        gate.decide(q, asIs),
      ),
    ).toEqual([
      null,
      'mcp tool `drop` denied by allowlist on server `s`',
      'mcp tool `read_x` denied by allowlist on server `t`',
      'mcp tool `read_x` denied by allowlist on server `<none>`',
    ]);
  });

  test('resource patterns cannot be climbed out of', () => {
    const servers = { mcpServers: [aServer('s', { allowResources: ['file:///data/*', 'https://good*'] })] };
    const gate = createPolicy(null, servers);
    const uris = [
      'file:///data/a',
      'file:///data/../etc/passwd',
      'file:///data/%2e%2e/x',
      'file:///data/..%2fx',
      'https://good/a',
      'https://good.evil/a',
      'https://good@evil/a',
    ];
    expect(uris.filter((uri) => gate.decide(resource(uri), asIs) === null)).toEqual([
      'file:///data/a',
      'https://good/a',
    ]);
    expect(gate.decide(resource('file:///data/../x'), asIs)).toBe(
      'mcp resource `file:///data/../x` denied by allowlist on server `s`: the URI contains a `.` or `..` segment',
    );
  });
});
