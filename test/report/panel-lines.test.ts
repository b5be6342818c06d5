import { expect, test } from 'vitest';
import { htmlPanel } from '../../src/report/html/html-panels.ts';
import { panelLines, shortPanelLines } from '../../src/report/sections/panel-lines.ts';
import type { Panel } from '../../src/report/sections/panel.ts';
import { PLAIN_OPTIONS } from '../../src/report/plain-options.ts';
import { textStyle } from '../../src/report/text/text-style.ts';

const style = textStyle(PLAIN_OPTIONS);

function aPanel(sentences: readonly string[], isTrouble = false): Panel {
  return {
    title: 'Tides',
    isTitled: true,
    mark: null,
    headline: ['all of them were seen'],
    isTelling: true,
    isTrouble,
    blocks: [{ type: 'notes', tone: 'plain', sentences }],
  };
}

test('of a run with very many scenarios a long panel is its headline and how much more there is', () => {
  const long = aPanel(['one', 'two', 'three', 'four']);
  expect(panelLines(long, style)).toHaveLength(5);
  expect(shortPanelLines(long, style)).toEqual(['Tides: all of them were seen', '  … 4 lines more (--verbose)']);
});

test('a short panel, and one in which something is amiss, are shown whole all the same', () => {
  for (const panel of [aPanel(['one', 'two', 'three']), aPanel(['one', 'two', 'three', 'four'], true)]) {
    expect(shortPanelLines(panel, style)).toEqual(panelLines(panel, style));
  }
});

test('a page does not repeat in the headline what the mark beside it says; lines, which have no mark there, do', () => {
  const mark = { sign: '✗', word: 'high', name: 'too high', role: 'bad' } as const;
  const panel: Panel = { ...aPanel([]), mark, headline: ['too high', '3 tides'] };
  expect(htmlPanel(panel).headline).toEqual(['3 tides']);
  expect(htmlPanel({ ...panel, mark: null }).headline).toEqual(['too high', '3 tides']);
  expect(panelLines(panel, style)).toEqual(['Tides: too high · 3 tides']);
});
