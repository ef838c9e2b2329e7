// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { deployments } from './attack.ts';
import { attacks } from './attacks.ts';
import { ground, startAttacker, type Ground } from './ground.ts';
import { prepareAttack } from './perform-attack.ts';

/**
 * The longest that another client may wait, in milliseconds: more than the limit of the processor time, since other
 * programs on the machine count here.
 */
const limit = 250;
const attempts = 3;

/** Attacks that took longest before there were limits, or that still do. */
const worst: ReadonlySet<string> = new Set([
  'JSON: unknown fields',
  'JSON: items of a list by key',
  'JSON: invalid labels',
  'JSON: a time zone',
  'JSON: a ConfigMap that is looked at: variables',
  'JSON: a ConfigMap that is looked at: webhooks',
  'JSON: a policy with a list for ten kinds',
  'apply-patch+yaml: an aggregated role with selectors of nothing',
  'definition: rules with lists',
  'definition: properties, to stay',
]);

describe('another client does not wait for a hostile request', () => {
  let attacked: Ground;
  let attacker: Worker;
  let client: Worker;

  before(async () => {
    attacked = await ground();
    attacker = startAttacker();
    const url = `${attacked.url}${deployments}/crowded`;
    const workerData = { url, headers: { authorization: 'Bearer editor' } };
    client = new Worker(new URL('second-client.ts', import.meta.url), { workerData });
    await longestWait();
  });
  after(async () => {
    await client.terminate();
    await attacker.terminate();
    await attacked[Symbol.asyncDispose]();
  });

  /** The longest wait since the last call. */
  async function longestWait(): Promise<number> {
    client.postMessage('report', []);
    const [wait] = (await once(client, 'message')) as [number];
    return wait;
  }

  const chosen = attacks.filter(({ name }) => worst.has(name));
  test('of those that are the worst', () => assert.equal(chosen.length, worst.size));
  for (const attack of chosen) {
    test(attack.name, async () => {
      let best = Infinity;
      for (let attempt = 0; attempt < attempts && best >= limit; attempt += 1) {
        const { perform, undo } = prepareAttack(attack, attacked, attacker);
        await longestWait();
        const reply = await perform();
        const wait = await longestWait();
        await undo(reply);
        assert.ok([attack.status].flat().includes(reply.status), `${reply.status}: ${reply.text}`);
        best = Math.min(best, wait);
      }
      assert.ok(best < limit, `Another client waited for ${best.toFixed()} ms, the limit is ${limit} ms`);
    });
  }
});
