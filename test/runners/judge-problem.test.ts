import { describe, expect, test } from 'vitest';
import { judgeProblem } from '../../src/runners/judge-problem.ts';

const judged = (message: string, code: string | number | null = null, more = {}) =>
  judgeProblem({ message, code, ...more }, Date.parse('2026-01-01T00:00:00Z'));

describe('what may pass by itself', () => {
  test.each([
    ['gRPC 8', '', 8],
    ['gRPC 14', '', 14],
    ['gRPC 4', '', 4],
    ['a name of gRPC', '', 'UNAVAILABLE'],
    ['HTTP 429', '', 429],
    ['HTTP 408', '', 408],
    ['HTTP 503', '', '503'],
    ['a broken connection', '', 'ECONNRESET'],
    ['an internal error that was a limit', '[429 Too Many Requests] slow down', 13],
    ['an internal error that was a name', 'RESOURCE_EXHAUSTED: quota', 13],
    ['an internal error that was the network', 'TypeError: fetch failed', 13],
    ['a body that broke off', 'Invalid response body while trying to fetch http://a: Premature close', 13],
    ['a text that begins with a status', '503 upstream is gone', null],
    ['a text that names a status', 'request failed with status code 500', null],
  ])('%s', (_, message, code) => {
    expect(judged(message, code).transient).toBe(true);
  });
});

describe('what does not', () => {
  test.each([
    ['gRPC 3', '', 3],
    ['gRPC 5', '', 5],
    ['gRPC 7', '', 7],
    ['gRPC 16', '', 16],
    ['an internal error that says no more', 'boom', 13],
    ['HTTP 400', '', 400],
    ['HTTP 401', '', 401],
    ['HTTP 404', 'action /model/x not found', 404],
    ['an invalid argument that talks of a timeout', 'INVALID_ARGUMENT: fetch failed is no city', 3],
    ['a text that says nothing', 'it did not work', null],
    ['a number that is no status', 'the answer is 500 lines long', null],
    ['an internal error that was a refusal', '[400 Bad Request] no such field', 13],
  ])('%s', (_, message, code) => {
    expect(judged(message, code).transient).toBe(false);
  });
});

test('the code is told as its source writes it', () => {
  expect(judged('', 8).code).toBe('8');
  expect(judged('', 'RESOURCE_EXHAUSTED').code).toBe('RESOURCE_EXHAUSTED');
  expect(judged('[503 Service Unavailable]').code).toBe('503');
  expect(judged('no idea').code).toBe(null);
  expect(judged('', null, { status: 429 })).toMatchObject({ code: '429', transient: true });
});

test('a server, RetryInfo or a sentence says how long to wait', () => {
  const wait = (message: string, more = {}) => judged(message, 8, more).retryAfterMs;
  expect(wait('', { headers: { 'retry-after': '7' } })).toBe(7000);
  expect(wait('', { headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' } })).toBe(9000);
  expect(wait('', { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }] })).toBe(
    34_500,
  );
  expect(wait('{"retryDelay":"3s"}')).toBe(3000);
  expect(wait('Rate limit reached. Please try again in 250ms.')).toBe(250);
  expect(wait('Please retry in 2 minutes.')).toBe(120_000);
  expect(wait('no idea')).toBe(null);
});
