import type { SuiteReport } from '../types/report.ts';
import type { HtmlLive } from './html-model.ts';
import { htmlText } from './html-scenario.ts';
import { LIVE_COLUMNS, liveTexts } from './live-texts.ts';

const MOST_ROWS = 200;
const LONGEST = { name: 120, note: 600 } as const;

/** The calls to real models as the page shows them; null: there was none. */
export function htmlLive({ live, timing: clocks }: SuiteReport, timing: boolean): HtmlLive | null {
  if (live === undefined) return null;
  const { headline, notes, rows } = liveTexts(live, timing ? clocks.cassette : undefined);
  return {
    headline,
    notes: notes.map((note) => htmlText(note, LONGEST.note)),
    columns: LIVE_COLUMNS,
    rows: rows
      .slice(0, MOST_ROWS)
      .map(({ scenario, model, numbers }) => [
        htmlText(scenario, LONGEST.name),
        htmlText(model, LONGEST.name),
        numbers,
      ]),
    moreRows: Math.max(0, rows.length - MOST_ROWS),
  };
}
