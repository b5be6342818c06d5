import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { checkSchema } from '../../src/source/check-schema.ts';
import { printIssues } from '../../src/source/print-issue.ts';
import type { Issue } from '../../src/types/issue.ts';
import { parsed } from './parsed.ts';

const Schema = Type.Object(
  { name: Type.String(), trials: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);

test('prints what, where, the lines around it and what to do', () => {
  const issues = checkSchema(parsed('name = "x"\ntrails = 3\n'), [], Schema);
  expect(printIssues(issues, { color: false })).toBe(`error: "trails" is not a known key.
  --> a.toml:2:1
  1 | name = "x"
  2 | trails = 3
    | ^~~~~~
  help: Did you mean "trials"?

1 error in 1 file.
`);
});

test('shows problems that differ by their places only once, and names five further places', () => {
  const [issue] = checkSchema(parsed('name = "x"\ntrails = 3\n'), [], Schema);
  if (issue?.at === undefined) throw new Error('It has no place.');
  const { at } = issue;
  const issues = Array.from({ length: 8 }, (_, file) => ({ ...issue, at: { ...at, file: `f${file}.toml` } }));
  expect(printIssues(issues, { color: false })).toBe(`error: "trails" is not a known key.
  --> f0.toml:2:1
  1 | name = "x"
  2 | trails = 3
    | ^~~~~~
  help: Did you mean "trials"?
  the same at f1.toml:2:1, f2.toml:2:1, f3.toml:2:1, f4.toml:2:1, f5.toml:2:1 and 2 more

8 errors in 8 files.
`);
});

test('groups by file, errors first, and counts', () => {
  const issue = (severity: 'error' | 'warning', message: string, file?: string): Issue => ({
    code: 'x',
    severity,
    message,
    ...(file === undefined ? {} : { at: { file, line: 1, column: 1 } }),
  });
  const issues = [
    issue('warning', 'W1.', 'mild.toml'),
    issue('warning', 'W2.', 'a.toml'),
    issue('error', 'E1.', 'b.toml'),
    issue('error', 'E2.', 'a.toml'),
    issue('error', 'E3.'),
    issue('error', 'E4.', 'a.toml'),
  ];
  expect(printIssues(issues, { color: false })).toBe(`error: E2.
  --> a.toml

error: E4.
  --> a.toml

warning: W2.
  --> a.toml

error: E1.
  --> b.toml

error: E3.

warning: W1.
  --> mild.toml

4 errors and 2 warnings in 3 files.
`);
});

test('colours labels, messages and hints, whatever the environment says', () => {
  const issue: Issue = { code: 'x', severity: 'warning', message: 'M.', hint: 'H.' };
  expect(printIssues([issue], { color: true })).toBe(
    '\u001b[33mwarning:\u001b[39m \u001b[1mM.\u001b[22m\n  \u001b[36mhelp:\u001b[39m H.\n\n1 warning.\n',
  );
});

test('prints nothing for nothing', () => {
  expect(printIssues([], { color: true })).toBe('');
});

test('lets no file take over the terminal', () => {
  const text = '"\\u001b[2J\\u202e\\n" = "\\u001b]0;x\\u0007"\nname = "\\u009b1m"\n';
  const document = parsed(text);
  const shown = printIssues(checkSchema(document, [], Schema), { color: false });
  expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u2028-\u202e]/u);
  expect(shown).toContain('error: "\'\\u{1b}[2J\\u{202e}\\n\'" is not a known key.');
});

test('shows 30 errors at once, and of very many the first 50', () => {
  const keys = (count: number): string => Array.from({ length: count }, (_, i) => `key_${i} = ${i}`).join('\n');
  const shown = (count: number): string => {
    const issues = checkSchema(parsed(`name = "x"\n${keys(count)}`), [], Schema);
    return printIssues(issues, { color: false });
  };
  expect(shown(30).match(/^error:/gm)?.length).toBe(30);
  expect(shown(30)).toMatch(/\n30 errors in 1 file\.\n$/);
  expect(shown(120).match(/^error:/gm)?.length).toBe(50);
  expect(shown(120)).toMatch(/\n… and 70 more, not shown\.\n\n120 errors in 1 file\.\n$/);
});
