// SPDX-License-Identifier: Apache-2.0
import { Duplex } from 'node:stream';

/** One of several multiplexed streams; each half closes separately. */
export interface Channel {
  readonly stream: Duplex;
  /** Delivers received bytes; resolves when there is room for more, or at once when the stream is closed. */
  receive(bytes: Buffer): Promise<void>;
  /** Ends the readable half. */
  end(): void;
}

/** A channel whose bytes and end are sent over the shared connection; sending never fails. */
export function channel(send: (bytes: Buffer) => Promise<void>, finish: () => Promise<void>): Channel {
  let resume: (() => void) | undefined;
  let ended = false;
  const stream = new Duplex({
    read: () => resume?.(),
    write: (bytes: Buffer, _encoding, done) => void after(send(bytes), done),
    final: (done) => void after(finish(), done),
    destroy(error, done) {
      resume?.();
      done(error);
    },
  });
  return {
    stream,
    receive(bytes) {
      const taken = Promise.withResolvers<void>();
      if (ended || stream.destroyed || stream.push(bytes)) taken.resolve();
      else resume = taken.resolve;
      return taken.promise;
    },
    end() {
      if (!ended && !stream.destroyed) stream.push(null);
      ended = true;
    },
  };
}

async function after(sent: Promise<void>, done: () => void): Promise<void> {
  await sent;
  done();
}
