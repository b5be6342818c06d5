import { expect, test } from 'vitest';
import { compilePythonPattern } from '../../src/matching/compile-python-pattern.ts';
import { canNeverMatch, translatePattern } from '../../src/matching/translate-pattern.ts';

/** What `re.search(pattern, text, re.DOTALL)` of Python 3.11 answers. */
const ANSWERS: readonly (readonly [pattern: string, text: string, occurs: boolean])[] = [
  ['(?i)(source|according to|reference)', 'ACCORDING TO the bank', true],
  ['(?i)(source|according to|reference)', 'I made it up', false],
  ['(?im)^ok$', 'no\nOK\nyes', true],
  ['^ok$', 'no\nok\nyes', false],
  ['^OK$', 'OK\n', true],
  ['^OK$', 'OK\n\n', false],
  ['^OK\\Z', 'OK\n', false],
  ['a.b', 'a\nb', true],
  ['(?-s:a.b)', 'a\nb', false],
  ['.{50,}', 'x'.repeat(50), true],
  ['.{50,}', 'x'.repeat(49), false],
  ['a{,2}b', 'aaab', true],
  ['^a{,2}b', 'aaab', false],
  ['a{2', 'a{2', true],
  ['x{}', 'x{}', true],
  ['\\d+', '٣', true],
  ['(?a)\\d+', '٣', false],
  ['^\\w+$', 'naïve', true],
  ['(?a)^\\w+$', 'naïve', false],
  ['\\s', '\u00a0', true],
  ['\\s', '\u001c', true],
  ['[^\\W\\d_]', '1_', false],
  ['[^\\W\\d_]', 'é', true],
  ['[\\W]', 'é', false],
  ['^[^\\S\\n]+$', ' \t', true],
  ['[]a]', ']', true],
  ['[^]a]', ']a', false],
  ['[a\\]b-]+', ']-', true],
  ['[[:alpha:]]', 'p]', true],
  ['[[:alpha:]]', 'x]', false],
  ['[\\b]', '\b', true],
  ['\\$\\d+\\.\\d{2}', 'It costs $42.00 today', true],
  ['\\x41\\u00e9\\101', 'AéA', true],
  ['\\U0001F600', '😀', true],
  ['^.$', '😀', true],
  ['(?P<year>\\d{4})-\\d\\d', '2024-05', true],
  ['(?x) a \\  b # comment\n c', 'a bc', true],
  ['(?x)a +', 'aaa', true],
  ['(?#comment)a', 'a', true],
  ['(?i:A)b', 'ab', true],
  ['(?i:A)b', 'aB', false],
  ['(?i)a(?-i:B)', 'AB', true],
  ['(?i)a(?-i:B)', 'Ab', false],
  ['a*?b', 'aab', true],
  ['(?<=\\$)\\d+', '$5', true],
  ['(?<!\\$)\\b\\d+', '$5', false],
  ['^(?!.*(secret|password)).*$', 'nothing here', true],
  ['^(?!.*(secret|password)).*$', 'my\npassword', false],
  ['^(?=.*\\d)(?=.*[a-z]).{4,}$', 'abc1', true],
  ['^(?=.*\\d)(?=.*[a-z]).{4,}$', 'abcd', false],
  ['(?i)^(?!.*SECRET)', 'a secret', false],
  ['\\d+(?=%)', 'about 5%', true],
  ['\\d+(?=%)', 'about 5', false],
  ['\\d(?!\\d)', '12', true],
  ['x(?![a-z])', 'xyx', true],
  ['x(?![a-z])', 'xy', false],
  ['(foo(?=!)|bar(?!!))', 'foo bar!', false],
  ['(foo(?=!)|bar(?!!))', 'foo! bar!', true],
  ['\\bcat\\b', 'a cat.', true],
  ['\\bcat\\b', 'concatenate', false],
  ['\\B\\w\\B', 'éàé', true],
  ['(?a)\\bt\\b', 'été', true],
  ['a$\\s*', 'a\n', true],
  ['a(\\B)+', 'ab', true],
  ['\\W', 'é', false],
  ['[^\\w]', '-', true],
  ['(a|b$)+', 'ab\n', true],
  ['', '', true],
  ['a||b', '', true],
  ['(?u)é', 'é', true],
  ['ß', 'SS', false],
  ['\\.\\-\\/\\!', '.-/!', true],
];

