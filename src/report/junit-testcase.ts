import type { RenderOptions } from '../types/render-options.ts';
import type { ScenarioReport } from '../types/report.ts';
import { failureText } from './failure-text.ts';
import { flakyText } from './flaky-text.ts';
import { folderOf } from './fold-folders.ts';
import { formatInterval, formatMean } from './format-number.ts';
import { plainText } from './plain-text.ts';
import type { ScenarioOutcome } from './scenario-outcome.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';

/** Longer names and values are of no use in a list of tests. */
const LONGEST = 300;

/** One scenario as a `testcase` element, indented by four blanks. */
export function junitTestcase(one: ScenarioOutcome, options: RenderOptions): string {
  const { scenario } = one;
  const name = plainText(scenario.name, LONGEST);
  const file = plainText(scenario.file, LONGEST);
  const attributes = { name, classname: className(scenario.file), file, time: seconds(virtualSeconds(scenario)) };
  const elements = [propertiesElement(scenario), ...verdictElements(one, options), ...outputElements(scenario)];
  return `    <testcase${xmlAttributes(attributes)}>\n${elements.join('')}    </testcase>\n`;
}

/** The class of a file's tests: Jenkins takes what stands before the last dot for a package, so folders become its parts. */
export function className(file: string): string {
  const parts = folderOf(file)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return 'passk';
  return plainText(parts.map((part) => part.replaceAll('.', '_')).join('.'), LONGEST);
}

/** Virtual time of all trials of a scenario. */
export function virtualSeconds({ virtualMs, trials }: ScenarioReport): number {
  return ((virtualMs.mean ?? 0) * (trials.executed + trials.deduplicated)) / 1000;
}

/** Seconds as digits: never in scientific notation, which readers of JUnit files do not know. */
export function seconds(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

function propertiesElement(scenario: ScenarioReport): string {
  const { trials, passRate, passRateInterval, strictPassK, passHatK, cost, seed, sampler } = scenario;
  const values: readonly (readonly [name: string, value: string | number | null])[] = [
    ['seed', seed],
    ['sampler', sampler],
    ['trials', trials.executed + trials.deduplicated],
    ['stop_early', scenario.stopEarly?.reason ?? null],
    ['passed', trials.passed],
    ['failed', trials.failed],
    ['broken', trials.broken],
    ['pass_rate', passRate],
    ['pass_rate_interval_95', passRateInterval === null ? null : formatInterval(passRateInterval)],
    ['min_pass_rate', scenario.minPassRate],
    ['strict_pass_k', strictPassK],
    ...passHatK.filter(isListed).map(({ k, value }) => [`pass^${k}`, value] as const),
    ...exactProperties(scenario),
    ['tokens_per_trial', cost.mean === null ? null : formatMean(cost.mean.llmTokens)],
  ];
  const lines = values.flatMap(([name, value]) =>
    value === null ? [] : [`        <property${xmlAttributes({ name, value })}/>\n`],
  );
  return `      <properties>\n${lines.join('')}      </properties>\n`;
}

function exactProperties({ exact }: ScenarioReport): readonly (readonly [string, string | number | null])[] {
  if (exact === undefined) return [];
  const { leaves, passRate, passRateFraction, costPerSuccess, failingSequences } = exact;
  return [
    ['exact.leaves', leaves],
    ['exact.pass_rate', passRate],
    ['exact.pass_rate_fraction', passRateFraction],
    ...exact.passHatK
      .filter(({ k }) => k > 1 && k <= 64 && Number.isInteger(Math.log2(k)))
      .map(({ k, value }) => [`exact.pass^${k}`, value] as const),
    ['exact.cost_per_success', costPerSuccess],
    ['exact.failing_sequences', failingSequences],
  ];
}

/** Powers of two and all trials: the others can be read off them. */
function isListed({ k }: { readonly k: number }, i: number, all: ScenarioReport['passHatK']): boolean {
  return Number.isInteger(Math.log2(k)) || i === all.length - 1;
}

function verdictElements(one: ScenarioOutcome, options: RenderOptions): readonly string[] {
  const { scenario, outcome, counts, cause } = one;
  if (outcome === 'passed') return [];
  if (outcome === 'skipped') return [`      <skipped${xmlAttributes({ message: counts })}/>\n`];
  const element = outcome === 'failed' ? 'failure' : 'error';
  const message = cause === '' ? counts : `${counts} — ${cause}`;
  const text = xmlText(failureText(scenario, options));
  return [`      <${element}${xmlAttributes({ message, type: failureType(one) })}>${text}\n</${element}>\n`];
}

/** What lists of failures are grouped by. */
function failureType({ scenario, outcome }: ScenarioOutcome): string {
  if (outcome === 'broken') return 'broken';
  if (outcome === 'load_error') return plainText(scenario.loadErrors[0]?.code ?? 'load_error', LONGEST);
  return plainText(scenario.checks[0]?.check ?? 'pass_rate', LONGEST);
}

/** What the number of passing trials hides. */
function outputElements(scenario: ScenarioReport): readonly string[] {
  const text = scenario.verdict === 'load_error' ? null : flakyText(scenario);
  return text === null ? [] : [`      <system-out>${xmlText(text.replaceAll('\u00a0', ' '))}</system-out>\n`];
}
