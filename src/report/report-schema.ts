import type { JsonObject } from '../types/json.ts';
import { REPORT_SCHEMA } from '../types/report.ts';
import { COUNTERS } from '../types/scenario.ts';
import { contractSchema, overallSchema } from './contract-schema.ts';
import { driftSchema, forecastSchema } from './drift-schema.ts';
import { liveSchema } from './live-schema.ts';
import { gateExpression } from './gate-schema.ts';
import { scenarioSchema } from './scenario-schema.ts';
import {
  count,
  fraction,
  issues,
  list,
  measure,
  nullable,
  object,
  oneOf,
  reasons,
  record,
  strings,
  text,
  trialCounts,
} from './schema-parts.ts';

/** The report's shape as a JSON Schema. The order of its properties is the order of keys in the JSON report. */
export const reportSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: REPORT_SCHEMA,
  title: 'passk report',
  ...object(
    {
      schema: { const: REPORT_SCHEMA, description: 'Version of this shape; readers refuse what they do not know.' },
      passk: text('Version of passk that ran.'),
      seed: count('The seed of every draw that no scenario overrides.'),
      partial: { type: 'boolean', description: 'Stopped before its end; numbers cover what had run.' },
      summary: object({
        scenarios: count('All scenarios: passed, failed and those that did not load.'),
        passed: count(),
        failed: count(),
        loadErrors: count('Files that did not load.'),
        trials: trialCounts,
        meanStrictPassK: nullable(fraction('Mean of the strict pass^k; a scenario that did not load counts 0.')),
        meanPassRate: nullable(fraction('Mean of the pass rates; a scenario that did not load counts 0.')),
        passHatK: list(
          object({
            k: count(),
            value: fraction(),
            interval: nullable({
              ...list(fraction(), '95 %, for more trials of these scenarios; null with stopEarly.'),
              minItems: 2,
              maxItems: 2,
            }),
          }),
          'pass^k of the suite, the mean over scenarios, up to the fewest trials of one.',
        ),
        total: record(COUNTERS, 'Sums over all trials of all scenarios.'),
        first: record(COUNTERS, "Sums over every scenario's first trial."),
        costPerSuccess: nullable(measure('Tokens of all trials over passing trials.')),
        reasons,
      }),
      scenarios: list(scenarioSchema, 'In the order of discovery.'),
      contracts: list(contractSchema, 'In the order of discovery; absent without a contract.'),
      overall: overallSchema,
      coverage: object({
        total: count('Capabilities in the matrix.'),
        observed: strings('Seen in passing trials, in matrix order.'),
        claimed: strings('Tagged by a passing scenario, never seen; also among the uncovered.'),
        uncovered: strings('Never seen in a passing trial, in matrix order.'),
        unknown: strings('Tags outside the matrix.'),
        fraction: fraction('observed / total.'),
        byTags: strings('Tagged by passing scenarios, sorted: the rule of agentd-conformance.'),
      }),
      security: object({
        scenarios: count('Scenarios that claim security_injection.'),
        observed: count("Of these: a passing trial was seen in which policy denied what a model's words had aimed at."),
        trials: count('Trials of them that passed or failed.'),
        broken: count('Trials of them that say nothing, because the harness failed.'),
        denials: count('Requests that policy denied in all of their trials.'),
        succeeded: count('Trials in which something did not hold that the scenario expects under attack.'),
        successRate: nullable(fraction('succeeded / trials.')),
        reasons,
      }),
      gate: object({
        verdict: oneOf('pass', 'fail', 'insufficient'),
        minPassRate: nullable(fraction("The suite's floor.")),
        reasons: strings('Sentences; [] when the gate passed.'),
        violations: list(
          object(
            {
              scenario: text(),
              passRate: nullable(fraction()),
              exactPassRate: fraction('Instead, where answers are enumerated.'),
              required: fraction(),
            },
            ['exactPassRate'],
          ),
          'Scenarios below the higher of their own bar and the floor.',
        ),
        expressions: list(gateExpression, 'What each gate expression said, in the order given.'),
      }),
      drift: driftSchema,
      forecast: forecastSchema,
      live: liveSchema,
      notices: issues('Warnings of files, then of the run.'),
      timing: {
        ...object(
          {
            root: text('The folder that names of files start from, as seen from where passk ran; absent: that folder.'),
            startedAt: text('UTC, ISO 8601.'),
            durationMs: measure(),
            trialsPerSecond: nullable(measure()),
            workers: count(),
            executor: oneOf('inline', 'workers', 'queue'),
            queue: list(
              object({ name: text(), workers: count(), trials: count(), trialsPerSecond: nullable(measure()) }),
              'The worker processes that took part; absent without a queue.',
            ),
            isolation: {
              const: 'process',
              description: 'Code of the user, and what was granted, ran in processes of their own; absent: in threads.',
            },
            cassette: {
              ...object({ mode: oneOf('record', 'replay'), name: text() }),
              description: 'The file that answers were kept in or taken from; absent without one.',
            },
            host: object({ platform: text(), cores: count(), node: text() }),
          },
          ['root', 'queue', 'isolation', 'cassette'],
        ),
        description: 'Clocks, workers and host: all that may differ between equal runs. Left out on request.',
      },
    },
    ['contracts', 'overall', 'drift', 'forecast', 'live', 'timing'],
  ),
};
