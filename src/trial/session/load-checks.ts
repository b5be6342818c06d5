import { PasskError } from '../../errors.ts';
import { exportedFunction } from '../../plugin/import-module.ts';
import type { SessionCheck } from '../../plugin/session-check.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { SessionTools } from './compile-session.ts';

/** The functions of the user that judge the sessions of a plan, by the names of their checks. Throws where one cannot be had. */
export async function loadChecks(
  { scenario }: SessionPlan,
  { moduleUrl = null, judges = true }: Pick<SessionTools, 'moduleUrl' | 'judges'>,
): Promise<ReadonlyMap<string, SessionCheck>> {
  const loaded = new Map<string, SessionCheck>();
  if (!judges) return loaded;
  for (const { name, file, exported } of scenario.expected.modules ?? []) {
    if (moduleUrl === null) throw new PasskError('USAGE', `The module ${file} is not granted.`);
    const url = moduleUrl(file, scenario.file);
    loaded.set(name, (await exportedFunction({ url, file, exported }, 'The check')) as SessionCheck);
  }
  return loaded;
}
