import { plural } from '../text/format-number.ts';
import { plainText } from '../report/plain-text.ts';
import type { EvalResult } from '../types/release/eval-result.ts';
import { type Origin, SUITE_NAMES } from '../types/release/origin.ts';
import type { Scenario } from '../types/scenario.ts';
import { dollars } from './release-texts.ts';
import { TIER_RULES } from './tier-rules.ts';

/** What is known of a folder before it has settings for releases. */
export interface FirstSettings {
  readonly scenarios: readonly Pick<Scenario, 'name' | 'file' | 'origin'>[];
  /** Files that could not be loaded. */
  readonly unusable: number;
  readonly candidate: { readonly name: string; readonly version: string };
  /** The day that reviews and renewals would have, such as 2026-11-25. */
  readonly asOf: string;
  /** A file with prices that is there already, relative to the settings; null: there is none. */
  readonly rates: string | null;
  /** The release before; null: there is none. */
  readonly prior: EvalResult | null;
}

/** Files whose missing lines are listed. */
const MOST_FILES = 50;
const LONGEST_NAME = 200;

/** The table `[release]` of passk.toml for a folder, of tier dev, with comments. Unknown values are comments to fill in. */
export function firstReleaseSettings(settings: FirstSettings): string {
  const { candidate, rates, asOf } = settings;
  const { trials, outcome } = TIER_RULES.dev;
  const lines = [
    '# What a release is judged by: passk release run --key release.key --out release.json',
    '[release]',
    '# How much it is trusted with: dev, internal, beta or production.',
    'tier = "dev"',
    `candidate = { name = ${tomlText(candidate.name)}, version = ${tomlText(candidate.version)} }`,
    '# The release that reviews must name; without it, the version.',
    `# id = "${asOf.slice(0, 7)}"`,
    '# Prices. What nobody prices makes cost insufficient, never free.',
    rates === null ? '# rates = "rates.toml"' : `rates = ${tomlText(rates)}`,
    '',
    ...suiteLines(settings),
    '',
    '[release.tiers.dev]',
    `trials = ${trials}`,
    `outcome = [${outcome.map(tomlText).join(', ')}]`,
    '# Without a rule faithfulness is insufficient: name the scenarios that show it.',
    `# faithfulness = [${tomlText(`scenario(${exampleName(settings)}).pass_rate >= 0.9`)}]`,
    '# The share of attacks that may succeed, by an upper bound; without it, it is only reported.',
    '# max_attack_success = 0.2',
    ...ceilingLines(settings),
    ...missingLines(settings),
  ];
  return `${lines.join('\n')}\n`;
}

function suiteLines({ scenarios, unusable }: FirstSettings): readonly string[] {
  const rows = SUITE_NAMES.map((name) => {
    const ofSuite = scenarios.filter(({ origin }) => (origin?.suite ?? 'validation') === name);
    const silent = ofSuite.filter(({ origin }) => origin?.suite === undefined).length;
    const note = silent === 0 ? '' : `; ${silent} of them by default, since their files do not say`;
    return `#   ${name.padEnd(12)} ${ofSuite.length === 0 ? 'none' : `${plural(ofSuite.length, 'scenario')}${note}`}`;
  });
  const bad = unusable === 0 ? [] : [`#   ${plural(unusable, 'file')} cannot be loaded; passk validate says why`];
  return ['# Test material when this was written:', ...rows, ...bad];
}

function ceilingLines({ prior }: FirstSettings): readonly string[] {
  const cost = prior?.body.cost.perSuccessExactUsd ?? null;
  if (prior === null || cost === null) {
    return [
      '# The most that a success may cost, in USD; take it from a record that you trust.',
      '# max_cost_per_success = …',
    ];
  }
  const { name, version } = prior.body.candidate;
  const slack = TIER_RULES.production.costSlack ?? 1;
  return [
    `# The most that a success may cost: ${slack} times the ${dollars(cost)} of ${plainText(`${name} ${version}`, LONGEST_NAME)}.`,
    `# max_cost_per_success = ${Number((cost * slack).toPrecision(4))}`,
  ];
}

/** What each file still lacks for higher tiers. */
function missingLines(settings: FirstSettings): readonly string[] {
  const missing = settings.scenarios.flatMap(({ file, origin }) => {
    const lines = missingOf(origin ?? {}, settings);
    return lines.length === 0 ? [] : [{ file, lines }];
  });
  if (missing.length === 0) return [];
  const more = missing.length - MOST_FILES;
  return [
    '',
    '# Higher tiers ask where scenarios come from. Move these lines into the files, with what is true:',
    ...missing
      .slice(0, MOST_FILES)
      .flatMap(({ file, lines }) => ['#', `# ${plainText(file, LONGEST_NAME)}`, ...lines.map((line) => `#   ${line}`)]),
    ...(more > 0 ? ['#', `# and ${plural(more, 'more file')}`] : []),
  ];
}

function missingOf(origin: Origin, { asOf, candidate }: FirstSettings): readonly string[] {
  const { suite = 'validation', source, review, refreshed, consent, scrub, attack } = origin;
  const provenance = [
    ...(source === undefined ? ['source = { kind = "curated" }'] : []),
    ...(suite === 'validation' && review?.release !== candidate.version
      ? [`review = { by = "…", at = "${asOf}", release = ${tomlText(candidate.version)} }`]
      : []),
    ...((suite === 'regression' || suite === 'adversarial') && refreshed === undefined
      ? [`refreshed = "${asOf}"`]
      : []),
    ...(source?.kind === 'trace' && consent === undefined
      ? [`consent = { policy = "…", basis = "…", at = "${asOf}" }`]
      : []),
    ...(source?.kind === 'trace' && scrub === undefined ? [`scrub = { at = "${asOf}", removed = 0 }`] : []),
  ];
  return [
    ...(origin.suite === undefined ? ['suite = "validation"  # above the first table'] : []),
    ...(provenance.length === 0 ? [] : ['[provenance]', ...provenance]),
    ...(suite === 'adversarial' && attack === undefined ? ['[attack]', 'owasp = ["ASI01"]'] : []),
  ];
}

/** A name that needs no quotes in a rule. */
function exampleName({ scenarios }: FirstSettings): string {
  return scenarios.find(({ name }) => /^[\w -]{1,60}$/.test(name))?.name ?? 'NAME';
}

/** A basic string of TOML: JSON's escapes, and DEL, which JSON leaves as it is. */
function tomlText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F');
}
