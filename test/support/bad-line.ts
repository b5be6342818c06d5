import net from 'node:net';

/** A line to a server that can be cut, as a cable can: at once with a word to both sides, or without one. */
export interface BadLine {
  readonly port: number;
  /** For so long nothing passes; `silently`: connections stay open and learn nothing of it. */
  cut(options: { readonly ms: number; readonly silently: boolean }): void;
  close(): void;
}

/** A line from a free port of this machine to another one of its ports; to be closed. */
export async function aBadLine(to: number): Promise<BadLine> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = net.connect(to, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return {
    port: address.port,
    cut: ({ ms, silently }) => {
      isCut = true;
      for (const socket of sockets) {
        if (silently) socket.pause();
        else socket.destroy();
      }
      setTimeout(() => {
        isCut = false;
        for (const socket of sockets) socket.resume();
      }, ms);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
