// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { longestBlock } from '@forge/runtime/testing/longest-block.ts';
import { applyAttacks } from './apply-attacks.ts';
import type { Attack } from './attack.ts';
import type { Order, Reply } from './attacker.ts';
import { customAttacks } from './custom-attacks.ts';
import { definitionAttacks } from './definition-attacks.ts';
import { ground, startAttacker, type Ground } from './ground.ts';
import { headerAttacks } from './header-attacks.ts';
import { jsonAttacks } from './json-attacks.ts';
import { listAttacks } from './list-attacks.ts';
import { metadataAttacks } from './metadata-attacks.ts';
import { patchAttacks } from './patch-attacks.ts';
import { protobufAttacks } from './protobuf-attacks.ts';
import { reviewAttacks } from './review-attacks.ts';
import { specAttacks } from './spec-attacks.ts';
import { yamlAttacks } from './yaml-attacks.ts';

const attacks: readonly Attack[] = [
  ...yamlAttacks,
  ...jsonAttacks,
  ...metadataAttacks,
  ...specAttacks,
  ...customAttacks,
  ...reviewAttacks,
  ...patchAttacks,
  ...applyAttacks,
  ...protobufAttacks,
  ...headerAttacks,
  ...definitionAttacks,
  ...listAttacks,
];

/** The longest that the server may keep others waiting, in milliseconds of processor time. */
const limit = 100;

/** A collection of garbage or another program can slow one of them. */
const attempts = 3;

const remedy =
  'find the step that takes it (node --cpu-prof): refuse what no object needs by an error that names the limit, make the ' +
  'algorithm linear, or let others be served in between';

describe('the server keeps nobody waiting', () => {
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
  async function blockBy({ method, path, by, headers, body }: Attack): Promise<{ block: number; reply: Reply }> {
    const order: Order = {
      url: `${attacked.url}${path}`,
      method,
      headers: { authorization: `Bearer ${by}`, ...headers },
      body: body?.(),
    };
    let reply: Reply = { status: 0, text: '' };
    const block = await longestBlock(async () => {
      attacker.postMessage(order, []);
      [reply] = (await once(attacker, 'message')) as [Reply];
      // What controllers do with a new object counts, too.
      for (let turn = 0; turn < 30; turn += 1) await nextTurn();
    });
    if (method === 'POST' && reply.status === 201) await attacked.removeOthers(path);
    return { block, reply };
  }

  for (const attack of attacks) {
    test(attack.name, async () => {
      let best = Infinity;
      for (let attempt = 0; attempt < attempts && best >= limit; attempt += 1) {
        const { block, reply } = await blockBy(attack);
        assert.ok(reply.status >= 200 && !/panic|stack|Internal error/.test(reply.text), reply.text);
        best = Math.min(best, block);
      }
      assert.ok(
        best < limit,
        `It held the event loop for ${best.toFixed()} ms, at most ${limit} are allowed: ${remedy}`,
      );
    });
  }
});
