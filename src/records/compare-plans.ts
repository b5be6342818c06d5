import { firstNames } from '../text/first-names.ts';
import type { PlanIdentity, ScenarioIdentity } from '../types/plan-identity.ts';
import { planDigest } from './plan-digest.ts';

/** Names that are listed before the rest is only counted. */
const SHOWN = 3;

/** How `theirs` differs from `ours`, in words; [] when they are the same plan. */
export function planDifferences(ours: PlanIdentity, theirs: PlanIdentity): readonly string[] {
  const differences: string[] = [];
  if (ours.passk !== theirs.passk) differences.push(`it is of passk ${theirs.passk}, this is ${ours.passk}`);
  if (ours.seed !== theirs.seed) differences.push(`its seed is ${theirs.seed}, not ${ours.seed}`);
  if (ours.bail !== theirs.bail)
    differences.push(`it was run ${theirs.bail === 0 ? 'without --bail' : `with --bail=${theirs.bail}`}`);
  if (ruleOf(ours) !== ruleOf(theirs)) differences.push(`it was run ${ruleOf(theirs)}, not ${ruleOf(ours)}`);
  if (grantsOf(ours) !== grantsOf(theirs))
    differences.push(`it was run with ${grantsOf(theirs)}, not ${grantsOf(ours)}`);
  differences.push(...pluginDifferences(ours, theirs), ...moduleDifferences(ours, theirs));
  const before = new Map(theirs.scenarios.map((scenario) => [keyOf(scenario), scenario]));
  const now = new Map(ours.scenarios.map((scenario) => [keyOf(scenario), scenario]));
  const removed = theirs.scenarios.filter((scenario) => !now.has(keyOf(scenario)));
  const added = ours.scenarios.filter((scenario) => !before.has(keyOf(scenario)));
  // A file that has moved has its scenarios under the same names.
  const places = new Set(added.map(({ name }) => name).filter((name) => removed.some((one) => one.name === name)));
  const both = ours.scenarios.flatMap((scenario) => {
    const other = before.get(keyOf(scenario));
    return other === undefined ? [] : [{ scenario, other }];
  });
  if (removed.length > 0) differences.push(`it has ${listed(removed, places)}, which this run has not`);
  if (added.length > 0) differences.push(`it lacks ${listed(added, places)}`);
  const trials = both.filter(({ scenario, other }) => scenario.trials !== other.trials);
  for (const { scenario, other } of trials.slice(0, SHOWN)) {
    differences.push(`it has ${other.trials} trials of "${scenario.name}", not ${scenario.trials}`);
  }
  const changed = both.filter(
    ({ scenario, other }) => scenario.trials === other.trials && scenario.digest !== other.digest,
  );
  // Another seed changes every digest, and has been named already.
  if (changed.length > 0 && ours.seed === theirs.seed) {
    differences.push(`${listed(changed.map(({ scenario }) => scenario))} had other contents, time limit or sampler`);
  }
  if (differences.length === 0 && planDigest(ours) !== planDigest(theirs))
    differences.push('its scenarios stand in another order');
  return differences;
}

function ruleOf({ stopEarly }: PlanIdentity): string {
  if (stopEarly === undefined) return 'without --stop-early';
  if (stopEarly.rule === 'curtail') return 'with --stop-early';
  return `with --stop-early=sprt (errors ${stopEarly.falsePass} and ${stopEarly.falseFail})`;
}

function grantsOf({ grants = [] }: PlanIdentity): string {
  return grants.length === 0 ? 'no grants' : grants.join(' ');
}

function pluginDifferences(ours: PlanIdentity, theirs: PlanIdentity): readonly string[] {
  const names = (plan: PlanIdentity): string => plan.plugins.map(({ name }) => name).join(', ') || 'none';
  if (names(ours) !== names(theirs)) return [`its plug-ins are ${names(theirs)}, not ${names(ours)}`];
  return ours.plugins
    .filter(({ digest }, index) => theirs.plugins[index]?.digest !== digest)
    .map(({ name }) => `plug-in ${name} has changed`);
}

/** Modules that only one of both names are told by their scenarios. */
function moduleDifferences({ modules = [] }: PlanIdentity, theirs: PlanIdentity): readonly string[] {
  const digests = new Map(modules.map(({ name, digest }) => [name, digest]));
  return (theirs.modules ?? [])
    .filter(({ name, digest }) => digests.has(name) && digests.get(name) !== digest)
    .map(({ name }) => `module ${name} has changed`);
}

function keyOf({ file, name }: ScenarioIdentity): string {
  return `${file}\n${name}`;
}

/** `places`: names that do not tell a scenario without its file. */
function listed(scenarios: readonly ScenarioIdentity[], places: ReadonlySet<string> = new Set()): string {
  const names = scenarios.map(({ name, file }) => (places.has(name) ? `"${name}" of ${file}` : `"${name}"`));
  const word = scenarios.length === 1 ? 'scenario' : 'scenarios';
  return `${word} ${firstNames(names, SHOWN)}`;
}
