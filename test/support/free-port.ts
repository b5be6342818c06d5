import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any port, so that nobody gets it meanwhile. */
const FIRST = 20_000;
const COUNT = 10_000;

/** A port of this machine that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}
