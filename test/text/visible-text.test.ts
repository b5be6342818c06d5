import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inertLines, visibleJson, visibleLines, visibleText } from '../../src/text/visible-text.ts';
import { processorMs } from '../support/processor-time.ts';

const anyText = fc.string({ unit: 'binary' });
/** Parts that together may be a command to a CI runner. */
const command = fc
  .array(
    fc.constantFrom(
      ':',
      '::',
      '#',
      '##',
      '[',
      ']',
      'vso',
      'error',
      'teamcity',
      ' ',
      '\t',
      '\u00a0',
      '\n',
      '\r',
      'x',
      '\u001b[31m',
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

/** Controls, lone surrogates, bidirectional and invisible marks: written down apart from the list that is tested. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\p{Cs}\u{e0000}-\u{e007f}]/u;

/** As the runners of GitHub (old and new), Azure and TeamCity read a line. */
function isCommand(line: string): boolean {
  return /^::.*?::/.test(line.trim()) || /##\w*\[/.test(line);
}

describe('visible text', () => {
  test('leaves what people write alone', () => {
    const texts = [
      'Ångström, Ελλάδα, עברית, 中文, 👩‍👩‍👧 ❤️ 1️⃣ ❤️‍🔥',
      'می‌خواهم',
      '葛󠄀城',
      'a\u0301',
      'C++: std::vector',
      '# 1 ## two',
      '',
    ];
    expect(texts.map((text) => visibleText(text))).toEqual(texts);
  });

  test('shows what a terminal obeys, hides or reorders as escapes', () => {
    expect(
      visibleText('\u001b[31mred\u009b2J\r\n\tx\u202etxt\u2066a\u200bb\u0000\ud800\u{e0041}\u00ad\u3164\ufff9'),
    ).toBe(
      '\\u{1b}[31mred\\u{9b}2J\\r\\n\\tx\\u{202e}txt\\u{2066}a\\u{200b}b\\u{0}\\u{d800}\\u{e0041}\\u{ad}\\u{3164}\\u{fff9}',
    );
  });

  test('shows joiners and selectors that join nothing', () => {
    expect(visibleText('pass\u200dword a\ufe0f 😀\u200d\u200d ❤\ufe0f\ufe0f')).toBe(
      'pass\\u{200d}word a\\u{fe0f} 😀\u200d\\u{200d} ❤\ufe0f\\u{fe0f}',
    );
  });

  test('shows commands that runners find anywhere in a line', () => {
    expect(visibleText('a ##vso[task.setvariable] ###[error] ##TeamCity[x]')).toBe(
      'a \\u{23}#vso[task.setvariable] #\\u{23}#[error] \\u{23}#TeamCity[x]',
    );
  });

  test('stars out passwords in URLs, drops piled marks and cuts what nobody reads', () => {
    expect(visibleText('see https://user:hunter2@host/x')).toBe('see https://************@host/x');
    expect(visibleText(`z${'\u0335'.repeat(50)}o`)).toBe(`z${'\u0335'.repeat(4)}o`);
    expect(visibleText('x'.repeat(3000))).toBe(`${'x'.repeat(2048)}…`);
  });

  test('holds nothing that is obeyed, and is not changed by being shown again', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, command), (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(OBEYED);
        expect(/##\w*\[/.test(shown)).toBe(false);
        expect(visibleText(shown)).toBe(shown);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('visible lines', () => {
  test('stay lines; tabs become blanks', () => {
    expect(visibleLines('a\tb\r\nc\rd\n')).toBe('a  b\nc\\rd\n');
  });

  test('begin with no command, however far they are indented', () => {
    expect(visibleLines('::error::x\n \u3000::stop-commands::y\nstd::x\n:::z')).toBe(
      '\\u{3a}:error::x\n \u3000\\u{3a}:stop-commands::y\nstd::x\n\\u{3a}::z',
    );
  });

  test('keep the colours of passk, and no others, only where they are asked for', () => {
    const painted = '\u001b[31m::error::x\u001b[39m \u001b[8mhidden \u001b[1;31mx';
    expect(visibleLines(painted, { styled: true })).toBe(
      '\u001b[31m\\u{3a}:error::x\u001b[39m \\u{1b}[8mhidden \\u{1b}[1;31mx',
    );
    expect(visibleLines(painted)).toBe('\\u{1b}[31m::error::x\\u{1b}[39m \\u{1b}[8mhidden \\u{1b}[1;31mx');
  });

  test('hold no command of pieces in several colours', () => {
    expect(visibleLines('a #\u001b[31m#\u001b[39mvso\u001b[1m[x]', { styled: true })).toBe(
      'a \\u{23}\u001b[31m#\u001b[39mvso\u001b[1m[x]',
    );
    expect(visibleLines(' :\u001b[31m:error::x', { styled: true })).toBe(' \\u{3a}\u001b[31m:error::x');
    expect(inertLines('#\u001b[31m#\u001b[39m[x]')).toBe('\\u{23}\u001b[31m#\u001b[39m[x]');
  });

  test('hold no command and nothing that is obeyed', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, command), fc.boolean(), (text, styled) => {
        for (const line of visibleLines(text, { styled }).split('\n')) {
          const plain = line.replaceAll('\u001b[31m', '');
          expect(plain).not.toMatch(OBEYED);
          // Some runners take colours away before they look.
          expect([isCommand(line), isCommand(plain), /^\s*::/.test(plain)]).toEqual([false, false, false]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('lines that are visible already lose only their commands', () => {
    expect(inertLines('✓ a ##[error]x\n  ::error::y\nb')).toBe('✓ a \\u{23}#[error]x\n  \\u{3a}:error::y\nb');
  });
});

test('visible JSON has the same value, without what is obeyed', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(anyText, command), fc.oneof(anyText, command)), (value) => {
      const json = JSON.stringify(value, null, 2);
      const shown = visibleJson(json);
      expect(JSON.parse(shown)).toEqual(JSON.parse(json));
      for (const line of shown.split('\n')) {
        expect(line).not.toMatch(OBEYED);
        expect(isCommand(line)).toBe(false);
      }
    }),
    { numRuns: 1000 },
  );
});

test('showing takes time in proportion to a hostile text, not to its square', () => {
  const started = processorMs();
  visibleText('\u0301'.repeat(1_000_000), { longest: Number.POSITIVE_INFINITY });
  visibleLines(`${'#'.repeat(500_000)}\n${' '.repeat(500_000)}::`);
  visibleLines('\u001b[31m'.repeat(100_000), { styled: true });
  expect(processorMs() - started).toBeLessThan(20_000);
});
