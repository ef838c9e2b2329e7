// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { keystoneOperator } from '@forge/keystone/operator.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import { logger } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { systemClock as clock } from '@forge/runtime/time/clock.ts';
import { serverCredentials } from '../credentials/server-credentials.ts';
import { demo, demoManifests } from './demo.ts';
import { startLocalWebhooks } from './local-webhooks.ts';

test("the demo's Keystone has the defaults of the webhook, after a restart on another port, too", async () => {
  await using stack = new AsyncDisposableStack();
  const random = seededRandom();
  const server = await apiServer({ clock, random });
  stack.defer(() => server.close());
  const kube = client(inProcessTransport(server));
  await kube.create(CustomResourceDefinition, crdOf(Keystone));
  const log = logger({ clock, write: () => {} });
  const cache = sharedCache({ client: kube, clock, random, log, fieldManagers: new Set() });
  cache.open(Keystone);
  const watching = new AbortController();
  stack.defer(() => watching.abort());
  await cache.start(watching.signal);
  const authority = certificateAuthority({ now: clock.now(), validDays: 1, name: 'forge' });
  const context = { client: kube, cache, clock, log, credentials: serverCredentials(authority, clock) };
  const { name, webhooks = [] } = keystoneOperator;
  await (await startLocalWebhooks({ name, webhooks }, context))[Symbol.asyncDispose]();
  stack.use(await startLocalWebhooks({ name, webhooks }, context));

  await kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: demo.namespace } });
  for (const { kind, object } of demoManifests('http://127.0.0.1:1/v3')) {
    if (kind.kind === Keystone.kind) await kube.create(kind, object);
  }

  const [keystone] = (await kube.list(Keystone)).items;
  assert.deepEqual(keystone?.spec.trustFlush, { schedule: '0 * * * *', suspend: false });
});
