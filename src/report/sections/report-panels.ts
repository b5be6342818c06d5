import type { SuiteReport } from '../../types/report.ts';
import { driftPanel } from './drift-panel.ts';
import { forecastPanel } from './forecast-panel.ts';
import type { Panel } from './panel.ts';

/** What a report tells of the run as a whole beside its results. */
export function reportPanels({ forecast, drift }: Pick<SuiteReport, 'forecast' | 'drift'>): readonly Panel[] {
  return [
    ...(forecast === undefined ? [] : [forecastPanel(forecast)]),
    ...(drift === undefined ? [] : [driftPanel(drift)]),
  ];
}
