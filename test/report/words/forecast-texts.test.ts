import { expect, test } from 'vitest';
import { forecast } from '../../../src/baseline/forecast.ts';
import { forecastTexts } from '../../../src/report/words/forecast-texts.ts';
import { anExactScenario } from '../a-report.ts';

test('a forecast of enumerated scenarios says that it is exact, and of nothing what more trials would show', () => {
  const exact = anExactScenario({ passRate: 0.75, tokens: 15 });
  expect(forecastTexts(forecast([exact], { runsPerDay: [1000], prices: 5 }))).toEqual({
    headline: 'Forecast at 20 tokens per success; exact, because all answers are enumerated',
    rows: [
      {
        facts: ['1,000 successful runs/day', '20,000 tokens/day', '600,000 tokens/month'],
        payments: ['3.00 USD/month'],
      },
    ],
  });
});
