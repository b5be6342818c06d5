import { answerOf } from '../../checks/faithful/faithful-material.ts';
import { PasskError } from '../../errors.ts';
import type { AnswerSampler } from '../../faithfulness/score-claims.ts';
import { RecordView } from '../../trial/record/record-view.ts';
import { type TraceTrialOptions, traceTrial } from '../trace-trial.ts';

/**
 * A sampler that takes the trials of one scenario for samples of its subject: all that it said in trial 0, 1 and so on, asked
 * again or from a cassette (`replay`). Rejects as `traceTrial` does, and with `INPUT` where a trial broke: it has no answer.
 */
export function trialSampler(options: Omit<TraceTrialOptions, 'trial'>): AnswerSampler {
  return {
    async sample(count) {
      const answers: string[] = [];
      for (let trial = 0; trial < count; trial++) {
        const { record } = await traceTrial({ ...options, trial });
        if (record.ending.status === 'broken') {
          throw new PasskError('INPUT', `Trial ${trial} broke, and has no answer: ${record.ending.reason}`);
        }
        answers.push(answerOf(new RecordView(record, [])));
      }
      return answers;
    },
  };
}
