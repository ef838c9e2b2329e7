// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** 20 requests a second. */
const interval = 50;
const responseTimeout = 5000;
const keptConnections = 4;

/** The requests that were made, and those that failed. */
export interface RequestCounts {
  fresh: number;
  kept: number;
  /** How often a keep-alive connection was opened. */
  opened: number;
  errors: string[];
}

/** Requests in the background. */
interface Requests {
  stop(): Promise<RequestCounts>;
}

class ConnectionClosed extends Error {}

/** Sends 20 requests a second on new connections and as many on keep-alive ones, until it is stopped. */
export function sendRequests(connect: () => Promise<Duplex>): Requests {
  const counts: RequestCounts = { fresh: 0, kept: 0, opened: 0, errors: [] };
  const dial = async () => {
    const socket = await connect();
    // A keep-alive connection may be reset between two requests.
    return socket.on('error', () => socket.destroy());
  };
  const open = () => {
    counts.opened += 1;
    return dial();
  };
  const kept = Array.from({ length: keptConnections }, () => keptConnection(open));
  const stopping = new AbortController();
  const pending: Promise<void>[] = [];

  async function counted(type: 'fresh' | 'kept', request: () => Promise<void>): Promise<void> {
    counts[type] += 1;
    const sent = new Date().toISOString();
    await request().catch((error: Error) => counts.errors.push(`${type}, sent at ${sent}: ${error.message}`));
  }

  async function run(): Promise<void> {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      pending.push(counted('fresh', () => requestOnce(dial)));
      pending.push(counted('kept', () => kept[count % keptConnections]?.request() ?? Promise.resolve()));
      await setTimeout(interval);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(pending);
      for (const connection of kept) connection.close();
      return counts;
    },
  };
}

async function requestOnce(dial: () => Promise<Duplex>): Promise<void> {
  const socket = await dial();
  try {
    await exchange(socket);
  } finally {
    socket.destroy();
  }
}

/**
 * Sends requests one by one on a keep-alive connection. Like HTTP clients, it sends a request again on a new connection
 * when the server has closed the old one before responding.
 */
function keptConnection(open: () => Promise<Duplex>) {
  let socket: Duplex | undefined;
  let last = Promise.resolve();

  async function request(): Promise<void> {
    if (socket !== undefined) {
      try {
        return await exchange(socket);
      } catch (error) {
        if (!(error instanceof ConnectionClosed)) throw error;
      }
    }
    socket = await open();
    await exchange(socket);
  }

  return {
    request(): Promise<void> {
      const result = last.then(request);
      last = result.catch(() => undefined);
      return result;
    },
    close: () => socket?.destroy(),
  };
}

/** Sends a command and awaits the response. */
async function exchange(socket: Duplex): Promise<void> {
  if (socket.destroyed || socket.readableEnded) throw new ConnectionClosed('the connection is closed');
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(responseTimeout)]);
  const answered = once(socket, 'data', { signal });
  const closed = Promise.race([once(socket, 'end', { signal }), once(socket, 'close', { signal })]).then(
    () => [undefined],
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return [undefined];
      throw error;
    },
  );
  socket.write('version\r\n');
  try {
    const [answer] = (await Promise.race([closed, answered])) as [Buffer | undefined];
    if (answer === undefined) throw new ConnectionClosed('the connection was closed before the answer');
    if (!/^VERSION 1\.6\.\d+\r\n$/.test(String(answer)))
      throw new Error(`the answer is ${JSON.stringify(String(answer))}`);
  } finally {
    done.abort();
  }
}
