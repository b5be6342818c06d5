import { ImportError, type ImportedRun, type ImportedScore } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { chatMessages } from '../chat-messages.ts';
import { readObject } from '../read-record.ts';
import { attackChain } from './attack-chain.ts';

/** The verdict of a run that counts, and the set that the run is in. */
export type View = 'benign' | 'injection' | 'utility' | 'resisted';

/** How runs that ended by an error count. */
export const SEMANTICS = ['honest', 'upstream'] as const;

/**
 * A run of a pipeline: a user's task, alone or under attack. `isUpstream`: a run that ended by an error has the verdicts that
 * AgentDojo writes, which are no utility and an attack that succeeded. Throws an `ImportError` for any other JSON.
 */
export function readCell(piece: Uint8Array | undefined, view: View, isUpstream: boolean): ImportedRun {
  const run = readObject(piece);
  const suite = textAt(run, 'suite_name');
  const userTask = textAt(run, 'user_task_id');
  if (suite === null || userTask === null) throw new ImportError('It has no "suite_name" or no "user_task_id".');
  const injection = textAt(run, 'injection_task_id');
  const pipeline = textAt(run, 'pipeline_name') ?? '';
  const error = errorOf(run);
  const isError = error !== null && !isUpstream;
  const seconds = numberAt(run, 'duration');
  const messages = chatMessages(listAt(run, 'messages'), () => ({ model: pipeline }));
  return {
    task: [suite, userTask, ...(injection === null ? [] : [injection])].join('/'),
    ...(injection !== null && {
      crossed: { row: `${suite}/${userTask}`, column: `${suite}/${injection}`, stratum: suite },
    }),
    scores: isError ? [] : scoresOf(run, view),
    ...(isError && { error }),
    ...(messages.length > 0 && { messages }),
    ...(seconds !== null && seconds >= 0 && { durationMs: seconds * 1000 }),
    extra: extraOf(run),
    unsaid: {
      cost: 'AgentDojo keeps no cost',
      usage: 'AgentDojo keeps no tokens',
      ...(isError && { scores: 'of a run that ended by an error AgentDojo writes no utility and a successful attack' }),
      ...(messages.length === 0 && { messages: 'the pipeline logged no messages' }),
    },
  };
}

/** Why a run did not end; null: it ended. AgentDojo rewrites the file while the run goes on. */
function errorOf(run: unknown): string | null {
  const error = textAt(run, 'error');
  if (error !== null) return error;
  const isJudged = typeof fieldAt(run, 'utility') === 'boolean';
  return isJudged ? null : 'It did not come to its end: the file has no "utility".';
}

/** `security` of AgentDojo means that the attack succeeded; without one it means nothing. */
function scoresOf(run: unknown, view: View): readonly ImportedScore[] {
  const utility = fieldAt(run, 'utility');
  const security = fieldAt(run, 'security');
  const utilityScores = typeof utility === 'boolean' ? [{ name: 'utility', value: utility }] : [];
  if (view === 'benign' || view === 'injection') return utilityScores;
  const securityScores =
    typeof security === 'boolean'
      ? [
          {
            name: 'security',
            value: security,
            passed: !security,
            explanation: attackChain(run, security),
          },
        ]
      : [];
  return view === 'resisted' ? [...securityScores, ...utilityScores] : [...utilityScores, ...securityScores];
}

/** Fields that the run has in other places. */
const LEFT_OUT = new Set(['messages', 'duration', 'utility', 'error']);

function extraOf(run: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(run).filter(([key, value]) => !LEFT_OUT.has(key) && value !== null));
}
