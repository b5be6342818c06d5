import { expect, test } from 'vitest';
import { runSuite } from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder } from '../suite/contract-runs.ts';

test('a notice on an agent that several files share names them', async () => {
  const server = await anHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body>Log in.</body></html>');
  });
  const file = (name: string): string => `name = "${name}"
trials = 1
[agent]
endpoint = "${server.origin}/ask"
stateless = true
[user]
opening = "Hello."
[expected]
says = ["Log in"]
`;
  await inFolder({ 'a.toml': file('a'), 'b.toml': file('b') }, async (cwd) => {
    const { notices } = await runSuite({ cwd, workers: 0, permissions: { net: ['127.0.0.1'] } });
    expect(notices.filter(({ code }) => code === 'agent_page').map(({ message }) => message)).toEqual([
      'Sessions of a.toml, b.toml: 2 of 2 answers of its agent were HTML pages: they were judged as they stand.',
    ]);
  });
});
