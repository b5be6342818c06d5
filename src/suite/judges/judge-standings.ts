import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { JudgeStanding } from '../../types/judges/judge-report.ts';
import type { RunPlan } from '../../types/plan.ts';
import type { JudgeStandings } from './fold-judges.ts';

/** Whether the judges of a plan may decide, by their calibrations. Rejects with `INPUT` where one is named and cannot be read. */
export async function judgeStandings(
  { scenarios }: Pick<RunPlan, 'scenarios'>,
  { judges: settings, cwd }: Pick<ResolvedRunOptions, 'judges' | 'cwd'>,
): Promise<JudgeStandings> {
  const judges = new Map(scenarios.flatMap(({ judges: planned = [] }) => planned.map((judge) => [judge.name, judge])));
  const standings = new Map<string, JudgeStanding>();
  for (const [name, judge] of judges) {
    const file = settings.find((setting) => setting.name === name)?.calibration;
    if (file === undefined) continue;
    const { readCalibration } = await import('./calibrate-judge.ts');
    const { standingOf } = await import('./standing-of.ts');
    standings.set(name, standingOf(judge, readCalibration(file, { cwd })));
  }
  return standings;
}
