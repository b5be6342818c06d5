import { expect, test } from 'vitest';
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
