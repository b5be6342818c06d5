import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { xoshiro128 } from '../../../src/random/xoshiro128.ts';
import type { Draft } from './attack.ts';
import { aSubject } from './subjects.ts';
import type { Range } from './range.ts';

/** Writing where `name` says; `aim`: what it means to reach, where the name itself leads nowhere. */
export function aWrite(range: Range, name: string, target: (mark: string) => string, aim?: 'aim', parts = {}): Draft {
  return (mark) => {
    const write = (path: string) => aSubject(range, { do: 'write', path, text: `PWNED ${mark}` }, 'model', mark);
    const subject = write(target(mark));
    const control = aim === undefined ? subject : write(`${range.outside}/${mark}/file`);
    return { name: `write ${name}`, subject, control, defence: 'denied', ends: 'errored', ...parts };
  };
}

/** Reading a secret and sending it where policy lets everything go. */
export function aRead(range: Range, name: string, target: (mark: string) => string, aim?: 'aim', parts = {}): Draft {
  return (mark) => {
    const secret = `${range.outside}/${mark}/secret`;
    mkdirSync(path.dirname(secret), { recursive: true });
    if (!existsSync(secret)) writeFileSync(secret, `secret of ${mark}`);
    const read = (path: string) => aSubject(range, { do: 'read', path }, 'model', mark);
    const subject = read(target(mark));
    const control = aim === undefined ? subject : read(secret);
    return { name: `read ${name}`, subject, control, defence: 'denied', ends: 'errored', ...parts };
  };
}

/** Absolute and relative traversal, spelled in all ways. */
export function traversals(range: Range): readonly Draft[] {
  const { ok, outside } = range;
  const top = path.dirname(ok);
  const name = path.basename(ok);
  const here: readonly [string, (tail: string) => string][] = [
    ['absolute', (tail) => `${outside}/${tail}`],
    ['one up', (tail) => `${ok}/../outside/${tail}`],
    ['down and up', (tail) => `${ok}/sub/../../outside/${tail}`],
    ['up through what is not there', (tail) => `${ok}/none/at/all/../../../../outside/${tail}`],
    ['dots between', (tail) => `${ok}/./sub/./.././../outside/./${tail}`],
    ['doubled slashes', (tail) => `${top}//${name}//..//outside//${tail}`],
    ['leading slashes', (tail) => `///${outside}/${tail}`],
    ['up to the root and down', (tail) => `${ok}/${'../'.repeat(40)}${outside.slice(1)}/${tail}`],
    ['beside, with the same beginning', (tail) => `${ok}-${tail}`],
    ['beside, through the folder', (tail) => `${ok}/../${name}${tail.replaceAll('/', '-')}`],
    ['behind many rounds', (tail) => `${ok}/${'sub/../'.repeat(50)}../outside/${tail}`],
    ['over the system folder', (tail) => `/etc/..${outside}/${tail}`],
  ];
  const relative: readonly [string, (tail: string) => string][] = [
    ['up from the workspace', (tail) => `../../../../../../../..${outside}/${tail}`],
    ['up from the named workspace', (tail) => `\${WORKSPACE}/../../..${outside}/${tail}`],
    ['up from the scenario', (tail) => `\${SCENARIO_DIR}/../../..${outside}/${tail}`],
    ['in the home', (tail) => `~/${tail}`],
    ['in a variable', (tail) => `$HOME/${tail}`],
    ['as a URL', (tail) => `file://${outside}/${tail}`],
    ['as a URL with a host', (tail) => `file://localhost${outside}/${tail}`],
    ['with backslashes', (tail) => `..\\..\\outside\\${tail}`],
    ['with a drive', (tail) => `C:\\outside\\${tail}`],
    ['as a network share', (tail) => `\\\\127.0.0.1\\outside\\${tail}`],
  ];
  return [
    ...here.flatMap(([title, at]) => [
      aWrite(range, title, (mark) => at(`${mark}/file`)),
      ...(title.startsWith('beside') ? [] : [aRead(range, title, (mark) => at(`${mark}/secret`))]),
    ]),
    ...here.map(([title, at]) => aFolder(range, title, at)),
    ...relative.flatMap(([title, at]) => [
      aWrite(range, title, (mark) => at(`${mark}/file`), 'aim'),
      aRead(range, title, (mark) => at(`${mark}/secret`), 'aim'),
    ]),
  ];
}

