import type { RenderOptions } from '../../types/render-options.ts';
import type { ScenarioReport } from '../../types/reports/scenario-report.ts';
import { failureBody } from '../text/failure-lines.ts';
import { fileStyle } from '../text/text-style.ts';

/** What went wrong in a scenario, in harmless lines without colour: checks, expected and got, path, replay command. */
export function failureText(scenario: ScenarioReport, options: RenderOptions): string {
  return failureBody(scenario, fileStyle(options)).join('\n');
}
