import { fieldAt, listAt, numberAt } from '../values/json-fields.ts';

/** More is no answer of a model. */
const MOST_TOKENS = 1_000_000;

/**
 * The log-probabilities of the tokens of a recorded answer, as its provider wrote it: chat completions, responses and the
 * older completions of OpenAI, and Gemini's generateContent; of several answers the first. Null: it holds none, or one that
 * is no log-probability, so that nothing is said of the answer.
 */
export function tokenLogProbabilities(answer: unknown): readonly number[] | null {
  const found = [chat(answer), completion(answer), responses(answer), gemini(answer)].find(({ length }) => length > 0);
  if (found === undefined || found.length > MOST_TOKENS) return null;
  const values = found.filter((value) => value !== null && value <= 0) as readonly number[];
  return values.length === found.length ? values : null;
}

type Found = readonly (number | null)[];

function chat(answer: unknown): Found {
  return listAt(answer, 'choices', 0, 'logprobs', 'content').map((token) => numberAt(token, 'logprob'));
}

/** The first token of a prompt that is repeated has none, so that such an answer is not read. */
function completion(answer: unknown): Found {
  return listAt(answer, 'choices', 0, 'logprobs', 'token_logprobs').map((value) => numberAt([value], 0));
}

function responses(answer: unknown): Found {
  const parts = listAt(answer, 'output').flatMap((item) => listAt(item, 'content'));
  return parts.flatMap((part) => listAt(part, 'logprobs').map((token) => numberAt(token, 'logprob')));
}

function gemini(answer: unknown): Found {
  const chosen = fieldAt(answer, 'candidates', 0, 'logprobsResult', 'chosenCandidates');
  return listAt([chosen], 0).map((token) => numberAt(token, 'logProbability'));
}
