import type { CaseResult, SuiteOutcome, SuiteType } from '../../plugin/suite-type.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import {
  failuresOf,
  isSampled,
  type SampledScenario,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { PluginDefinition } from '../../types/suite.ts';
import type { PluginReport } from '../../types/reports/report.ts';
import { messageOf } from '../../values/message-of.ts';
import type { PartResult, SuiteVerbs } from '../suite-kind.ts';
import { loadPluginDocument } from './load-plugin-document.ts';
import { readOutcome } from './returned.ts';
import { firstNames } from '../../text/first-names.ts';

/** Cases that a reason names. */
const MOST_NAMED = 5;

/** What a run does with files that plug-ins load. */
export function pluginVerbs(
  suites: ReadonlyMap<string, SuiteType>,
  typeOf: (document: SourceDocument) => SuiteType | undefined,
): SuiteVerbs<PluginDefinition, PluginReport> {
  return {
    load(document) {
      const type = typeOf(document);
      if (type === undefined) throw new TypeError('No plug-in detects the document.');
      return Promise.resolve(loadPluginDocument(type, document));
    },
    notices: () => [],
    barOf: () => null,
    // What failed is kept as it ran: code of the user is not run again for a report.
    wants: () => [],
    fold: (definitions, parts) => ({
      results: definitions.map((definition) => foldOne(suites.get(definition.type), definition, parts)),
    }),
  };
}

function foldOne(
  type: SuiteType | undefined,
  { name, file, data, description, type: word }: PluginDefinition,
  parts: readonly PartResult[],
): PluginReport {
  if (type === undefined) throw new TypeError(`No plug-in brings the suite "${word}".`);
  const cases = parts.flatMap((part) => {
    const of = part.plan.scenario.part;
    return of?.kind === 'plugin' && of.of === name ? [{ part, case: of.case }] : [];
  });
  const results = cases.map(({ part: { report }, case: caseName }) => {
    return { name: caseName, trials: report.trials, checks: checksOf(report), failures: failuresOf(report) };
  });
  const { verdict, reasons, data: found = {} } = judgedOutcome(outcomeOf(type, { name, file, data }, results), results);
  return {
    kind: 'plugin',
    type: word,
    name,
    file,
    description: description ?? null,
    verdict,
    reasons: verdict === 'passed' ? [] : reasons,
    cases: cases.map(({ part: { report, replay }, case: caseName }) => {
      const [lowest] = failuresOf(report);
      return {
        name: caseName,
        trials: report.trials,
        checks: checksOf(report),
        message: lowest === undefined ? null : (lowest.brokenBy ?? lowest.findings[0]?.message ?? null),
        replay: lowest === undefined ? null : replay(lowest.trial),
      };
    }),
    data: found,
  };
}

/** What the plug-in says of the results. A plug-in that fails costs its own file a verdict, never the report of the run. */
function outcomeOf(
  type: SuiteType,
  { name, file, data }: Pick<PluginDefinition, 'name' | 'file' | 'data'>,
  results: readonly CaseResult[],
): SuiteOutcome {
  try {
    // A copy, because the report shows the same values.
    return readOutcome(type.fold({ name, data }, structuredClone(results)));
  } catch (error) {
    const reason = `The suite "${type.type}" could not fold the results of ${file}: ${messageOf(error).replace(/\.?$/, '.')}`;
    return { verdict: 'insufficient', reasons: [reason] };
  }
}

/** A case without a judged trial supports no pass, whatever the plug-in says of it. */
function judgedOutcome(outcome: SuiteOutcome, results: readonly CaseResult[]): SuiteOutcome {
  const unjudged = results.filter(({ trials }) => trials.passed + trials.failed === 0).map(({ name }) => name);
  if (outcome.verdict !== 'passed' || unjudged.length === 0) return outcome;
  const named = firstNames(
    unjudged.map((name) => JSON.stringify(name)),
    MOST_NAMED,
  );
  const reason = `No trial of ${named} could be judged, so the suite has not passed.`;
  return { ...outcome, verdict: 'insufficient', reasons: [reason] };
}

function checksOf(report: ScenarioReport): SampledScenario['checks'] {
  return isSampled(report) ? report.checks : [];
}
