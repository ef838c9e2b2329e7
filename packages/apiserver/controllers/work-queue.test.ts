// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMap, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { configMap } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';

/** Rejects deletions while it is unreachable. */
const guard: ValidatingWebhookConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'guard' },
  webhooks: [
    {
      name: 'guard.example.com',
      clientConfig: { url: 'https://example.com/guard' },
      rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: { guarded: 'yes' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

describe("an API server's own controllers", () => {
  test('log failures and retry with increasing backoff', async () => {
    const clock = virtualClock();
    const started = clock.now();
    const attempts: number[] = [];
    const lines: string[] = [];
    const log = logger({
      clock,
      write: ({ level, message, fields }) =>
        lines.push(`${level} ${message} ${String(fields['key'])} ${String(fields['error'])}`),
    });
    const { api, server } = await testServer({
      clock,
      log,
      async callWebhook() {
        attempts.push(clock.now() - started);
        throw new Error('connection refused');
      },
    });
    const owner = await api.create(ConfigMap, configMap('owner'));
    const { name, uid = '' } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    const owned = configMap('owned');
    await api.create(ConfigMap, {
      ...owned,
      metadata: { ...owned.metadata, labels: { guarded: 'yes' }, ownerReferences },
    });
    await api.create(ValidatingWebhookConfiguration, guard);
    await api.delete(ConfigMap, owner.metadata);
    await clock.advance(seconds(60));
    assert.ok(attempts.length > 5 && attempts.length < 20, `${attempts.length} attempts in a minute`);
    const waits = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0));
    assert.ok((waits.at(-1) ?? 0) > 10 * (waits[0] ?? 0), `waits: ${waits.join(', ')}`);
    assert.equal(lines.length, attempts.length);
    assert.match(
      lines[0] ?? '',
      /^warn API server controller failed, retrying configmaps\/default\/owned .*connection refused/,
    );

    await api.delete(ValidatingWebhookConfiguration, guard.metadata);
    await clock.advance(seconds(60));
    assert.equal(await api.find(ConfigMap, owned.metadata), undefined);
    await server.close();
  });
});
