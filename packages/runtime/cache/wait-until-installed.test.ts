// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { Site } from '../test/site.ts';
import { waitUntilInstalled } from './wait-until-installed.ts';

const definition = crdOf(Site);
const isEstablished = ({ status }: CustomResourceDefinition) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') ?? false;

describe('waiting until a kind is installed', () => {
  let cluster: TestCluster;
  let ending: AbortController;
  let installed: boolean;
  /** Of each state of the definition that was observed, whether it was established. */
  let observed: boolean[];

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    ending = new AbortController();
    installed = false;
    observed = [];
  });

  afterEach(async () => {
    ending.abort();
    await cluster[Symbol.asyncDispose]();
  });

  /** Starts to wait for Sites. */
  async function wait(): Promise<void> {
    const { random, connection } = cluster;
    const { client } = connection;
    const watch: Client['watch'] = async function* (kind, options) {
      for await (const event of client.watch(kind, options)) {
        observed.push(isEstablished(event.object as object as CustomResourceDefinition));
        yield event;
      }
    };
    waitUntilInstalled({ ...client, watch }, Site, { random, signal: ending.signal, onActivity: () => undefined }).then(
      () => (installed = true),
      () => undefined,
    );
    await cluster.clock.settle();
  }

  test('ignores a definition that is not established yet', async () => {
    await wait();
    await cluster.client.create(CustomResourceDefinition, definition);
    await cluster.clock.until(() => installed);
    assert.deepEqual(observed, [false, true]);
  });

  test('waits for the version, and until it is served', async () => {
    const [version] = definition.spec.versions;
    assert.ok(version !== undefined);
    const other = { ...version, name: 'v2' };
    const serve = async (...versions: (typeof version)[]) => {
      const ref = { name: resourceName(Site) };
      await cluster.client.patch(CustomResourceDefinition, ref, 'merge', { spec: { versions } });
      await cluster.clock.settle();
    };
    await wait();
    await cluster.client.create(CustomResourceDefinition, {
      ...definition,
      spec: { ...definition.spec, versions: [other] },
    });
    await cluster.clock.settle();
    assert.deepEqual([observed.at(-1), installed], [true, false]);
    await serve(other, { ...version, storage: false, served: false });
    assert.equal(installed, false);
    await serve(other, { ...version, storage: false });
    assert.equal(installed, true);
  });
});
