// SPDX-License-Identifier: Apache-2.0
import { connect } from 'node:net';

/** A request to connect. */
export interface DialRequest {
  id: number;
  port: number;
}

/** The response: sent with the connection, or with a problem. */
export interface DialAnswer {
  id: number;
  problem?: string;
}

const answer = (message: DialAnswer) => void process.send?.(message);

// Runs inside a pod's network namespace, opens connections there and sends them to the parent; exits with its IPC
// channel.
process.on('message', ({ id, port }: DialRequest) => {
  const target = `127.0.0.1:${port}`;
  if (!(port > 0 && port < 65_536)) return answer({ id, problem: `${port} is not a valid port` });
  const socket = connect({ host: '127.0.0.1', port });
  // Data is read by the parent.
  socket.pause();
  socket.once('connect', () => process.send?.({ id } satisfies DialAnswer, socket));
  socket.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    const why = code === 'ECONNREFUSED' ? 'connect: connection refused' : message;
    answer({ id, problem: `dial tcp ${target}: ${why}` });
  });
});
