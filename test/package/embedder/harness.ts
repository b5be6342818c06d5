import {
  isSampled,
  type NodeDefinition,
  type PasskError,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
} from 'passk';
import type { NodeType, Step } from 'passk/plugin';
import { clusteredInterval, type ClusteredInterval } from 'passk/stats';

const options: RunSuiteOptions = { paths: ['scenarios'], trials: 10, seed: 1, workers: 0 };
const report: SuiteReport = await runSuite(options);
export const verdict: 'pass' | 'fail' | 'insufficient' = report.gate.verdict;
export const rates: readonly (number | null)[] = report.scenarios.map((scenario) =>
  isSampled(scenario) ? scenario.passRate : null,
);

// @ts-expect-error The report is read-only.
report.seed = 2;
// @ts-expect-error An unknown option is a mistake.
export const mistyped: RunSuiteOptions = { trails: 10 };

export function codeOf(error: PasskError): string {
  return error.code;
}

export const clustered: ClusteredInterval | null = clusteredInterval([{ trials: 4, passed: 3 }]);

export type Plugged = NodeType<Record<never, never>> | Step;

declare module 'passk' {
  interface NodeKeys {
    readonly shout: { readonly inputFrom: string };
  }
}

export const nodes: readonly NodeDefinition[] = [
  { id: 'greet', type: 'template_render', template: 'Hello.', retry: { maxAttempts: 2 } },
  { id: 'loud', type: 'shout', inputFrom: 'greet.rendered' },
  // @ts-expect-error A misspelt key of a built-in type is a mistake.
  { id: 'typo', type: 'template_render', tempalte: 'Hello.' },
  // @ts-expect-error So is one of a declared type.
  { id: 'typo', type: 'shout', inputForm: 'greet.rendered' },
  // @ts-expect-error So is a type that nobody has declared.
  { id: 'unknown', type: 'whisper', inputFrom: 'greet.rendered' },
];
