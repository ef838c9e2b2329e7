// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { longestBlock } from '@forge/testing/longest-block.ts';
import type { Attack } from './attack.ts';
import type { Order, Reply } from './attacker.ts';
import { attacks } from './attacks.ts';
import { ground, startAttacker, type Ground } from './ground.ts';

/** The longest that one request may block others, in milliseconds of CPU time. */
const limit = 100;

/** Garbage collection or another program can slow down a single attempt. */
const attempts = 3;

const remedy =
  'find the slow step (node --cpu-prof): reject the input with an error that names a limit, make the algorithm ' +
  'linear, or yield to the event loop';

describe('a hostile request does not block the server', () => {
  let attacked: Ground;
  let attacker: Worker;

  before(async () => {
    attacked = await ground();
    attacker = startAttacker();
  });
  after(async () => {
    await attacker.terminate();
    await attacked[Symbol.asyncDispose]();
  });

  /** The longest block by an attack, and the last answer. */
  async function blockBy({
    method,
    path,
    by,
    headers,
    body,
    inBytes,
    pipelined,
  }: Attack): Promise<{ block: number; reply: Reply }> {
    const order: Order = {
      url: `${attacked.url}${path}`,
      method,
      headers: { authorization: `Bearer ${by}`, ...headers },
      body: body?.(),
      inBytes,
      pipelined,
    };
    let reply: Reply = { status: 0, text: '' };
    const block = await longestBlock(async () => {
      attacker.postMessage(order, []);
      [reply] = (await once(attacker, 'message')) as [Reply];
      // The work of controllers on a new object counts too.
      for (let turn = 0; turn < 300; turn += 1) await nextTurn();
    });
    if (method === 'POST' && reply.status === 201) await attacked.removeOthers(path);
    if (method === 'PATCH' && [200, 201].includes(reply.status)) await attacked.restore(path);
    return { block, reply };
  }

  for (const attack of attacks) {
    test(attack.name, async () => {
      let best = Infinity;
      for (let attempt = 0; attempt < attempts && best >= limit; attempt += 1) {
        const { block, reply } = await blockBy(attack);
        assert.ok([attack.status].flat().includes(reply.status), `${reply.status}: ${reply.text}`);
        best = Math.min(best, block);
      }
      assert.ok(
        best < limit,
        `It blocked the event loop for ${best.toFixed()} ms, the limit is ${limit} ms: ${remedy}`,
      );
    });
  }
});
