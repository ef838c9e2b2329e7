// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Secret, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { recipeFor } from '../../images/catalogue.ts';
import { fakeServers } from '../test/fake-servers.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { fakeSql } from './fake-sql.ts';
import { mariadbOperator } from './mariadb.ts';

const ref = { namespace: 'default', name: 'mariadb' };
const mariadb = (spec: MariaDB['spec']): MariaDB => ({
  apiVersion: 'k8s.mariadb.com/v1alpha1',
  kind: 'MariaDB',
  metadata: ref,
  spec,
});
const size = { storage: { size: '1Gi' } };

describe('a MariaDB', () => {
  let cluster: StandInCluster;
  let startup: Duration;

  beforeEach(async () => {
    const sql = fakeSql();
    startup = seconds(20);
    cluster = await standInCluster((clock) => mariadbOperator(sql.reachedBy(clock)), [fakeServers(() => startup)]);
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const ready = () => cluster.ready(MariaDB, ref);

  test('changes from Initializing to StatefulSetNotReady to Ready, without observedGeneration or finalizer', async () => {
    const seen: (string | undefined)[] = [];
    const stop = new AbortController();
    void (async () => {
      for await (const { object } of cluster.client.watch(MariaDB, { signal: stop.signal })) {
        const reason = object.status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
        if (seen.at(-1) !== reason) seen.push(reason);
      }
    })().catch(() => undefined);
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.advance(seconds(19));
    assert.match((await ready()) ?? '', /^False StatefulSetNotReady/);
    await cluster.clock.advance(seconds(1));
    assert.equal(await ready(), 'True StatefulSetReady: Running');
    assert.deepEqual(seen, ['Initializing', 'StatefulSetNotReady', 'StatefulSetReady']);
    stop.abort();
    const { metadata, status } = await cluster.client.get(MariaDB, ref);
    assert.equal(status?.conditions?.[0]?.observedGeneration, undefined);
    assert.deepEqual(metadata.finalizers, undefined);
    assert.equal(status?.replicas, 1);
  });

  test('gets defaults in its spec, a root password, Services and a StatefulSet', async () => {
    await cluster.client.create(MariaDB, mariadb({ ...size, replicas: 3, galera: { enabled: true } }));
    await cluster.clock.settle();
    const { metadata, spec } = await cluster.client.get(MariaDB, ref);
    assert.equal(metadata.generation, 2);
    assert.deepEqual(spec.rootPasswordSecretKeyRef, { name: 'mariadb-root', key: 'password', generate: true });
    assert.ok((await cluster.client.get(Secret, { ...ref, name: 'mariadb-root' })).data?.['password']);
    const services = (await cluster.client.list(Service, { namespace: 'default' })).items;
    const names = services.map((service) => service.metadata.name).filter((name) => name.startsWith('mariadb'));
    assert.deepEqual(names.toSorted(), ['mariadb', 'mariadb-internal', 'mariadb-primary', 'mariadb-secondary']);
    assert.equal((await cluster.client.get(StatefulSet, ref)).spec?.replicas, 3);
    assert.ok(recipeFor(spec.image ?? ''), `the node can run ${spec.image}`);
    await cluster.client.delete(MariaDB, ref);
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.client.find(StatefulSet, ref), undefined);
  });

  test('has a Service for all its pods, and its objects have no labels', async () => {
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.settle();
    const service = await cluster.client.get(Service, ref);
    const selector = { 'app.kubernetes.io/instance': 'mariadb', 'app.kubernetes.io/name': 'mariadb' };
    assert.deepEqual(service.spec?.selector, selector);
    const set = await cluster.client.get(StatefulSet, ref);
    const root = await cluster.client.get(Secret, { ...ref, name: 'mariadb-root' });
    for (const { kind, metadata } of [service, set, root]) assert.equal(metadata.labels, undefined, kind);
    assert.deepEqual(set.spec?.template.metadata?.labels, selector);
  });

  test('keeps its generated root password when it is deleted, and uses it again', async () => {
    const root = { ...ref, name: 'mariadb-root' };
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.settle();
    const { data, metadata } = await cluster.client.get(Secret, root);
    assert.equal(metadata.ownerReferences, undefined);
    await cluster.client.delete(MariaDB, ref);
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.client.find(StatefulSet, ref), undefined);
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.settle();
    assert.deepEqual((await cluster.client.get(Secret, root)).data, data);
  });

  test('has the certificates of a real one in its status', async () => {
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.settle();
    const { status, metadata } = await cluster.client.get(MariaDB, ref);
    const { caBundle, serverCert, clientCert } = status?.tls ?? {};
    assert.deepEqual(
      [caBundle?.[0]?.subject, serverCert?.issuer, serverCert?.subject, clientCert?.subject],
      ['CN=mariadb-ca', 'CN=mariadb-ca', 'CN=mariadb.default.svc.cluster.local', 'CN=mariadb-client'],
    );
    const days = (Date.parse(serverCert?.notAfter ?? '') - Date.parse(metadata.creationTimestamp ?? '')) / 86_400_000;
    assert.equal(days, 90);
    const plain = { ...ref, name: 'plain' };
    await cluster.client.create(MariaDB, { ...mariadb({ ...size, tls: { enabled: false } }), metadata: plain });
    await cluster.clock.settle();
    assert.equal((await cluster.client.get(MariaDB, plain)).status?.tls, undefined);
  });

  test('with several servers, which do not replicate, all clients reach the same one', async () => {
    await cluster.client.create(MariaDB, mariadb({ ...size, replicas: 3, galera: { enabled: true } }));
    await cluster.clock.settle();
    for (const name of ['mariadb', 'mariadb-primary']) {
      const { spec } = await cluster.client.get(Service, { ...ref, name });
      assert.equal(spec?.selector?.['statefulset.kubernetes.io/pod-name'], 'mariadb-0', name);
    }
  });

  test('has the storage and the port of its spec, and publishes pod names before they are ready', async () => {
    await cluster.client.create(MariaDB, mariadb({ storage: { size: '7Gi' }, port: 3307 }));
    await cluster.clock.settle();
    const { spec } = await cluster.client.get(StatefulSet, ref);
    assert.equal(spec?.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.['storage'], '7Gi');
    const [container] = spec.template.spec?.containers ?? [];
    assert.deepEqual([container?.args?.[1], container?.ports?.[0]?.containerPort], ['--port=3307', 3307]);
    const internal = (await cluster.client.get(Service, { ...ref, name: 'mariadb-internal' })).spec;
    assert.deepEqual([internal?.clusterIP, internal?.publishNotReadyAddresses], ['None', true]);
    assert.equal((await cluster.client.get(Service, ref)).spec?.ports?.[0]?.port, 3307);
  });

  test('generates no root password when the user provides it', async () => {
    const rootPasswordSecretKeyRef = { name: 'mine', key: 'password' };
    await cluster.client.create(MariaDB, mariadb({ ...size, rootPasswordSecretKeyRef }));
    await cluster.clock.settle();
    assert.equal(await cluster.client.find(Secret, { ...ref, name: 'mine' }), undefined);
    const [container] = (await cluster.client.get(StatefulSet, ref)).spec?.template.spec?.containers ?? [];
    assert.deepEqual(container?.env?.[0]?.valueFrom?.secretKeyRef, rootPasswordSecretKeyRef);
  });

  test('follows its image', async () => {
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.settle();
    await cluster.client.patch(MariaDB, ref, 'merge', { spec: { image: 'mariadb:10.11.6' } });
    await cluster.clock.settle();
    const [container] = (await cluster.client.get(StatefulSet, ref)).spec?.template.spec?.containers ?? [];
    assert.deepEqual([container?.image, container?.args], ['mariadb:10.11.6', ['mariadbd', '--port=3306']]);
  });

  test('is not Ready while its pods are not, or while it is suspended', async () => {
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.advance(seconds(20));
    const setReady = (readyReplicas: number) =>
      cluster.client.patch(StatefulSet, ref, 'merge', { status: { readyReplicas } }, { subresource: 'status' });
    await setReady(0);
    await cluster.clock.settle();
    assert.match((await ready()) ?? '', /^False StatefulSetNotReady/);
    await setReady(1);
    await cluster.clock.settle();
    assert.match((await ready()) ?? '', /^True/);
    await cluster.client.patch(MariaDB, ref, 'merge', { spec: { suspend: true } });
    await cluster.clock.settle();
    assert.match((await ready()) ?? '', /^False Suspended/);
  });

  test('is not Ready while the ready pods may be outdated', async () => {
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.advance(startup);
    assert.match((await ready()) ?? '', /^True/);
    startup = seconds(60);
    await cluster.client.patch(MariaDB, ref, 'merge', { spec: { image: 'mariadb:10.11.6' } });
    await cluster.clock.settle();
    assert.match((await ready()) ?? '', /^False StatefulSetNotReady/);
    await cluster.clock.advance(startup);
    assert.match((await ready()) ?? '', /^True/);
  });

  test('is refused with an even number of Galera members, several without Galera, or no storage', async () => {
    const refused = (spec: MariaDB['spec'], message: RegExp) =>
      assert.rejects(cluster.client.create(MariaDB, mariadb(spec)), message);
    await refused({ ...size, replicas: 2, galera: { enabled: true } }, /odd number of MariaDB instances/);
    await refused({ ...size, replicas: 3 }, /Multiple replicas/);
    await refused({}, /spec.storage/);
    await cluster.client.create(MariaDB, mariadb(size));
    await cluster.clock.settle();
    const rootPasswordSecretKeyRef = { name: 'other', key: 'password' };
    await assert.rejects(
      cluster.client.patch(MariaDB, ref, 'merge', { spec: { rootPasswordSecretKeyRef } }),
      /rootPasswordSecretKeyRef' field is immutable/,
    );
  });
});
