import { PasskError } from '../errors.ts';
import type { SchemaCompiler } from '../matching/value-test.ts';
import type { ValidatedAnswer, ValidatorOptions, ValidatorType } from '../plugin/validator-type.ts';
import { leadingValidators } from './validators/builtin.ts';
import { validatorOptions } from './validators/validator-options.ts';
import type { ModelFacts, ValidatorExpectation, ValidatorUse } from '../types/model-test.ts';
import { failedText } from '../values/thrown-at.ts';
import { isTooMuchWork } from '../values/work.ts';
import type { TrialView } from './check.ts';
import { shownVerdict } from './code-verdict.ts';
import type { CheckParts } from './make-check.ts';

export interface ValidatorTools {
  /** All that can be named. */
  readonly types: ReadonlyMap<string, ValidatorType>;
  readonly compileSchema: SchemaCompiler;
}

/** The check that fails when a model gave no answer; validators judge answers only. */
export const ANSWERED = 'answer';

/**
 * The checks of a test of a model: it must answer, in the shape of an answer and in pieces where a stream was asked for, and each
 * validator must hold. Where a runner judges by itself, its verdict takes the place of all that looks at an answer.
 */
export function validatorChecks(
  { list, stream, compat, judgedBy }: ValidatorExpectation,
  { types, compileSchema }: ValidatorTools,
): readonly CheckParts[] {
  if (judgedBy !== undefined) return [answeredCheck(), verdictCheck(judgedBy)];
  const options = validatorOptions(compat, compileSchema);
  const leading = leadingValidators({ stream }).map((type) =>
    ruleCheck(type.type, (answer) => type.validate(answer, null, options)),
  );
  const rules = list.map((use) => ruleCheck(useText(use), (answer) => validate(use, answer, { types, options })));
  return [answeredCheck(), ...leading, ...rules];
}

/** A validator as files write it. */
export function useText({ type, argument }: ValidatorUse): string {
  return argument === null ? type : `${type}:${argument}`;
}

function answeredCheck(): CheckParts {
  return {
    name: ANSWERED,
    expected: 'completed',
    wanted: 'an answer',
    holds: ({ status }) => status === 'completed',
    got: ({ status }) => status,
    saw: ({ status }) => (status === 'completed' ? 'one' : 'none'),
    says: ({ status, reason }) => reason ?? status,
  };
}

function ruleCheck(name: string, judge: (answer: ValidatedAnswer) => string | null): CheckParts {
  return factsCheck(name, { wanted: 'an answer that obeys it', judge: (facts) => judge(answerOf(facts)) });
}

/** Called as the runner is. */
function verdictCheck(judgedBy: string): CheckParts {
  return factsCheck(judgedBy, {
    wanted: 'an answer that its runner lets pass',
    judge: ({ verdict }) => (verdict === undefined ? 'The runner gave no verdict.' : verdict.failure),
  });
}

interface FactsRule {
  readonly wanted: string;
  /** Why it fails; null: it holds. */
  judge(facts: ModelFacts): string | null;
}

/** Holds where there is no answer to judge: that fails by itself. */
function factsCheck(name: string, { wanted, judge }: FactsRule): CheckParts {
  const judged = (view: TrialView): string | null => {
    const facts = view.model();
    return facts === null || view.status !== 'completed' ? null : judge(facts);
  };
  return {
    name,
    expected: true,
    wanted,
    says: (view) => judged(view) ?? wanted,
    holds: (view) => judged(view) === null,
    got: (view) => judged(view),
    saw: (view) => judged(view) ?? 'one',
  };
}

function answerOf({ input, response, chunks }: ModelFacts): ValidatedAnswer {
  return { input, response, chunks };
}

function validate(
  { type, argument }: ValidatorUse,
  answer: ValidatedAnswer,
  { types, options }: Pick<ValidatorTools, 'types'> & { readonly options: ValidatorOptions },
): string | null {
  const validator = types.get(type);
  if (validator === undefined) throw new TypeError(`There is no validator "${type}".`);
  let verdict: unknown;
  try {
    verdict = validator.validate(answer, argument, options);
  } catch (cause) {
    if (isTooMuchWork(cause)) throw cause;
    throw new PasskError('PLUGIN', `The validator "${type}" ${failedText(cause, new Error('here'))}`, { cause });
  }
  if (verdict === null || (typeof verdict === 'string' && verdict !== '')) return verdict;
  // Code of the user may give anything, which says nothing about the model.
  throw new PasskError('PLUGIN', `The validator "${type}" gave ${shownVerdict(verdict)}, which is no verdict.`, {
    hint: 'It gives at once null, or a sentence that says why the answer breaks the rule.',
  });
}
