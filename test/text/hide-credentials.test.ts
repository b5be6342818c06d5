import { expect, test } from 'vitest';
import { hideCredentials, hideSecrets } from '../../src/text/hide-credentials.ts';

test('user information of URLs is starred out, column for column', () => {
  expect(hideCredentials('see https://user:pa55@host/a?b=c@d')).toBe('see https://*********@host/a?b=c@d');
});

test.each([
  ['api_key = "sk-1234"', 'api_key = "*******"'],
  ["password='a b'", "password='***'"],
  ['API_KEY=sk-12345678', 'API_KEY=***********'],
  ['  token: ghp_12345678 # mine', '  token: ************ # mine'],
  ['{"private_key": "x\\"y", "a": "b"}', '{"private_key": "**"*", "a": "b"}'],
  ['secret = "not closed', 'secret = "**********'],
  ['api_key_env = "OPENAI_API_KEY"', 'api_key_env = "OPENAI_API_KEY"'],
  ['authorization = "Bearer {{secret:TOKEN}}"', 'authorization = "Bearer {{secret:TOKEN}}"'],
  ['token = "$TOKEN"', 'token = "$TOKEN"'],
  ['max_tokens = 100', 'max_tokens = 100'],
  ['name = "secretary"', 'name = "secretary"'],
])('values of secret keys are starred out, and no others: %s', (line, shown) => {
  expect(hideSecrets(line)).toBe(shown);
  expect(shown).toHaveLength(line.length);
});
