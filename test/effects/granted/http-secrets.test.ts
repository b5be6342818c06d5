import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecrets } from '../../../src/effects/granted/secrets.ts';
import { anHttpServer } from './an-http-server.ts';
import { askHttp } from './ask-http.ts';

const KEY = 'p@ss "word"+/=1';

function taught(value: string): (text: string) => string {
  const secrets = createSecrets({ KEY: value }, ['KEY']);
  secrets.fill({ a: '{{secret:KEY}}' });
  return secrets.scrub;
}

test('a secret is put into headers on the way out, and taken out of whatever comes back', async () => {
  const server = await anHttpServer((request, response) => {
    const sent = String(request.headers['x-key']);
    response.writeHead(200, { 'x-echo': `is ${sent}`, 'x-plain': 'plain' });
    response.end(
      [
        sent,
        JSON.stringify({ sent }),
        encodeURIComponent(sent),
        new URLSearchParams({ sent }).toString(),
        Buffer.from(sent).toString('base64'),
        Buffer.from(`user:${sent}:x`).toString('base64url'),
      ].join('\n'),
    );
  });
  const answer = await askHttp({
    url: server.origin,
    headers: { 'X-Key': 'Bearer {{ secret:KEY }}', 'X-Two': '{{secret:A}}-{{secret:B}}' },
    allowEnv: true,
    env: { KEY, A: '{{secret:KEY}}', B: 'abc' },
  });
  expect(server.seen[0]?.headers).toMatchObject({ 'x-key': `Bearer ${KEY}`, 'x-two': '{{secret:KEY}}-abc' });
  expect(answer).toMatchObject({ headers: { 'x-echo': 'is Bearer [secret KEY]', 'x-plain': 'plain' } });
  expect((answer as { body: string }).body).toMatchInlineSnapshot(`
    "Bearer [secret KEY]
    {"sent":"Bearer [secret KEY]"}
    Bearer%20[secret KEY]
    sent=Bearer+[secret KEY]
    QmVhcmVyIH[secret KEY]Q==
    dXNlcjpCZWFyZXIg[secret KEY]Ong"
  `);
});

test('a secret that is not granted breaks the trial, one that is not set is an error of the tool', async () => {
  const server = await anHttpServer((_, response) => response.end());
  const url = server.origin;
  const headers = { 'X-Key': '{{secret:KEY}}' };
  expect(await askHttp({ url, headers, env: { KEY } })).toBe('broken: The secret KEY needs --allow-env=KEY.');
  expect(await askHttp({ url, headers, env: { KEY }, allowEnv: ['OTHER'] })).toBe(
    'broken: The secret KEY needs --allow-env=KEY.',
  );
  expect(await askHttp({ url, headers, allowEnv: ['KEY'] })).toBe(
    'tool: header `X-Key`: secret `KEY`: not declared in [[secrets]], and the environment variable of that name is unset or blank',
  );
  expect(await askHttp({ url, headers, env: { KEY: ' ' }, allowEnv: ['KEY'] })).toBe(
    'tool: header `X-Key`: secret `KEY`: not declared in [[secrets]], and the environment variable of that name is unset or blank',
  );
  expect(await askHttp({ url, headers: { a: '{{secret:__proto__}}' }, allowEnv: true })).toBe(
    'tool: header `a`: secret `__proto__`: not declared in [[secrets]], and the environment variable of that name is unset or blank',
  );
  expect(await askHttp({ url, headers, env: { KEY: 'line\nbreak' }, allowEnv: ['KEY'] })).toBe(
    'tool: header `X-Key` has a line break or a character that cannot be sent',
  );
  expect(server.seen).toEqual([]);
});

test('what is not granted is not read, whoever asks', () => {
  const secrets = createSecrets({ KEY }, ['OTHER']);
  expect(secrets.fill({ a: '{{secret:KEY}}' })).toEqual({ missing: 'KEY', place: 'a' });
});

test('URL and body are sent as they are: they may be a model’s words', async () => {
  const server = await anHttpServer((_, response) => response.end());
  const url = `${server.origin}/?q={{secret:KEY}}`;
  await askHttp({ url, method: 'POST', body: '{{secret:KEY}}', env: { KEY }, allowEnv: true });
  expect(server.seen.map(({ line, body }) => [line, body])).toEqual([['POST /?q={{secret:KEY}}', '{{secret:KEY}}']]);
});

test('a secret in a redirect, an error or a denial is not shown', async () => {
  const server = await anHttpServer((request, response) => {
    const location = `${request.url?.slice(1)}${encodeURIComponent(String(request.headers['x-key']))}`;
    response.writeHead(302, { location }).end();
  });
  const ask = (url: string, recheck = () => null as string | null) =>
    askHttp({
      url: `${server.origin}/${url}`,
      headers: { 'X-Key': '{{secret:KEY}}' },
      env: { KEY: 'tOken-12' },
      allowEnv: true,
      recheck,
    });
  expect(await ask('ftp://')).toBe('tool: redirect to ftp://[secret KEY]: the URL must start with http:// or https://');
  expect(String(await ask('http://')).replace(/ Redirected by \S+:/, '')).toBe(
    'broken: A request to [secret KEY] needs --allow-net=[secret KEY].',
  );
  expect(await ask('/', () => 'tOken-12 is not covered')).toBe('policy denied: [secret KEY] is not covered');
});

test('no spelling of a secret survives, wherever it stands', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }),
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (value, before, after) => {
        fc.pre(value.trim() !== '' && !'[secret KEY]'.toLowerCase().includes(value.toLowerCase()));
        const scrub = taught(value);
        const whole = `${before}${value}${after}`;
        const json = JSON.stringify(value).slice(1, -1);
        expect(scrub(whole)).toContain('[secret KEY]');
        expect(scrub(`${before}${json}${after}`)).toContain('[secret KEY]');
        expect(scrub(encodeURIComponent(value))).toContain('[secret KEY]');
        expect(scrub(new URLSearchParams({ value }).toString())).toBeDefined();
        for (const encoding of ['base64', 'base64url'] as const) {
          if (Buffer.byteLength(value) >= 8) {
            expect(scrub(Buffer.from(whole).toString(encoding))).toContain('[secret KEY]');
          }
          expect(scrub(Buffer.from(value).toString(encoding))).toContain('[secret KEY]');
        }
      },
    ),
  );
});

test('a secret is found in a form, in HTML, in hexadecimal, and in JSON within JSON', () => {
  const secret = `pa&ss"w!rd'(1)`;
  const scrub = taught(secret);
  const hex = Buffer.from(secret).toString('hex');
  const html = secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
  const echoes = [new URLSearchParams([['a', secret]]).toString().slice(2), html, hex, hex.toUpperCase()];
  expect(echoes.map(scrub)).toEqual(echoes.map(() => '[secret KEY]'));
  expect(scrub(JSON.stringify(JSON.stringify({ secret })))).toBe('"{\\"secret\\":\\"[secret KEY]\\"}"');
});

test('what is put in place of a secret is not searched again, and short values are left alone', () => {
  const secrets = createSecrets({ A: 'secret', secret: 'value', SHORT: 'abc' }, true);
  secrets.fill({ a: '{{secret:A}}{{secret:secret}}{{secret:SHORT}}' });
  expect(secrets.scrub('secret value abc')).toBe('[secret A] [secret secret] abc');
});
