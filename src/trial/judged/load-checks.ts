import type { LoadedCode } from '../../checks/loaded-code.ts';
import type { GrantedEffects } from '../../effects/granted/create-effects.ts';
import { PasskError } from '../../errors.ts';
import { exportedFunction } from '../../plugin/import-module.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { HasProcessCode } from '../../types/scenarios/process-code.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { JudgingCode, JudgingModule, JudgingPlugin } from '../../types/scenarios/code-check.ts';
import { codeKey, isFunction, isModule, judgingCode } from '../../types/scenarios/judging-code.ts';
import { failedText } from '../../values/thrown-at.ts';
import { codeOf } from '../../plugin/process-code.ts';

interface LoadChecksOptions extends HasProcessCode {
  readonly registry: Registry;
  readonly moduleUrl: GrantedEffects['moduleUrl'] | null;
}

/** The functions of the user that judge the trials of a scenario, by `codeKey`. Throws where one cannot be had. */
export async function loadChecks(
  { expected, file: scenarioFile }: Scenario,
  { registry, moduleUrl, processCode }: LoadChecksOptions,
): Promise<LoadedCode> {
  const checkOf = (code: JudgingCode): unknown => {
    if (isFunction(code)) return codeOf(code.code, processCode);
    return isModule(code) ? ofModule(code, moduleUrl, scenarioFile) : ofPlugin(code, registry);
  };
  const loaded = new Map<string, unknown>();
  for (const code of judgingCode(expected)) loaded.set(codeKey(code), await checkOf(code));
  return loaded;
}

async function ofModule(
  { file, exported }: JudgingModule,
  moduleUrl: LoadChecksOptions['moduleUrl'],
  scenarioFile: string,
): Promise<unknown> {
  if (moduleUrl === null) throw new PasskError('USAGE', `The module ${file} is not granted.`);
  return exportedFunction({ url: moduleUrl(file, scenarioFile), file, exported }, 'The check');
}

function ofPlugin({ plugin, settings }: JudgingPlugin, { checks }: Registry): unknown {
  const type = checks.get(plugin);
  if (type === undefined) throw new PasskError('PLUGIN', `There is no check "${plugin}".`);
  let check: unknown;
  try {
    check = type.create(structuredClone(settings));
  } catch (cause) {
    throw new PasskError('PLUGIN', `The check "${plugin}" ${failedText(cause, new Error('here'))}`, { cause });
  }
  if (typeof check === 'function') return check;
  throw new PasskError('PLUGIN', `\`create\` of the check "${plugin}" gave no function.`);
}
