// SPDX-License-Identifier: Apache-2.0
import { connect } from 'node:net';

/** What the process is asked for. */
export interface DialRequest {
  id: number;
  port: number;
}

/** What it answers: a connection comes along, or there is a problem. */
export interface DialAnswer {
  id: number;
  problem?: string;
}

const answer = (message: DialAnswer) => void process.send?.(message);

// A process inside a pod's network that makes connections there and hands them over; it ends with its channel.
process.on('message', ({ id, port }: DialRequest) => {
  const target = `127.0.0.1:${port}`;
  if (!(port > 0 && port < 65_536)) return answer({ id, problem: `${port} is no port` });
  const socket = connect({ host: '127.0.0.1', port });
  // What the other side says is for whoever gets the connection.
  socket.pause();
  socket.once('connect', () => process.send?.({ id } satisfies DialAnswer, socket));
  socket.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    const why = code === 'ECONNREFUSED' ? 'connect: connection refused' : message;
    answer({ id, problem: `dial tcp ${target}: ${why}` });
  });
});
