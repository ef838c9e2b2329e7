// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import type { ApiRequest, Transport } from '@forge/kube/client/transport.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { logger } from '@forge/runtime/logging/logger.ts';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { Certificate, Theme, Website, websitesOperator } from './websites.ts';

const namespace = 'default';
const website = { apiVersion: Website.apiVersion, kind: Website.kind, spec: { theme: 'plain', text: 'Hello' } };
const theme = { apiVersion: Theme.apiVersion, kind: Theme.kind, spec: { color: 'red' } };

test('a Website takes three writes until it is ready, then none; all other requests are watches', async () => {
  const [clock, random] = [virtualClock(), seededRandom()];
  const server = await apiServer({ clock, random });
  const line = inProcessTransport(server);
  const user = client(line);
  for (const kind of [Website, Theme, Certificate]) await user.create(CustomResourceDefinition, crdOf(kind));
  await user.create(Theme, { ...theme, metadata: { namespace, name: 'plain' } });

  const { transport, asked } = counted(line);
  const log = logger({ clock, level: 'warn', write: ({ message }) => assert.fail(message) });
  const running = manager({ client: client(transport), clock, random, log });
  for (const controller of websitesOperator({ farewell: async () => {} }).controllers()) running.add(controller);
  await running.start();
  await clock.settle();
  asked();

  const names = ['blog', 'shop', 'wiki'];
  for (const name of names) await user.create(Website, { ...website, metadata: { namespace, name } });
  const isReady = async () => {
    const { items } = await user.list(Website);
    return items.every(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
  };
  await clock.until(isReady, minutes(1));
  await clock.settle();
  assert.deepEqual(asked(), {
    // The finalizer, the page, the status.
    'PATCH websites': names.length,
    'PATCH configmaps': names.length,
    'PUT websites/status': names.length,
  });

  // Every ten minutes all of them are resynced.
  await clock.advance(minutes(60));
  assert.deepEqual(
    Object.keys(asked()).filter((request) => !request.startsWith('WATCH ')),
    [],
  );
  await running.stop();
  await server.close();
});

/** The transport, and the requests since the last call, by verb and resource. */
function counted(line: Transport): { transport: Transport; asked: () => Record<string, number> } {
  let counts: Record<string, number> = {};
  const count = (verb: string, { path }: ApiRequest): void => {
    const [, resource = '', , subresource = ''] = /([a-z]+)(\/[^/]+(\/status)?)?$/.exec(path) ?? [];
    const key = `${verb} ${resource}${subresource}`;
    counts[key] = (counts[key] ?? 0) + 1;
  };
  return {
    asked() {
      const before = counts;
      counts = {};
      return before;
    },
    transport: {
      request(request) {
        count(request.method, request);
        return line.request(request);
      },
      stream(request) {
        count('WATCH', request);
        return line.stream(request);
      },
    },
  };
}