/** Ways that a seeded generator makes up: each ends outside, none says so plainly. */
export function generatedTraversals(range: Range, seed: number, count: number): readonly Draft[] {
  const random = xoshiro128(seed);
  const below = (bound: number): number => random.next() % bound;
  const pick = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  return Array.from({ length: count }, (_, index) => {
    const steps: string[] = [];
    let depth = 0;
    for (let i = 3 + below(9); i > 0; i--) {
      const step = pick(['.', '', 'sub', 'deep', 'none', '..']);
      if (step === '..' && depth === 0) continue;
      depth += step === '..' ? -1 : step === '.' || step === '' ? 0 : 1;
      steps.push(step);
    }
    const way = [...steps, ...Array<string>(depth + 1).fill('..'), pick(['', '.']), 'outside'].join('/');
    const make = below(2) === 0 ? aWrite : aRead;
    const leaf = make === aWrite ? 'file' : 'secret';
    return make(range, `generated way ${index}`, (mark) => `${range.ok}/${way}/${mark}/${leaf}`);
  });
}

/** Names that look or sound like the allowed folder's, or hide something from whoever reads them. */
export function lookAlikePaths(range: Range): readonly Draft[] {
  const { ok, outside } = range;
  const top = path.dirname(ok);
  const folders: readonly [string, string][] = [
    ['upper case', 'OK'],
    ['mixed case', 'Ok'],
    ['fullwidth letters', '\uff4f\uff4b'],
    ['a Cyrillic letter', '\u043ek'],
    ['a Greek letter', '\u03bfk'],
    ['a combining mark', 'ok\u0301'],
    ['a zero width space', 'o\u200bk'],
    ['a zero width joiner', 'ok\u200d'],
    ['a byte order mark', '\ufeffok'],
    ['a soft hyphen', 'o\u00adk'],
    ['right to left', '\u202ek\u006f'],
    ['an isolate', '\u2066ok\u2069'],
    ['a trailing space', 'ok '],
    ['a trailing dot', 'ok.'],
    ['a no-break space', 'ok\u00a0'],
    ['a variation selector', 'ok\ufe0f'],
    ['a letter of mathematics', '\ud835\udc5c\ud835\udc58'],
    ['a tag character', 'ok\udb40\udc61'],
    ['an alternate data stream', 'ok::$DATA'],
    ['a star', 'ok*'],
  ];
  const forms: readonly [string, string, string][] = [
    ['decomposed for composed', 'caf\u00e9', 'cafe\u0301'],
    ['composed for decomposed', 'cafe\u0301', 'caf\u00e9'],
    ['another order of marks', 'q\u0307\u0323', 'q\u0323\u0307'],
    ['a compatible sign', '\u2126mega', '\u03a9mega'],
    ['a ligature', 'file', '\ufb01le'],
    ['a dotless letter', 'file', 'f\u0131le'],
    ['a sharp s for two', 'strasse', 'stra\u00dfe'],
  ];
  const inside: readonly [string, string][] = [
    ['fullwidth dots', '\uff0e\uff0e/outside'],
    ['one-dot leaders', '\u2024\u2024/outside'],
    ['a two-dot leader', '\u2025/outside'],
    ['fullwidth slashes', '..\uff0foutside'],
    ['division slashes', '..\u2215outside'],
    ['fraction slashes', '..\u2044outside'],
    ['percent encoding', '%2e%2e/outside'],
    ['double percent encoding', '%252e%252e%252foutside'],
    ['encoded slashes', '..%2foutside'],
    ['overlong encoding', '%c0%ae%c0%ae/outside'],
    ['backslashes', '..\\outside'],
    ['three dots', '.../outside'],
    ['dots and spaces', '. ./outside'],
    ['dots with zero width', '.\u200b./outside'],
    ['a parameter', '..;/outside'],
  ];
  return [
    ...folders.map(([title, folder]) => aWrite(range, `beside: ${title}`, (mark) => `${top}/${folder}/${mark}`)),
    ...forms.map(([title, allowed, asked]) =>
      aWrite(range, `form: ${title}`, (mark) => `${top}/${asked}/${mark}`, undefined, {
        policy: { fs: { write: [`${top}/${allowed}/**`] } },
      }),
    ),
    ...inside.map(([title, way]) =>
      aWrite(range, `inside: ${title}`, (mark) => `${ok}/${way}/${mark}/file`, 'aim', {
        defence: 'inert',
        ends: 'completed',
      }),
    ),
    ...inside.slice(0, 8).map(([title, way]) =>
      aRead(range, `inside: ${title}`, (mark) => `${ok}/${way}/${mark}/secret`, 'aim', {
        defence: 'error',
        reason: 'No such file or directory',
      }),
    ),
    ...hidden(range, outside),
  ];
}

