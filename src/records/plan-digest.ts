import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PasskError } from '../errors.ts';
import { moduleName } from '../source/module-name.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import { factsOf } from '../types/subjects.ts';
import type { StopRule } from '../types/stop-early.ts';
import { jsonText } from '../values/json-text.ts';
import { VERSION } from '../version.ts';
import { readPlain } from './open-plain.ts';
import { exactJsonText } from '../values/exact-json.ts';

export interface IdentityOptions {
  readonly seed: number;
  /** Failing scenarios that end the run; 0: none do. */
  readonly bail: number;
  /** Absent or null: every scenario runs all its trials. */
  readonly stopEarly?: StopRule | null;
  /** What the user granted, as flags. */
  readonly grantFlags?: readonly string[];
}

/** Everything that the results of this plan depend on. Functions given to `runSuite` count by name only. */
export async function identifyPlan(
  plan: RunPlan,
  { seed, bail, stopEarly = null, grantFlags: grants = [] }: IdentityOptions,
): Promise<PlanIdentity> {
  const plugins: PlanIdentity['plugins'][number][] = [];
  for (const module of plan.plugins) plugins.push({ name: moduleName(module), digest: await moduleDigest(module) });
  const scenarios = plan.scenarios.map((scenario) => ({
    name: scenario.scenario.name,
    file: scenario.scenario.file,
    trials: scenario.trials,
    digest: digestOf(scenarioText(scenario)),
  }));
  const rule = stopEarly === null ? {} : { stopEarly };
  const modules = await modulesOf(plan);
  return {
    passk: VERSION,
    seed,
    bail,
    ...rule,
    ...(grants.length > 0 && { grants }),
    plugins,
    ...(modules.length > 0 && { modules }),
    scenarios,
  };
}

type ModuleIdentities = NonNullable<PlanIdentity['modules']>;

async function modulesOf({ scenarios }: RunPlan): Promise<ModuleIdentities> {
  const places = new Map<string, string>();
  for (const { scenario, folder } of scenarios) {
    if (folder === undefined) continue;
    const facts = factsOf(scenario.subject);
    for (const file of [...facts.modules(scenario), ...facts.triedFiles(scenario)]) {
      places.set(file, path.resolve(folder, file));
    }
  }
  return identifyModules([...places].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Modules and programs by name and place. Those that are not there are left out: where one must be, the run itself says so. */
export async function identifyModules(places: Iterable<readonly [string, string]>): Promise<ModuleIdentities> {
  const modules: ModuleIdentities[number][] = [];
  for (const [name, place] of places) {
    const bytes = await readPlain(place).catch(() => null);
    if (bytes !== null) modules.push({ name, digest: digestOf(bytes) });
  }
  return modules;
}

/** The SHA-256 that identifies a plan, in hexadecimal. */
export function planDigest(identity: PlanIdentity): string {
  const { passk, seed, bail, stopEarly, grants, plugins, modules, scenarios } = identity;
  return digestOf(
    jsonText({
      passk,
      seed,
      bail,
      ...(stopEarly !== undefined && { stopEarly: { ...stopEarly } }),
      ...(grants !== undefined && { grants }),
      plugins: plugins.map(({ name, digest }) => ({ name, digest })),
      ...(modules !== undefined && { modules: modules.map(({ name, digest }) => ({ name, digest })) }),
      scenarios: scenarios.map(({ name, file, trials, digest }) => ({ name, file, trials, digest })),
    }),
  );
}

/**
 * A scenario's plan as JSON in the order in which it was written, but for what results do not depend on: its position, its
 * cassette, its folder, its isolation and where it comes from but for its suite.
 * The order is part of the plan: children are counted, schemas are checked and files are listed in it.
 */
export function scenarioText({ index: _, cassette: __, folder: ____, ...plan }: ScenarioPlan): string {
  const { isolation: ___, origin, ...scenario } = plan.scenario;
  // Reports and gates know the part of the test material.
  const suite = origin?.suite === undefined ? {} : { origin: { suite: origin.suite } };
  return exactJsonText({ ...plan, scenario: { ...scenario, ...suite } });
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function moduleDigest(module: string): Promise<string> {
  const url = module.startsWith('file:') ? module : import.meta.resolve?.(module);
  // Only the loader can find the files of a package, so its name stands for it.
  if (url?.startsWith('file:') !== true) return digestOf(module);
  try {
    return digestOf(await readFile(fileURLToPath(url)));
  } catch (cause) {
    throw new PasskError('PLUGIN', `Plug-in ${moduleName(module)} cannot be read again.`, {
      hint: 'Do not change plug-ins while passk runs.',
      cause,
    });
  }
}
