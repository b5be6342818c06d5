import type { MeasuredShare } from '../../types/judges/judge-calibration.ts';
import type { JudgeReport } from '../../types/judges/judge-report.ts';
import { formatCount } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { reliabilityPoints } from '../judges/reliability-lines.ts';
import { plainText } from '../plain-text.ts';
import type { FigureRow, Figures } from './panel.ts';

/**
 * What is known of a judge as tables, where reports have them: what it gets right, what it prefers besides, and how far it
 * can be believed. In text its row says all of it.
 */
export function judgeFigures(scenario: string, judge: JudgeReport): readonly Figures[] {
  const { accuracy, probes } = judge;
  const name = judge.judge;
  const row = (other: string, cells: readonly string[]): FigureRow => ({ names: [name, other], cells, parts: [] });
  const tables: Figures[] = [];
  const measured = [...measures(judge)].map(([what, share]) => row(what, shareCells(share)));
  if (measured.length > 0) {
    tables.push({ type: 'figures', corners: ['judge', 'calibration'], headers: HEADERS, rows: measured });
  }
  if (probes.length > 0) {
    tables.push({
      type: 'figures',
      corners: ['judge', 'probe'],
      headers: ['found', 'interval', 'rows', 'bar'],
      rows: probes.map(({ probe, value, interval, items, verdict }) =>
        row(probe, [
          value === null ? 'unknown' : value.toFixed(2),
          interval === null ? '' : `[${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}]`,
          formatCount(items),
          verdict,
        ]),
      ),
    });
  }
  const points = accuracy === null ? [] : reliabilityPoints(accuracy);
  if (points.length > 0) {
    tables.push({
      type: 'figures',
      corners: ['judge', 'of what'],
      headers: ['items', 'people passed', 'interval'],
      rows: points.map(({ name: of, items, share, interval }) =>
        row(of, [formatCount(items), formatRate(share), formatInterval(interval)]),
      ),
      chart: {
        type: 'reliability',
        name: plainText(`${name} on ${scenario}`, LONGEST_NAME),
        marks: points.map(({ confidence, share, interval: [low, high], items }) => {
          return { confidence, share, low, high, items };
        }),
      },
    });
  }
  return tables;
}

const LONGEST_NAME = 120;
const HEADERS = ['share', 'interval', 'labels or trials'] as const;

/** Shares by their names. */
function measures({ accuracy, corrected, decided, passed }: JudgeReport): ReadonlyMap<string, MeasuredShare> {
  const shares = new Map<string, MeasuredShare>();
  if (accuracy === null) return shares;
  shares.set('passes what people pass', accuracy.sensitivity);
  shares.set('fails what people fail', accuracy.specificity);
  if (decided > 0)
    shares.set('passed by itself', { items: decided, agreed: passed, share: passed / decided, interval: null });
  if (corrected !== null) {
    shares.set('people would pass', {
      items: decided,
      agreed: passed,
      share: corrected.rate,
      interval: corrected.interval,
    });
  }
  return shares;
}

function shareCells({ share, interval, items }: MeasuredShare): readonly string[] {
  return [
    share === null ? 'unknown' : formatRate(share),
    interval === null ? '' : formatInterval(interval),
    formatCount(items),
  ];
}
