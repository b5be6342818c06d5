import { createHash } from 'node:crypto';
import { promptHash, rubricHash } from '../../judges/judge-prompt.ts';
import type { CalibrationPins } from '../../types/judges/judge-calibration.ts';
import type { PlannedJudge } from '../../types/judges/judge.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';

type Pinned = Pick<PlannedJudge, 'name' | 'models' | 'criteria' | 'background' | 'repeats' | 'compares'>;

/** What a calibration of a configured judge is about: its models and how they are asked, passk's prompt, and its rubric. */
export function pinsOfJudge({ name, models, criteria, background, repeats, compares }: Pinned): CalibrationPins {
  const asked = models.map(({ name: model, endpoint }) => (endpoint === undefined ? model : answersOf(endpoint)));
  const named = models.map((model) => model.endpoint?.model ?? model.name);
  return {
    judge: { name: `${name} (${named.join(', ')})`, sha256: sha256(JSON.stringify({ asked, repeats })) },
    prompt: { name: 'prompt of passk', sha256: promptHash({ compares: compares === true }) },
    rubric: { name: `rubric of ${name}`, sha256: rubricHash({ criteria, background }) },
  };
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
