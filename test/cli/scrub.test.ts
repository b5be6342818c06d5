import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scrubFiles } from '../../src/index.ts';
import { aFolder, runPassk } from './run-passk.ts';

const KEY = 'sixteen characters';
const LINE = '{"to":"jane@example.com","order":"R-100"}\n';

test('writes what it was given with tokens in it, says how many, and replaces no file', async () => {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'in/jane@example.com'), { recursive: true });
  writeFileSync(path.join(cwd, 'in/jane@example.com/a.jsonl'), LINE + LINE);
  const args = ['scrub', 'in', '--out', 'out', '--key-env', 'KEY'];
  const done = await runPassk(args, { cwd, env: { KEY } });
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: '' });
  expect(done.stdout.replaceAll(/ +/g, ' ')).toContain('email 3 found 1 value');
  const [folder = ''] = readdirSync(path.join(cwd, 'out'));
  expect(folder).toMatch(/^email_[0-9a-f]{16}$/);
  const scrubbed = readFileSync(path.join(cwd, 'out', folder, 'a.jsonl'), 'utf8');
  // Files join: the folder has the token of the address in them.
  expect(scrubbed).toBe((LINE + LINE).replaceAll('jane@example.com', folder));
  const again = await runPassk(args, { cwd, env: { KEY } });
  expect(again).toMatchObject({ status: 2, stdout: '' });
  expect(again.stderr).toContain('exists already and stays as it is');
});

test('finds a private key on several lines whole, and leaves nothing of a file that it cannot read to its end', async () => {
  const cwd = aFolder();
  const body = `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2)}\n`.repeat(20);
  const label = 'PRIVATE KEY-----\n';
  writeFileSync(path.join(cwd, 'a.log'), `before\n-----BEGIN ${label}${body}-----END ${label}after\n`);
  writeFileSync(path.join(cwd, 'b.log'), `jane@example.com\n${'x'.repeat(100_000)}\0`);
  const { files } = await scrubFiles({ paths: ['a.log'], out: 'out', key: KEY, cwd });
  expect(files).toMatchObject([{ found: 1, lines: 24, places: [{ line: 2, kinds: ['secret'] }] }]);
  expect(readFileSync(path.join(cwd, 'out/a.log'), 'utf8')).toMatch(/^before\nsecret_[0-9a-f]{16}\nafter\n$/);
  await expect(scrubFiles({ paths: ['b.log'], out: 'none', key: KEY, cwd })).rejects.toThrow(
    'b.log is no text in UTF-8.',
  );
  expect(readdirSync(path.join(cwd, 'none'))).toEqual([]);
});

test('refuses text in another encoding, of which it would write other text than there was', async () => {
  const cwd = aFolder();
  for (const [name, text] of [
    ['latin.csv', 'caf\u00e9,jane@example.com\n'],
    ['cut.csv', 'a,b\n\u00e2'],
  ] as const) {
    writeFileSync(path.join(cwd, name), Buffer.from(text, 'latin1'));
    const scrubbed = scrubFiles({ paths: [name], out: 'out', key: KEY, cwd });
    await expect(scrubbed).rejects.toThrow(`${name} is no text in UTF-8.`);
  }
  expect(readdirSync(path.join(cwd, 'out'))).toEqual([]);
});

test('says what is in the way of a file that it cannot read or write', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.log'), 'x\n');
  const missing = scrubFiles({ paths: ['none.log'], key: KEY, cwd });
  await expect(missing).rejects.toThrow('none.log cannot be read: there is no such file or folder.');
  const inFile = scrubFiles({ paths: ['a.log'], out: 'a.log', key: KEY, cwd });
  await expect(inFile).rejects.toThrow('a.log/a.log cannot be written: a part of the path is not a folder.');
});

test('keeps extensions, leaves its own output out, and says which links it did not follow', async () => {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'in'));
  for (const name of ['jane@example.com.json', 'x@a.b.com']) writeFileSync(path.join(cwd, 'in', name), LINE);
  symlinkSync('/etc/hosts', path.join(cwd, 'in/link.txt'));
  const { stdout } = await runPassk(['scrub', 'in', '--out', 'in/out', '--key-env', 'KEY'], { cwd, env: { KEY } });
  expect(stdout).toContain('in/link.txt is a link or no file, and was left out.');
  expect(readdirSync(path.join(cwd, 'in/out')).join()).toMatch(/^email_[0-9a-f]{16}(?:\.json,|,)email_[0-9a-f]{16}/);
  const { files, leftOut } = await scrubFiles({ paths: ['in'], out: 'in/out/more', key: KEY, cwd });
  expect([files.length, leftOut]).toEqual([4, ['in/link.txt']]);
  const again = scrubFiles({ paths: ['in/out/more'], out: 'in/out', key: KEY, cwd });
  await expect(again).rejects.toThrow('in/out/more holds no file.');
});

test.each([
  [{ key: 'short' }, 'The key has 5 characters'],
  [{ nationalIds: ['br_cp'] }, 'There is no number of people called "br_cp".'],
  [{ countries: ['Germany'] }, '"Germany" is no country.'],
  [{ patterns: ['('] }, 'The pattern "(" cannot be used.'],
  [{ paths: ['a.json', 'b/a.json'] }, 'Two files would be written to out/a.json.'],
  [{ paths: ['none.json'] }, 'none.json cannot be read: there is no such file or folder.'],
  [{ paths: ['a.json', 'empty'] }, 'empty holds no file.'],
])('refuses %j before anything is written', async (options, message) => {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'b'));
  mkdirSync(path.join(cwd, 'empty/deeper'), { recursive: true });
  for (const name of ['a.json', 'b/a.json']) writeFileSync(path.join(cwd, name), LINE);
  await expect(scrubFiles({ paths: ['a.json'], out: 'out', cwd, ...options })).rejects.toThrow(message);
  expect(existsSync(path.join(cwd, 'out'))).toBe(false);
});

test('--check names lines and kinds, and never a value', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.csv'), 'id,mail\n1,jane@example.com\n2,\n');
  const { status, stdout } = await runPassk(['scrub', 'a.csv', '--check', '--json'], { cwd });
  expect(status).toBe(1);
  expect(stdout).not.toContain('jane');
  expect(JSON.parse(stdout)).toEqual({
    schema: 'passk-scrub/1',
    files: [{ file: 'a.csv', written: null, lines: 3, found: 1, places: [{ line: 2, kinds: ['email'] }] }],
    leftOut: [],
    counts: { email: { found: 1, values: 1 } },
    joins: false,
  });
});
