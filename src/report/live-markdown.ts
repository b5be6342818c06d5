import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { plural } from './format-number.ts';
import { LIVE_COLUMNS, liveTexts } from './live-texts.ts';
import { codeBlock, codeCell } from './markdown-text.ts';
import { plainText } from './plain-text.ts';

/** Without `verbose`, more rows than this are counted instead of shown. */
const MOST_ROWS = 50;

/** A table of the calls to real models, with what to know before trusting it. */
export function liveBlocks({ live, timing: clocks }: SuiteReport, options: RenderOptions): readonly string[] {
  if (live === undefined) return [];
  const { headline, notes, rows } = liveTexts(live, options.timing ? clocks.cassette : undefined);
  const said = codeBlock(notes.map((note) => plainText(note, 600)).join('\n'));
  const head = `\n### Live models: ${headline.join(' · ')}\n\n${said}`;
  if (rows.length === 0 || options.quiet) return [head];
  const header = `\n| scenario | model | ${LIVE_COLUMNS.join(' | ')} |\n|---|---|${'--:|'.repeat(LIVE_COLUMNS.length)}\n`;
  const shown = options.verbose ? rows : rows.slice(0, MOST_ROWS);
  const lines = shown.map(
    ({ scenario, model, numbers }) =>
      `| ${[codeCell(plainText(scenario, 120)), codeCell(plainText(model, 120)), ...numbers].join(' | ')} |\n`,
  );
  const more = rows.length - shown.length;
  return [
    head,
    `${header}${lines[0] ?? ''}`,
    ...lines.slice(1),
    ...(more > 0 ? [`\n… ${plural(more, 'row')} more.\n`] : []),
  ];
}
