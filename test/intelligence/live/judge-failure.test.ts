import { describe, expect, test } from 'vitest';
import { judgeFailure } from '../../../src/intelligence/live/judge-failure.ts';

function blameOf(status: number, body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return judgeFailure({ kind: 'status', status, headers: {}, text }, 0).blame;
}

const googleError = (status: string, reason?: string) => ({
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status,
    details: reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }],
  },
});

describe('a refusal with 400', () => {
  // outside.md, L1: 1,000 requests, exit 1 and the workflow's fault, where 401 gave 33 requests and exit 3.
  test.each<[string, unknown]>([
    ["Gemini's wrong key", googleError('INVALID_ARGUMENT', 'API_KEY_INVALID')],
    ["Gemini's wrong key for a stream", [googleError('INVALID_ARGUMENT', 'API_KEY_INVALID')]],
    ["Gemini's expired key", googleError('INVALID_ARGUMENT', 'API_KEY_EXPIRED')],
    ['a place that Gemini does not serve', googleError('FAILED_PRECONDITION')],
    ['a wrong key with the code of OpenAI', { error: { code: 'invalid_api_key', message: 'Incorrect API key.' } }],
    ['an unknown model with the code of OpenAI', { error: { code: 'model_not_found', message: 'No such model.' } }],
    ['LiteLLM without a database', { error: { type: 'no_db_connection', code: '400', message: 'No connected db.' } }],
    [
      'a model that LiteLLM does not know',
      {
        error: {
          type: 'None',
          code: '400',
          message: '/chat/completions: Invalid model name passed in model=x. Call `/v1/models`',
        },
      },
    ],
    [
      "Anthropic's unpaid bill",
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access it.' },
      },
    ],
  ])('is about the setup: %s', (_name, body) => {
    expect(blameOf(400, body)).toBe('setup');
  });

  test.each<[string, unknown]>([
    ['an argument that Gemini does not take', googleError('INVALID_ARGUMENT')],
    [
      'a request of the wrong shape',
      { error: { type: 'invalid_request_error', code: 'invalid_value', message: 'Bad.' } },
    ],
    ['a context that is too long', { error: { code: 'context_length_exceeded', message: 'Too long.' } }],
    ['details that are none', { error: { details: 'API_KEY_INVALID' } }],
    ['details that say nothing', { error: { details: [null, 7, { reason: 4 }] } }],
    ['a text that is no JSON', 'Bad request'],
    ['nothing', ''],
  ])('is about the request, as it would be in production: %s', (_name, body) => {
    expect(blameOf(400, body)).toBe('subject');
  });

  test('says so of 400 alone: what other statuses mean stays what it is', () => {
    expect([blameOf(422, googleError('INVALID_ARGUMENT', 'API_KEY_INVALID')), blameOf(401, '')]).toEqual([
      'subject',
      'setup',
    ]);
  });
});

test('what this machine has run out of is no failure of the model, and is tried again', () => {
  const failure = judgeFailure({ kind: 'lost', why: 'exhausted', message: 'no more files' }, 0);
  expect(failure).toMatchObject({ blame: 'crowd', retry: true, mayCost: false });
});