test.each(ANSWERS)('%j in %j: %s, as Python has it', (pattern, text, occurs) => {
  expect(compilePythonPattern(pattern, 'rule')(text)).toBe(occurs);
});

test('the edges of words are those of ASCII, as of Python with the flag `a`', () => {
  expect(compilePythonPattern('foo\\b.*bar', 'rule')('fooébar')).toBe(true);
});

test.each([
  ['(a)\\1', 'the back-reference "\\1"'],
  ['(?P<q>["\'])x(?P=q)', 'the back-reference "(?P=…)"'],
  ['(a)?(?(1)b|c)', 'the condition "(?(…)…|…)"'],
  ['(?>a+)b', 'the atomic group "(?>…)"'],
  ['a++b', 'a possessive repetition'],
  ['a(?=b)c', 'a look-ahead in the middle'],
  ['a(?!\\s*b)', 'a look-ahead in the middle'],
  ['a$\\n', 'a line break or a place after "$"'],
  ['a$\\Z', 'a line break or a place after "$"'],
  ['a{1001}', 'more than 1000 repetitions'],
  ['\\N{DASH}', 'characters are not known by name: write \\u and their code'],
  ['(?L)a', 'the flag "L"'],
  ['\\b(oui|là)\\b', '"\\b" beside letters beyond ASCII, of which RE2 knows no words'],
  ['x\\B\\u00e9', '"\\b" beside letters beyond ASCII, of which RE2 knows no words'],
])('%j is a pattern that has no linear search: %s', (pattern, reason) => {
  expect(translatePattern(pattern)).toEqual({ ok: false, reason, isSyntax: false });
});

test.each([
  ['(a', 'a group does not end with ")"'],
  ['a)', 'a ")" too many'],
  ['[a', 'a class does not end with "]"'],
  ['*a', 'nothing to repeat before "*"'],
  ['a**', 'two repetitions in a row'],
  ['^*', 'a place cannot be repeated'],
  ['a{3,2}', 'no number is from 3 to 2'],
  ['\\q', '"\\q" means nothing'],
  ['a\\', 'it ends with a backslash'],
  ['[z-a]', 'there is no range from "z" to "a"'],
  ['\\xZZ', '"\\x" needs 2 hexadecimal digits'],
  ['a(?i)b', 'the flags "(?i)" do not stand at the beginning'],
  ['(?P<1>a)', '"1" is no name of a group'],
])('%j is no pattern: %s', (pattern, reason) => {
  expect(translatePattern(pattern)).toEqual({ ok: false, reason, isSyntax: true });
});

test('a pattern of many groups inside groups is refused and does not exhaust the stack', () => {
  const pattern = `${'('.repeat(100_000)}a${')'.repeat(100_000)}`;
  expect(translatePattern(pattern)).toMatchObject({ ok: false, isSyntax: false });
});

test.each(['\\b', '.\\b', '\\b.?', '(\\b|x)'])('many of %j make no large search', (part) => {
  for (const times of [8, 10, 11, 200]) {
    const translated = translatePattern(part.repeat(times));
    expect(JSON.stringify(translated).length).toBeLessThan(100_000);
  }
});

test.each([
  ['\\\\$[\\\\d,]+\\\\.\\\\d{2}', 'the doubled backslashes of a single-quoted YAML text'],
  ['$a', 'a letter after the end'],
  ['a$b|c$d', 'each way ends too early'],
  ['a\\Z\\n', 'a line break after the very end'],
  ['(a$)b', 'the end in a group'],
  ['(a|b)^c', 'the beginning after a character'],
  ['x\\Ay', 'the beginning of the text in the middle'],
])('%j can never match: %s', (pattern) => {
  expect(canNeverMatch(pattern)).toBe(true);
});

test.each([
  '\\$[\\d,]+\\.\\d{2}',
  '(?m)a$\\nb',
  '(?m)a\\n^b',
  'a$',
  'a$\\s',
  'a$(b|c)?',
  '^a|b^',
  '(^a)*b',
  '(a$|b)c',
  '(a)\\1',
  '(',
  '',
])('%j may match', (pattern) => {
  expect(canNeverMatch(pattern)).toBe(false);
});