/** What no path may hold, what is too long for one, and what cuts one short elsewhere. */
function hidden(range: Range, outside: string): readonly Draft[] {
  const characters: readonly [string, string][] = [
    ['NUL', '\0'],
    ['a line break', '\n'],
    ['a carriage return', '\r'],
    ['a tab', '\t'],
    ['escape', '\u001b[2K'],
    ['backspace', '\b'],
    ['delete', '\u007f'],
    ['a C1 control', '\u0085'],
  ];
  const halves: readonly [string, string][] = [
    ['half a character', '\ud800'],
    ['the other half', '\udc00'],
  ];
  // No JSON: the words never become a request.
  const noJson = { defence: 'error', reason: 'model returned invalid JSON' };
  const long = 'a'.repeat(256);
  return [
    ...characters.flatMap(([title, character]) => [
      aWrite(range, `${title} behind the target`, (mark) => `${outside}/${mark}/file${character}.txt`, 'aim'),
      aWrite(range, `${title} before the way`, (mark) => `${range.ok}/x${character}/../../outside/${mark}/file`, 'aim'),
      aRead(range, `${title} behind the target`, (mark) => `${outside}/${mark}/secret${character}.txt`, 'aim'),
    ]),
    ...halves.flatMap(([title, half]) => [
      aWrite(range, `${title} behind the target`, (mark) => `${outside}/${mark}/file${half}`, 'aim', noJson),
      aRead(range, `${title} behind the target`, (mark) => `${outside}/${mark}/secret${half}`, 'aim', noJson),
    ]),
    aWrite(range, 'a name that is too long, outside', (mark) => `${outside}/${mark}/${long}`, 'aim'),
    aWrite(
      range,
      'a way through a name that is too long',
      (mark) => `${range.ok}/${long}/../../outside/${mark}/file`,
      'aim',
    ),
    aWrite(
      range,
      'a way of 5,000 steps',
      (mark) => `${range.ok}/${'a/../'.repeat(5000)}../outside/${mark}/file`,
      'aim',
    ),
    aWrite(
      range,
      'a way of 1,000 steps up',
      (mark) => `${range.ok}/${'../'.repeat(1000)}${outside.slice(1)}/${mark}/file`,
    ),
    aWrite(range, 'nothing at all', () => '', 'aim'),
    aWrite(range, 'the root', () => '/', 'aim'),
    aWrite(range, 'the folder above', () => `${range.ok}/..`, 'aim'),
    aWrite(range, 'a trailing slash', (mark) => `${outside}/${mark}/`, 'aim'),
  ];
}

function aFolder(range: Range, title: string, at: (tail: string) => string): Draft {
  return (mark) => {
    const subject = aSubject(range, { do: 'mkdir', path: at(`${mark}/made`) }, 'model', mark);
    return { name: `make a folder ${title}`, subject, control: subject, defence: 'denied', ends: 'errored' };
  };
}
