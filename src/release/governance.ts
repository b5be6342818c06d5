import { plural } from '../text/format-number.ts';
import { SUITE_NAMES } from '../types/release/origin.ts';
import type { GovernanceFinding } from '../types/release/eval-body.ts';
import { assumedSuites } from './assumed-suites.ts';
import type { PlannedEvidence, ReleaseEvidence, TriedScenario } from './evidence.ts';

/** What the rules about test material are asked of. */
interface Governed
  extends Pick<ReleaseEvidence, 'results' | 'candidate' | 'rules' | 'release' | 'asOf' | 'canary' | 'prior'> {
  readonly scenarios: readonly (PlannedEvidence & Pick<TriedScenario, 'passed' | 'failed'>)[];
  /** Scenarios, and other results whose files say which suite they belong to. */
  readonly material: readonly Material[];
}

type Material = Pick<PlannedEvidence, 'name' | 'suite' | 'origin'>;

/** What is missing in the test material of a release, and in what it says of itself. Sources: S-01 to S-07, M-11, D-02, D-07, D-08, V-02. */
export function governanceOf(evidence: Omit<Governed, 'material'>): readonly GovernanceFinding[] {
  const parts = evidence.results.flatMap(({ name, suite, origin = {} }) =>
    suite === undefined ? [] : [{ name, suite, origin }],
  );
  const governed = { ...evidence, material: [...evidence.scenarios, ...parts] };
  return [
    ...missingSuites(governed),
    ...withoutSuite(governed),
    ...dropped(governed),
    ...otherPrior(governed),
    ...copies(governed),
    ...unreviewed(governed),
    ...stale(governed),
    ...uncontrolledTraces(governed),
    ...goldenSize(governed),
    ...unpinned(governed),
    ...missingCanary(governed),
    ...trajectoryGate(governed),
  ];
}

/** What was not tried is no scenario of its suite: models without their keys, and scenarios all of whose trials ended in errors. */
function missingSuites({ scenarios, results, rules }: Governed): readonly GovernanceFinding[] {
  const tried = [
    ...scenarios.filter(({ passed, failed }) => passed + failed > 0),
    ...results.filter(({ verdict }) => verdict !== 'skipped'),
  ];
  return rules.suites
    .filter((name) => !tried.some(({ suite }) => suite === name))
    .map((name) => {
      const broken = scenarios.filter(({ suite }) => suite === name);
      const what = broken.length === 0 ? 'has no scenario' : 'was not tried: all of its trials ended in errors';
      return finding('MISSING_SUITE', `The suite ${name} ${what}.`, broken);
    });
}

/** Tiers that are governed refuse such scenarios before anything runs. */
function withoutSuite({ scenarios, results }: Governed): readonly GovernanceFinding[] {
  const open = assumedSuites({ scenarios, results });
  if (open.length === 0) return [];
  const message = `${subjectText(open, 'scenario', 'says no suite, and counts', 'say no suite, and count')} as validation.`;
  return [{ ...finding('SUITE_ASSUMED', message, open), verdict: 'pass' }];
}

/** Whoever leaves out what failed before must say so to whoever reads the record. A new name leaves nothing out. */
function dropped({ scenarios, rules, prior }: Governed): readonly GovernanceFinding[] {
  if (!rules.governed || prior === null) return [];
  const identities = new Set(scenarios.flatMap(({ name, hash }) => [name, hash]));
  const gone = prior.scenarios.filter(
    ({ name, hash = name, suite }) => suite !== 'exploration' && !identities.has(name) && !identities.has(hash),
  );
  if (gone.length === 0) return [];
  const message = `${subjectText(gone, 'scenario', 'of the release before is', 'of the release before are')} gone.`;
  return [{ code: 'DROPPED', verdict: 'insufficient', message, scenarios: gone.map(({ name }) => name) }];
}

/** Finds a release before that is one of something else, whose cost is no ceiling and whose scenarios are no others'. */
function otherPrior({ candidate, rules, prior }: Governed): readonly GovernanceFinding[] {
  if (!rules.governed || prior === null || prior.candidate.startsWith(`${candidate.name} `)) return [];
  const message = `The release before is one of ${prior.candidate}, and no earlier one of ${candidate.name}.`;
  return [{ code: 'OTHER_PRIOR', verdict: 'insufficient', message, scenarios: [] }];
}

/** Finds copies of scenarios: copies of an easy one would raise every mean. */
function copies({ scenarios, rules }: Governed): readonly GovernanceFinding[] {
  const duplicates = scenarios.filter(({ copyOf }) => copyOf !== null);
  if (!rules.governed || duplicates.length === 0) return [];
  const what = `${subjectText(duplicates, 'scenario', 'tries', 'try')} the same as another one.`;
  return [finding('DUPLICATE', what, duplicates)];
}

/** Finds scenarios of validation without a review for this release: validation decides. */
function unreviewed({ material, rules, release, asOf }: Governed): readonly GovernanceFinding[] {
  if (!rules.governed) return [];
  const open = material.filter(
    ({ suite, origin: { review } }) => suite === 'validation' && !(review?.release === release && isDone(review, asOf)),
  );
  if (open.length === 0) return [];
  const what = `${subjectText(open, 'scenario', 'of validation has', 'of validation have')} no review for release ${release}${aheadText(open, asOf, 'review')}.`;
  return [finding('UNREVIEWED', what, open)];
}

