import type { ForecastReport } from '../../types/reports/forecast.ts';
import { forecastTexts } from '../words/forecast-texts.ts';
import type { Panel } from './panel.ts';

/** What further runs cost, for each rate and way to pay. */
export function forecastPanel(forecast: ForecastReport): Panel {
  const { headline, rows } = forecastTexts(forecast);
  return {
    title: 'Forecast',
    isTitled: false,
    mark: null,
    headline: [headline],
    isTelling: forecast.tokensPerSuccess !== null,
    isTrouble: false,
    blocks: [
      {
        type: 'listing',
        corner: '',
        headers: [],
        groups: [rows.map(({ facts, payments }) => ({ mark: null, name: '', parts: facts, lines: payments }))],
      },
    ],
  };
}
