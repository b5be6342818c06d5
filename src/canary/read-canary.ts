import path from 'node:path';
import { PasskError } from '../errors.ts';
import { digestOf } from '../records/plan-digest.ts';
import { TIER_RULES } from '../release/tier-rules.ts';
import { camelKeys } from '../source/camel-keys.ts';
import { checkSchema } from '../source/check-schema.ts';
import type { Pointer } from '../source/place-tree.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { CanaryPlan, CanaryReleaseSource, CanaryStageRules } from '../types/canary/canary-plan.ts';
import type { Issue } from '../types/issue.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { canarySchema } from './canary-schema.ts';

/** A file of a rollout. */
export interface ReadCanary {
  readonly plan: CanaryPlan;
  /** SHA-256 of its canonical JSON: the layout and the comments of the file do not matter. */
  readonly configuration: string;
  readonly file: string;
}

/** Reads how a candidate is rolled out; relative paths start from `cwd`. Throws `INPUT` with all problems. */
export function readCanary(file: string, cwd: string): ReadCanary {
  const root = path.resolve(cwd);
  const absolute = path.resolve(root, file);
  const read = readSource(absolute, { root });
  if (!read.ok) throw unusable(read.issues);
  const parsed = parseToml(read.source);
  if (!parsed.ok) throw unusable(parsed.issues);
  const { document } = parsed;
  const issues = checkSchema(document, [], canarySchema);
  if (issues.length > 0) throw unusable(issues);
  // Checked against the schema just now.
  const plan = withDefaults(camelKeys(document.data, canarySchema) as unknown as WrittenPlan);
  const crossed = crossIssues(plan, document);
  if (crossed.length > 0) throw unusable(crossed);
  return { plan, configuration: digestOf(canonicalJson(document.data)), file: absolute };
}

/** Stages that the tier asks for and the plan leaves out, as shares of traffic in percent. */
export function missingStages({ tier, stages }: CanaryPlan): readonly number[] {
  return TIER_RULES[tier].canary.filter((percent) => !stages.some((stage) => stage.percent === percent));
}

type Written<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

interface WrittenPlan extends Written<Omit<CanaryPlan, 'stages' | 'release'>> {
  readonly release?: Written<CanaryReleaseSource> & Pick<CanaryReleaseSource, 'record' | 'publicKey'>;
  readonly candidate: string;
  readonly tier: CanaryPlan['tier'];
  readonly stages: readonly (Written<CanaryStageRules> &
    Pick<CanaryStageRules, 'percent' | 'minOutcomes' | 'maxOutcomes' | 'minPassRate' | 'maxErrorRate'>)[];
}

function withDefaults({ stages, release, ...written }: WrittenPlan): CanaryPlan {
  return {
    baseline: null,
    level: 0.95,
    lookEvery: 10,
    maxViolations: 0,
    maxCostPerOutcome: null,
    ...written,
    release: release === undefined ? null : { log: null, ...release },
    stages: stages.map((stage) => ({
      minHours: 0,
      maxHours: null,
      k: 4,
      minPassHatK: null,
      maxDrop: null,
      maxCostPerSuccess: null,
      maxLatencyMs: null,
      maxSlow: 0.05,
      ...stage,
    })),
  };
}

/** What the schema cannot say. */
function crossIssues(plan: CanaryPlan, document: SourceDocument): readonly Issue[] {
  const issues: Issue[] = [];
  const add = (at: Pointer, message: string, hint: string): void => {
    issues.push({ code: 'canary_rule', severity: 'error', message, hint, at: document.locate(at, 'value') });
  };
  plan.stages.forEach((stage, place) => {
    const at = (key: string): Pointer => ['stages', place, key];
    const before = plan.stages[place - 1];
    if (before !== undefined && before.percent >= stage.percent) {
      add(
        at('percent'),
        `Stage ${stage.percent} % comes after stage ${before.percent} %.`,
        'Write stages with rising shares.',
      );
    }
    if (stage.maxOutcomes < stage.minOutcomes) {
      add(
        at('max_outcomes'),
        `The stage ends after ${stage.maxOutcomes} outcomes, and needs ${stage.minOutcomes}.`,
        'Make `max_outcomes` at least `min_outcomes`.',
      );
    }
    if (stage.maxHours !== null && stage.maxHours <= stage.minHours) {
      add(
        at('max_hours'),
        `The stage ends after ${stage.maxHours} hours, and lasts ${stage.minHours}.`,
        'Make `max_hours` more than `min_hours`.',
      );
    }
    if (stage.minPassRate === 1 || stage.minPassHatK === 1) {
      add(
        at(stage.minPassRate === 1 ? 'min_pass_rate' : 'min_pass_hat_k'),
        'No number of outcomes shows a rate of 1.',
        'Give a floor below 1, such as 0.99.',
      );
    }
    for (const [key, value, idle] of [
      ['min_pass_rate', stage.minPassRate, 0],
      ['min_pass_hat_k', stage.minPassHatK, 0],
      ['max_drop', stage.maxDrop, 1],
      ['max_slow', stage.maxLatencyMs === null ? null : stage.maxSlow, 1],
      ['max_error_rate', stage.maxErrorRate, 1],
    ] as const) {
      if (value !== idle) continue;
      const hint = idle === 0 ? 'Give a floor above 0.' : 'Give a share below 1.';
      add(at(key), `Every candidate keeps a bar of ${idle}, so that it shows nothing.`, hint);
    }
    if (stage.maxCostPerSuccess !== null && plan.maxCostPerOutcome === null) {
      add(
        at('max_cost_per_success'),
        'Bounds of a cost need the most that one outcome can cost.',
        'Give `max_cost_per_outcome` at the top of the file.',
      );
    }
    if (stage.maxSlow === 0 && stage.maxLatencyMs !== null) {
      add(at('max_slow'), 'No number of outcomes shows a share of 0.', 'Give a ceiling above 0, such as 0.01.');
    }
    if (stage.maxDrop !== null && plan.baseline === null) {
      add(
        at('max_drop'),
        'There is no baseline to compare with.',
        'Give its version as `baseline` at the top of the file.',
      );
    }
    if (stage.maxDrop !== null && stage.percent === 100) {
      add(
        at('max_drop'),
        'At 100 % the baseline answers nothing, so that there is nothing to compare with.',
        'Leave `max_drop` out of this stage.',
      );
    }
  });
  if (plan.baseline === plan.candidate) {
    add(
      ['baseline'],
      'Baseline and candidate are one version.',
      'Outcomes say their version; give each arm one of its own.',
    );
  }
  return issues;
}

function unusable(issues: readonly Issue[]): PasskError {
  return new PasskError('INPUT', 'The canary cannot be used.', { issues });
}
