import { createHash } from 'node:crypto';
import { claimsPromptHash } from '../../faithfulness/claims-question.ts';
import { promptHash, rubricHash } from '../../judges/judge-prompt.ts';
import type { CalibrationPins } from '../../types/judges/judge-calibration.ts';
import type { JudgeModel, PlannedJudge } from '../../types/judges/judge.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';

type Pinned = Pick<PlannedJudge, 'name' | 'models' | 'criteria' | 'background' | 'repeats' | 'compares' | 'claims'>;

/** What a calibration of a configured judge is about: its models and how they are asked, passk's prompt, and its rubric. */
export function pinsOfJudge({
  name,
  models,
  criteria,
  background,
  repeats,
  compares,
  claims,
}: Pinned): CalibrationPins {
  const asked = models.map(pinnedModel);
  const { threshold } = claims ?? {};
  const splitter = claims?.splitter === undefined ? undefined : pinnedModel(claims.splitter);
  const named = models.map((model) => model.endpoint?.model ?? model.name);
  return {
    judge: {
      name: `${name} (${named.join(', ')})`,
      sha256: sha256(
        JSON.stringify({
          asked,
          repeats,
          ...(splitter !== undefined && { splitter }),
          ...(threshold !== undefined && { threshold }),
        }),
      ),
    },
    prompt: {
      name: 'prompt of passk',
      sha256:
        claims === undefined
          ? promptHash({ compares: compares === true })
          : claimsPromptHash({ splits: splitter !== undefined }),
    },
    rubric: {
      name: `rubric of ${name}`,
      sha256:
        claims === undefined
          ? rubricHash({ criteria, background })
          : sha256(JSON.stringify({ minScore: claims.minScore, background })),
    },
  };
}

function pinnedModel({ name, endpoint, module }: JudgeModel): string | readonly unknown[] {
  if (module !== undefined) return ['module', module.sha256];
  return endpoint === undefined ? name : answersOf(endpoint);
}

/** What of an endpoint decides its answers. Keys, prices and limits do not. */
function answersOf({ provider, model, baseUrl, temperature, maxTokens, ...more }: ModelEndpoint): readonly unknown[] {
  const { topP, seed, stop, reasoningEffort, headers, body } = more;
  const settings = { topP, seed, stop, reasoningEffort, headers, body };
  const asked = [provider, model, baseUrl ?? null, temperature ?? null, maxTokens ?? null];
  // Calibrations from before there were such settings hold where none is made.
  return Object.values(settings).every((value) => value === undefined) ? asked : [...asked, settings];
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
