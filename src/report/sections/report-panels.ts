import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { attackPanel } from './attack-panel.ts';
import { driftPanel } from './drift-panel.ts';
import { goldenPanels } from './golden-panels.ts';
import { generatedPanel } from './generated-panel.ts';
import { forecastPanel } from './forecast-panel.ts';
import { judgedIn, judgesPanel } from './judges-panel.ts';
import { livePanel } from './live-panel.ts';
import { ladderPanel } from './ladder-panel.ts';
import { matrixPanel } from './matrix-panel.ts';
import type { Panel } from './panel.ts';
import { releasePanels } from './release-panels.ts';
import { progressingScenarios, progressPanel } from './progress-panel.ts';
import { personaPanel, scenariosOfPersonas } from './persona-panel.ts';
import { robustnessPanel } from './robustness-panel.ts';
import { simulatedScenarios, userPanel } from './user-panel.ts';
import { recordedPanel, recordedScenarios } from './recorded-panel.ts';

/** The panels that stand before all results. */
export function leadPanels({ release, golden }: SuiteReport): readonly Panel[] {
  return [
    ...(release === undefined ? [] : releasePanels(release)),
    ...(golden === undefined ? [] : goldenPanels(golden)),
  ];
}

/** The panels about the run as a whole. */
export function reportPanels(
  {
    scenarios,
    results,
    attacks,
    generated = [],
    matrices = [],
    ladders = [],
    robustness,
    live,
    forecast,
    drift,
    timing: clocks,
  }: SuiteReport,
  { timing }: Pick<RenderOptions, 'timing'>,
): readonly Panel[] {
  const recorded = recordedScenarios(scenarios);
  const played = scenariosOfPersonas(scenarios);
  const simulated = simulatedScenarios(scenarios);
  const judged = judgedIn({ scenarios, results });
  const progressing = progressingScenarios(scenarios);
  const asksModelsAlone = scenarios.length === 0 && results.every(({ kind }) => kind === 'model');
  return [
    ...matrices.map(matrixPanel),
    ...(recorded.length === 0 ? [] : [recordedPanel(recorded)]),
    ...(progressing.length === 0 ? [] : [progressPanel(progressing)]),
    ...(played.length === 0 ? [] : [personaPanel(played)]),
    ...(robustness === undefined ? [] : [robustnessPanel(robustness)]),
    ...mutatedContracts(results),
    ...(attacks === undefined ? [] : [attackPanel(attacks)]),
    ...(generated.length === 0 ? [] : [generatedPanel(generated)]),
    ...ladders.map((ladder) => ladderPanel(ladder, timing ? clocks.ladders : [])),
    ...(simulated.length === 0 ? [] : [userPanel(simulated)]),
    ...(judged.length === 0 ? [] : [judgesPanel(judged)]),
    ...(live === undefined
      ? []
      : [livePanel(live, timing ? clocks.cassette : undefined, asksModelsAlone ? 'test' : 'scenario')]),
    ...(forecast === undefined ? [] : [forecastPanel(forecast)]),
    ...(drift === undefined ? [] : [driftPanel(drift)]),
  ];
}

function mutatedContracts(results: SuiteReport['results']): readonly Panel[] {
  return results.flatMap((result) =>
    'robustness' in result && result.robustness !== undefined ? [robustnessPanel(result.robustness, result.name)] : [],
  );
}
