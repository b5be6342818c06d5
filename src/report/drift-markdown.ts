import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { driftLines } from './drift-lines.ts';
import { forecastLines } from './forecast-lines.ts';
import { codeBlock } from './markdown-text.ts';
import { textStyle } from './text-style.ts';

/** Drift and forecast as Markdown; quiet, only what got worse. */
export function driftBlocks({ drift, forecast }: SuiteReport, options: RenderOptions): readonly string[] {
  const style = textStyle({ ...options, color: false, columns: 100 });
  const blocks: string[] = [];
  if (drift !== undefined && (!options.quiet || drift.verdict === 'fail')) {
    blocks.push(`\n### Drift\n\n${codeBlock(driftLines(drift, style).join('\n'))}`);
  }
  if (forecast !== undefined && !options.quiet) {
    blocks.push(`\n### Forecast\n\n${codeBlock(forecastLines(forecast, style).join('\n'))}`);
  }
  return blocks;
}
