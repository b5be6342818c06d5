import type { HistoryTrend } from '../../types/reports/history.ts';
import { padEnd, shortenMiddle, widest } from '../../text/display-width.ts';
import { plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { sparkline } from './sparkline.ts';
import type { TextStyle } from './text-style.ts';

const MOST_ROWS = 20;
const MOST_NAME = 32;
const MOST_POINTS = 20;

/** A row of bars for each scenario that ran before and did not always pass; if `verbose`, for each that ran before. */
export function trendLines(trends: readonly HistoryTrend[], style: TextStyle): readonly string[] {
  const withHistory = trends.filter(({ points }) => points.length > 1);
  if (withHistory.length === 0) return [];
  const uneven = withHistory.filter(({ points }) => points.some(({ passRate }) => passRate !== 1));
  const rows = style.verbose ? withHistory : uneven.slice(0, MOST_ROWS);
  const width = widest(rows.map(({ name }) => plainText(name, MOST_NAME)));
  const rest = withHistory.length - rows.length;
  const lines = rows.map(({ name, points }) => {
    const rate = points.at(-1)?.passRate ?? null;
    const cells = [shortenMiddle(plainText(name), width), sparkline(points, MOST_POINTS)];
    return `  ${padEnd(cells[0] ?? '', width)}  ${padEnd(cells[1] ?? '', MOST_POINTS)}  ${rate === null ? '-' : formatRate(rate)}`;
  });
  return [
    style.paint('strong', 'Pass rates over earlier runs, oldest first'),
    ...lines,
    ...(rest > 0 ? [style.paint('dim', `  ${plural(rest, 'scenario')} more: passk history shows all`)] : []),
  ];
}
