// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Attack } from './attack.ts';
import type { Order, Reply } from './attacker.ts';
import type { Ground } from './ground.ts';

/** An attack whose body is ready, so that only the server works while it is performed. */
export interface PreparedAttack {
  /** Sends it; resolves when it is answered and controllers have looked at its object. */
  readonly perform: () => Promise<Reply>;
  /** Removes what it has created, and restores what it has changed. */
  readonly undo: (reply: Reply) => Promise<void>;
}

/** Prepares an attack on a ground, which the thread sends. */
export function prepareAttack(attack: Attack, attacked: Ground, attacker: Worker): PreparedAttack {
  const { method, path, by, headers, body, inBytes, pipelined } = attack;
  const order: Order = {
    url: `${attacked.url}${path}`,
    method,
    headers: { authorization: `Bearer ${by}`, ...headers },
    body: body?.(),
    inBytes,
    pipelined,
  };
  return {
    async perform() {
      attacker.postMessage(order, []);
      const [reply] = (await once(attacker, 'message')) as [Reply];
      for (let turn = 0; turn < 300; turn += 1) await nextTurn();
      return reply;
    },
    async undo({ status }) {
      if (method === 'POST' && status === 201) await attacked.removeOthers(path);
      if (method === 'PATCH' && [200, 201].includes(status)) await attacked.restore(path);
    },
  };
}
