// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { longestBlock } from '@forge/testing/longest-block.ts';
import type { Reply } from './attacker.ts';
import { attacks } from './attacks.ts';
import { ground, startAttacker, type Ground } from './ground.ts';
import { prepareAttack } from './perform-attack.ts';

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

  for (const attack of attacks) {
    test(attack.name, async () => {
      let best = Infinity;
      for (let attempt = 0; attempt < attempts && best >= limit; attempt += 1) {
        const { perform, undo } = prepareAttack(attack, attacked, attacker);
        let reply: Reply = { status: 0, text: '' };
        const block = await longestBlock(async () => {
          reply = await perform();
        });
        await undo(reply);
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
