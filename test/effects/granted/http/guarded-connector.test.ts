import { Client } from 'undici';
import { expect, test } from 'vitest';
import { guardedConnector } from '../../../../src/effects/granted/http/guarded-connector.ts';
import { aRawServer } from '../an-http-server.ts';

test('a host that is an address itself is judged before a byte is sent', async () => {
  const heard: string[] = [];
  const server = await aRawServer((socket) => {
    heard.push('something');
    socket.end();
  });
  const judged: string[] = [];
  const refuse = (address: string): string => {
    judged.push(address);
    return 'not there';
  };
  const connector = await guardedConnector({ refuse, timeoutMs: 0 });
  const client = new Client(server.origin, { connect: connector.connect });
  await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
    message: 'not there',
    ungranted: true,
  });
  await client.destroy();
  connector.end();
  expect({ judged, heard }).toEqual({ judged: ['127.0.0.1'], heard: [] });
});