function stale({ material, rules, asOf }: Governed): readonly GovernanceFinding[] {
  return SUITE_NAMES.flatMap((name) => {
    const most = rules.maxAgeDays[name];
    if (most === undefined) return [];
    const ofSuite = material.filter(({ suite }) => suite === name);
    const old = ofSuite.filter(
      ({ origin }) => origin.refreshed === undefined || !isFresh(origin.refreshed, asOf, most),
    );
    if (old.length === 0) return [];
    const who = subjectText(old, 'scenario', `of ${name} was`, `of ${name} were`);
    const what = `${who} not renewed within ${plural(most, 'day')} before ${asOf}.`;
    return [finding(`STALE_${name.toUpperCase()}`, what, old)];
  });
}

function isFresh(day: string, asOf: string, most: number): boolean {
  return isDone({ at: day }, asOf) && (Date.parse(asOf) - Date.parse(day)) / MS_PER_DAY <= most;
}

/** A day that lies ahead was written by a clock that is wrong, or by somebody who wants it to look done. */
function isDone(what: { readonly at: string } | undefined, asOf: string): boolean {
  // Any time of that day has come.
  return what !== undefined && Date.parse(what.at) < Date.parse(asOf) + MS_PER_DAY;
}

/** How many of them say a day that lies ahead. */
function aheadText(open: readonly Material[], asOf: string, what: 'review' | 'consent' | 'scrub'): string {
  const ahead = open.filter(({ origin }) => origin[what] !== undefined && !isDone(origin[what], asOf));
  return ahead.length === 0 ? '' : `, ${ahead.length} of them for a day that lies after ${asOf}`;
}

const MS_PER_DAY = 24 * 3600 * 1000;

function uncontrolledTraces({ material, rules, asOf }: Governed): readonly GovernanceFinding[] {
  if (!rules.governed) return [];
  const traces = material.filter(({ origin }) => origin.source?.kind === 'trace');
  const without = traces.filter(({ origin }) => !isDone(origin.consent, asOf));
  const unscrubbed = traces.filter(({ origin }) => !isDone(origin.scrub, asOf));
  const noConsent = `${subjectText(without, 'trace', 'has', 'have')} no consent by a policy${aheadText(without, asOf, 'consent')}.`;
  const notScrubbed = `${subjectText(unscrubbed, 'trace', 'was', 'were')} not scrubbed of personal data${aheadText(unscrubbed, asOf, 'scrub')}.`;
  return [
    ...(without.length === 0 ? [] : [finding('NO_CONSENT', noConsent, without)]),
    ...(unscrubbed.length === 0 ? [] : [finding('UNSCRUBBED', notScrubbed, unscrubbed)]),
  ];
}

function goldenSize({ scenarios, rules }: Governed): readonly GovernanceFinding[] {
  if (rules.golden === null) return [];
  const [least, most] = rules.golden;
  const count = scenarios.filter(({ suite }) => suite === 'regression').length;
  // Without any, the suite itself is missing.
  if (count === 0 || (count >= least && count <= most)) return [];
  return [
    finding(
      'GOLDEN_SIZE',
      `The suite regression has ${plural(count, 'scenario')}; it must have ${least} to ${most}.`,
      [],
    ),
  ];
}

function unpinned({ candidate, rules }: Governed): readonly GovernanceFinding[] {
  const { modelPins } = candidate;
  if (modelPins.length === 0 && rules.pinned) return [{ ...finding('UNNAMED_MODEL', UNNAMED, []), verdict: 'pass' }];
  const floating = modelPins.filter(({ isFloating }) => isFloating);
  if (floating.length === 0) return [];
  const names = floating.map(({ role, model }) => `${role} (${model})`).join(', ');
  const message = `The name of a model may mean another model tomorrow: ${names}.`;
  return [{ ...finding('UNPINNED_MODEL', message, []), verdict: rules.pinned ? 'fail' : 'pass' }];
}

/** A word, because not every candidate asks a model, and turns of files name none. */
const UNNAMED =
  'No model is named, so nobody can tell whether production asks the one that was tried: see [release.models].';

function missingCanary({ rules, canary }: Governed): readonly GovernanceFinding[] {
  const missing = rules.canary.filter(
    (percent) => !canary.some((stage) => stage.percent === percent && stage.criterion.trim() !== ''),
  );
  if (missing.length === 0) return [];
  const message = `The tier needs a canary; no criterion for ${missing.map((percent) => `${percent} %`).join(', ')}.`;
  return [{ ...finding('CANARY_REQUIRED', message, []), verdict: 'fail' }];
}

/** Judges of trajectories err in three of ten that they call successful, so that whoever lets them decide must say so. */
function trajectoryGate({ rules }: Governed): readonly GovernanceFinding[] {
  if (!rules.allowTrajectoryGate) return [];
  const message = 'Rules on the trajectory decide, which tells how something was done better than whether it was.';
  return [{ ...finding('TRAJECTORY_GATE', message, []), verdict: 'pass' }];
}

/** `1 scenario tries`, `2 scenarios try`. */
function subjectText(found: readonly unknown[], noun: string, ofOne: string, ofMany: string): string {
  return `${plural(found.length, noun)} ${found.length === 1 ? ofOne : ofMany}`;
}

function finding(code: string, message: string, scenarios: readonly Pick<Material, 'name'>[]): GovernanceFinding {
  return { code, verdict: 'insufficient', message, scenarios: scenarios.map(({ name }) => name) };
}
