import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadQueueLibraries } from '../../src/queue/queue-libraries.ts';
import { RedisLink } from '../../src/queue/redis-link.ts';
import { aRedis, PASSWORD, skipsRedis } from './a-redis.ts';

test.skipIf(skipsRedis)('a transaction whose answers are cut off is asked again (needs redis-server)', async () => {
  const redis = await aRedis();
  onTestFinished(() => redis.stop());
  const cuts = await aCuttingProxy(redis.port);
  const address = { url: `redis://:${PASSWORD}@127.0.0.1:${cuts.port}`, shown: 'here' };
  const link = new RedisLink(await loadQueueLibraries(), address, { outageMs: 20_000, onNotice: () => undefined });
  onTestFinished(() => link.close());
  let asked = 0;
  const told = await link.orLost(() => {
    asked++;
    return link.client.multi().set('a', '1').set('b', '2').exec();
  });
  expect(told).toEqual([
    [null, 'OK'],
    [null, 'OK'],
  ]);
  expect([asked, cuts.count()]).toEqual([2, 1]);
});

/** Passes everything on, but breaks the connection after the first answer of the first transaction. */
async function aCuttingProxy(to: number): Promise<{ readonly port: number; count(): number }> {
  let cuts = 0;
  const server = net.createServer((client) => {
    const behind = net.connect(to, '127.0.0.1');
    client.pipe(behind);
    behind.on('data', (bytes: Buffer) => {
      const at = bytes.indexOf('+QUEUED');
      if (at < 0 || cuts > 0) return void client.write(bytes);
      cuts++;
      client.end(bytes.subarray(0, at));
      behind.destroy();
    });
    for (const socket of [client, behind]) socket.on('error', () => undefined);
    client.on('close', () => behind.destroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.');
  return { port: address.port, count: () => cuts };
}
