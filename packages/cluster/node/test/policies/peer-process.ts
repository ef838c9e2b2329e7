// SPDX-License-Identifier: Apache-2.0
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { listening } from './policy-world.ts';

/** A connection to try. */
export interface Attempt {
  id: number;
  protocol: 'tcp' | 'udp';
  host: string;
  port: number;
}

/** The address that the other side saw, or the error. */
export interface AttemptResult {
  id: number;
  seen?: string;
  error?: string;
}

/** Longer than any response takes; connections are refused at once. */
const timeout = 5000;

/** Listens at an address, and responds with the address of each client. */
export async function answer(host: string, ports: { tcp: readonly number[]; udp: readonly number[] }): Promise<void> {
  for (const port of ports.tcp) {
    const server = createServer((socket) => socket.on('error', () => {}).end(String(socket.remoteAddress)));
    await once(server.listen(port, host), 'listening');
  }
  for (const port of ports.udp) {
    const socket = createSocket('udp4');
    socket.on('message', (_, client) => socket.send(client.address, client.port, client.address));
    socket.bind(port, host);
    await once(socket, 'listening');
  }
}

/** Connects, and returns the address that the other side saw. */
export async function attempt({ protocol, host, port }: Omit<Attempt, 'id'>): Promise<string> {
  const signal = AbortSignal.timeout(timeout);
  if (protocol === 'tcp') {
    const socket = connect({ host, port });
    await once(socket, 'connect', { signal });
    return text(socket);
  }
  const socket = createSocket('udp4');
  try {
    socket.connect(port, host);
    await once(socket, 'connect', { signal });
    socket.send('who am I');
    const [seen] = (await once(socket, 'message', { signal })) as [Buffer];
    return seen.toString();
  } finally {
    socket.close();
  }
}

const send = (result: AttemptResult) => void process.send?.(result);

// Runs in the network namespace of a pod; exits with its IPC channel.
if (process.argv[1] === import.meta.filename) {
  process.on('message', ({ id, ...asked }: Attempt) => {
    attempt(asked).then(
      (seen) => send({ id, seen }),
      (error: NodeJS.ErrnoException) => send({ id, error: error.code ?? error.message }),
    );
  });
  await answer('0.0.0.0', listening);
  send({ id: -1 });
}
