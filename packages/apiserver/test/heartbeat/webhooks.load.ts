// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { longestBlock } from '@forge/testing/longest-block.ts';
import { things } from './attack.ts';
import type { Order, Reply } from './attacker.ts';
import { ground, startAttacker, type Ground } from './ground.ts';
import { webhookAnswers } from './webhook-answers.ts';
import type { WebhookOptions } from './webhook.ts';

/** As for hostile requests. */
const limit = 100;
const attempts = 3;

describe('a hostile webhook does not block the server', () => {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'test', ...validity });
  const serving = issueServerCertificate(authority, { names: [], addresses: ['127.0.0.1'], ...validity });
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

  /** Creates an object for which the webhook is called; the longest block meanwhile, and the answer. */
  async function blockByCreation(): Promise<{ block: number; reply: Reply }> {
    const order: Order = {
      url: `${attacked.url}${things}`,
      method: 'POST',
      headers: { authorization: 'Bearer editor', 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'called' } }),
      inBytes: false,
    };
    let reply: Reply = { status: 0, text: '' };
    const block = await longestBlock(async () => {
      attacker.postMessage(order, []);
      [reply] = (await once(attacker, 'message')) as [Reply];
    });
    await attacked.removeOthers(things);
    return { block, reply };
  }

  for (const { name, status, text } of webhookAnswers) {
    test(name, async () => {
      const workerData: WebhookOptions = { ...serving, answer: text() };
      const webhook = new Worker(new URL('webhook.ts', import.meta.url), { workerData });
      try {
        const [port] = (await once(webhook, 'message')) as [number];
        await attacked.callWebhook(`https://127.0.0.1:${port}/`, authority.cert);
        let best = Infinity;
        for (let attempt = 0; attempt < attempts && best >= limit; attempt += 1) {
          const { block, reply } = await blockByCreation();
          assert.equal(reply.status, status, reply.text);
          best = Math.min(best, block);
        }
        assert.ok(best < limit, `It blocked the event loop for ${best.toFixed()} ms, the limit is ${limit} ms`);
      } finally {
        await webhook.terminate();
      }
    });
  }
});
