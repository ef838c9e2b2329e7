// SPDX-License-Identifier: Apache-2.0
import { Duplex } from 'node:stream';

/** One of several streams that share a connection; each half ends on its own. */
export interface Channel {
  readonly stream: Duplex;
  /** Hands over what has come for it; settles when there is room for more, and at once when nobody wants it any more. */
  receive(bytes: Buffer): Promise<void>;
  /** Nothing more will come for it. */
  end(): void;
}

/** A channel whose bytes, and the end of them, are sent by the shared connection, which never fails: it is there or gone. */
export function channel(send: (bytes: Buffer) => Promise<void>, finish: () => Promise<void>): Channel {
  let goOn: (() => void) | undefined;
  let ended = false;
  const stream = new Duplex({
    read: () => goOn?.(),
    write: (bytes: Buffer, _encoding, done) => void after(send(bytes), done),
    final: (done) => void after(finish(), done),
    destroy(error, done) {
      goOn?.();
      done(error);
    },
  });
  return {
    stream,
    receive(bytes) {
      const taken = Promise.withResolvers<void>();
      if (ended || stream.destroyed || stream.push(bytes)) taken.resolve();
      else goOn = taken.resolve;
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
