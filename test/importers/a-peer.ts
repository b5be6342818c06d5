import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A question that reached a server of ours, with what was answered. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** An SDK that `.ci/run` installs beside the project, under the name that `PASSK_REQUIRE` has. */
export class Peer {
  readonly skips: boolean;
  private readonly modules: string;

  constructor(name: string, installed: string) {
    this.modules = fileURLToPath(new URL(`../../.passk/${name}/node_modules/`, import.meta.url));
    const isRequired = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes(name);
    this.skips = !existsSync(path.join(this.modules, installed)) && !isRequired;
  }

  /**
   * Runs a program of ours against a loopback server that answers by `answer`, as JSON with status 200. It is told the place
   * of the SDK's packages and the server's address. Returns what was asked and what it printed; throws where it fails.
   */
  async run(program: URL, answer: (asked: Asked) => unknown): Promise<{ asked: readonly Asked[]; printed: string }> {
    const asked: Asked[] = [];
    const server = await listening((one) => {
      asked.push(one);
      return answer(one);
    });
    try {
      const { port } = server.address() as AddressInfo;
      const args = [fileURLToPath(program), this.modules, `http://127.0.0.1:${port}`];
      const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] }, stdio: 'pipe' });
      const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr), onEnd(child)]);
      if (child.exitCode !== 0) throw new Error(`The program ended with ${child.exitCode}:\n${err}`);
      return { asked, printed: out };
    } finally {
      server.close();
    }
  }
}

function onEnd(child: ReturnType<typeof spawn>): Promise<unknown> {
  return new Promise((resolve) => child.once('close', resolve));
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += String(piece);
  return text;
}

function listening(answer: (asked: Asked) => unknown): Promise<Server> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const body: unknown = text === '' ? null : JSON.parse(text);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer({ method: request.method ?? '', path: request.url ?? '', body })));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
