import { connect } from 'node:net';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { proxiesIn } from '../../../src/intelligence/live/env-proxies.ts';
import { answer, startModelServer } from '../../support/model-server.ts';
import { anAddress, anEndpoint, aQuestion, withModels } from './a-call.ts';

/** A proxy that leads every host to this port, and tells which were asked for. */
async function aProxy(port: number): Promise<{ readonly url: string; readonly hosts: string[] }> {
  const hosts: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    hosts.push(request.url ?? '');
    const behind = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      behind.pipe(socket).pipe(behind);
    });
    for (const end of [behind, socket]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, hosts };
}

test('models are asked by way of the proxy that the environment names, and those of this machine directly', async () => {
  const models = await startModelServer(() => answer('hello'));
  onTestFinished(() => models.close());
  const proxy = await aProxy(Number(new URL(models.url).port));
  const proxies = proxiesIn({ HTTP_PROXY: proxy.url, NO_PROXY: 'other.example' });
  await withModels(
    async ({ call }) => {
      const { signal } = new AbortController();
      const there = anEndpoint(models, { baseUrl: 'http://models.example/v1' });
      expect(await call(there, aQuestion(), anAddress(), { signal })).toMatchObject({ kind: 'answer' });
      expect(proxy.hosts).toEqual(['models.example:80']);
      expect(await call(anEndpoint(models), aQuestion(), anAddress(), { signal })).toMatchObject({ kind: 'answer' });
      expect(proxy.hosts).toHaveLength(1);
    },
    { proxies },
  );
});

test.each([
  [{}, null],
  [{ NO_PROXY: '*' }, null],
  [
    { http_proxy: 'a:1', HTTP_PROXY: 'b:2', HTTPS_PROXY: 'https://c:3' },
    { httpProxy: 'http://a:1', httpsProxy: 'https://c:3', noProxy: 'localhost,127.0.0.1,[::1]' },
  ],
  [
    { HTTPS_PROXY: 'http://c:3', no_proxy: 'x.example, .y.example' },
    { httpProxy: '', httpsProxy: 'http://c:3', noProxy: 'x.example,.y.example,localhost,127.0.0.1,[::1]' },
  ],
])('%j names proxies', (env, expected) => {
  expect(proxiesIn(env)).toEqual(expected);
});

test('what is no address of a proxy is told without being repeated', () => {
  for (const value of ['socks5://u:secret@h:1', 'http://']) {
    expect(() => proxiesIn({ HTTPS_PROXY: value })).toThrow('HTTPS_PROXY holds no address of an HTTP proxy.');
  }
});
