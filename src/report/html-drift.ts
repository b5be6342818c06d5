import type { DriftReport } from '../types/drift.ts';
import type { ForecastReport } from '../types/forecast.ts';
import { driftHeadline, driftOverall, driftRows } from './drift-lines.ts';
import { forecastTexts } from './forecast-lines.ts';
import type { HtmlDrift, HtmlForecast } from './html-model.ts';
import { htmlText } from './html-scenario.ts';

const MOST = { rows: 200, names: 100, notes: 20, payments: 200 } as const;
const LONGEST_NAME = 120;

/** The comparison with a baseline as the page shows it. */
export function htmlDrift(drift: DriftReport): HtmlDrift {
  const rows = driftRows(drift);
  const names = (list: DriftReport['added']): readonly string[] =>
    list.slice(0, MOST.names).map(({ name }) => htmlText(name, LONGEST_NAME));
  return {
    verdict: drift.verdict,
    headline: driftHeadline(drift),
    rows: rows
      .slice(0, MOST.rows)
      .map(({ sign, word, role, name, parts }) => [sign, word, role, htmlText(name, LONGEST_NAME), parts] as const),
    moreRows: Math.max(0, rows.length - MOST.rows),
    added: names(drift.added),
    vanished: names(drift.vanished),
    notes: drift.notes.slice(0, MOST.notes).map((note) => htmlText(note, 600)),
    overall: driftOverall(drift),
  };
}

/** The forecast as the page shows it. */
export function htmlForecast(forecast: ForecastReport): HtmlForecast {
  const { headline, rows } = forecastTexts(forecast);
  return { headline, rows: rows.slice(0, MOST.payments) };
}
