// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { standInNames } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { Deployment, EndpointSlice, Job, Secret, Service } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { Domain } from '@forge/kube/third-party/korc.ts';
import { Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { ProcessContext } from '../scenario/scenario.ts';
import { environment, standInKinds } from './environment.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { settledCluster } from './settled-cluster.ts';
import { world } from './world.ts';

const namespace = 'default';
const web = { namespace, name: 'web' };
const labels = { app: 'web' };
const template = (restartPolicy: string) => ({
  metadata: { labels },
  spec: { restartPolicy, containers: [{ name: 'main', image: 'web:1' }] },
});
const deployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: web,
  spec: { replicas: 3, selector: { matchLabels: labels }, template: template('Always') },
};
const job: Job = { apiVersion: 'batch/v1', kind: 'Job', metadata: web, spec: { template: template('Never') } };
const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: web,
  spec: { selector: labels, ports: [{ port: 80 }] },
};

const store: ClusterSecretStore = {
  apiVersion: 'external-secrets.io/v1',
  kind: 'ClusterSecretStore',
  metadata: { name: 'openbao-cluster-store' },
  spec: { provider: { vault: { server: 'https://openbao:8200', auth: { kubernetes: { role: 'eso' } } } } },
};

const auth = {
  auth_url: 'http://keystone.default.svc:5000/v3',
  username: 'admin',
  password: 'admin',
  project_name: 'admin',
  user_domain_name: 'Default',
  project_domain_name: 'Default',
};
const clouds: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name: 'clouds' },
  data: { 'clouds.yaml': btoa(JSON.stringify({ clouds: { admin: { auth } } })) },
};
const domain: Domain = {
  apiVersion: 'openstack.k-orc.cloud/v1alpha1',
  kind: 'Domain',
  metadata: { namespace, name: 'default' },
  spec: {
    cloudCredentialsRef: { secretName: 'clouds', cloudName: 'admin' },
    managementPolicy: 'unmanaged',
    import: { filter: { name: 'Default' } },
  },
};

type WithConditions = KubeObject & { status?: { conditions?: { type: string; status: string }[] } };
const holds = (object: WithConditions | undefined, type: string) =>
  object?.status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;

describe('a world', () => {
  let from: ApiServer;

  before(async () => {
    from = await prepareCluster({
      kinds: standInKinds,
    });
  });

  after(async () => {
    await from.close();
  });

  test('runs Deployments, Jobs and endpoints like a cluster, and is deterministic for a seed', async () => {
    const hashes: string[] = [];
    for (const seed of [7, 7, 8]) {
      await using here = await world({ seed, from });
      await here.during(
        Promise.all([
          here.user.create(Deployment, deployment),
          here.user.create(Job, job),
          here.user.create(Service, service),
        ]),
      );
      await here.until(
        (state) => holds(state.find(Deployment, web), 'Available') && holds(state.find(Job, web), 'Complete'),
      );
      await here.settle();
      assert.equal(here.state.find(Deployment, web)?.status?.readyReplicas, 3);
      assert.equal(here.state.list(EndpointSlice).flatMap(({ endpoints }) => endpoints ?? []).length, 3);
      hashes.push(here.trace.hash());
    }
    assert.equal(hashes[0], hashes[1]);
    assert.notEqual(hashes[0], hashes[2]);
  });

  test('has stand-ins that can be slow, fail, and be stopped', async () => {
    const around = environment({ standIns: standInNames });
    await using here = await world({ from, environment: around });
    const metadata = { namespace, name: 'mariadb' };
    const mariadb: MariaDB = {
      apiVersion: 'k8s.mariadb.com/v1alpha1',
      kind: 'MariaDB',
      metadata,
      spec: { storage: { size: '1Gi' } },
    };
    here.process('mariadb-operator').end();
    await here.during(here.user.create(MariaDB, mariadb));
    await here.settle();
    assert.equal(here.state.find(MariaDB, metadata)?.status, undefined);
    here.process('mariadb-operator').start();
    await here.until((state) => holds(state.find(MariaDB, metadata), 'Ready'));

    const database: Database = {
      apiVersion: 'k8s.mariadb.com/v1alpha1',
      kind: 'Database',
      metadata,
      spec: { mariaDbRef: { name: 'mariadb' } },
    };
    around.standIns['mariadb-operator'].failure = 'out of memory';
    await here.during(here.user.create(Database, database));
    await here.settle();
    assert.equal(here.state.find(Database, metadata)?.status, undefined);
    around.standIns['mariadb-operator'].failure = undefined;
    await here.until((state) => holds(state.find(Database, metadata), 'Ready'));
    assert.deepEqual([...around.sql.server(metadata).databases.keys()], ['mariadb']);
  });

  test('is created by one call, with the kinds of its stand-ins and operators', async () => {
    const standIns = ['external-secrets'] as const;
    await using here = await world({ environment: environment({ standIns }), kinds: [MariaDB] });
    await here.during(here.user.create(ClusterSecretStore, store));
    await here.until((state) => holds(state.find(ClusterSecretStore, store.metadata), 'Ready'));
    assert.deepEqual((await here.during(here.user.list(MariaDB))).items, []);
  });

  test('injects the faults of a plan into stand-ins that are not reliable, and into their external calls', async () => {
    const standIns = ['external-secrets'] as const;
    const faults = [
      { process: 'external-secrets', at: 1, fault: 'outage', calls: 2 },
      { process: 'external-secrets', at: 1, fault: 'crash', when: 'after' },
    ] as const;
    await using here = await world({ from, faults, environment: environment({ standIns, reliable: false }) });
    await here.during(here.user.create(ClusterSecretStore, store));
    await here.until((state) => holds(state.find(ClusterSecretStore, store.metadata), 'Ready'));
    const { trace } = here;
    // A login that fails, and after the crash one that succeeds, followed by validation and revocation.
    assert.equal(trace.lines.filter((line) => line.endsWith('calls OpenBao')).length, 4);
    assert.ok(trace.lines.some((line) => line.includes('external-secrets#2')));
  });

  test('has Keystones for K-ORC, which can be down, and outages of a plan between them', async () => {
    const faults = [{ process: 'korc', at: 1, fault: 'outage', calls: 1 }] as const;
    const around = environment({ standIns: ['korc'], reliable: false });
    const keystone = around.keystones.at('keystone.default.svc');
    await using here = await world({ from, faults, environment: around });
    keystone.health = 'down';
    await here.during(here.user.create(Secret, clouds));
    await here.during(here.user.create(Domain, domain));
    await here.advance(seconds(10));
    assert.ok(!holds(here.state.find(Domain, domain.metadata), 'Available'));
    keystone.health = 'up';
    keystone.bootstrap({ password: 'admin' });
    await here.until((state) => holds(state.find(Domain, domain.metadata), 'Available'));
    assert.equal(here.state.find(Domain, domain.metadata)?.status?.id, 'default');
    assert.ok(here.trace.lines.some((line) => line.endsWith('calls Keystone')));
  });

  test('starts from a settled cluster: with a MariaDB that is Ready', async () => {
    const standIns = ['mariadb-operator'] as const;
    const metadata = { namespace, name: 'mariadb' };
    const prepared = await settledCluster(
      {
        kinds: standInKinds,
        setUp: (user) =>
          user.create(MariaDB, {
            apiVersion: 'k8s.mariadb.com/v1alpha1',
            kind: 'MariaDB',
            metadata,
            spec: { storage: { size: '1Gi' } },
          }),
      },
      environment({ standIns }),
    );
    await using here = await world({ from: prepared, environment: environment({ standIns }) });
    assert.ok(holds(here.state.find(MariaDB, metadata), 'Ready'));
    assert.equal(here.clock.now(), prepared.leftAt, 'time continues: earlier changes are not in the future');
    const start = here.context.server.store.current.revision;
    await here.settle();
    const changed = here.context.server.store.current.revision - start;
    assert.ok(changed <= 5, `${changed} writes, but only those of the node's Lease are expected`);
  });

  test('restricts a process to the permissions of its user', async () => {
    const refused: string[] = [];
    const reader = {
      name: 'reader',
      user: { name: 'system:serviceaccount:default:reader', groups: ['system:authenticated'] },
      start: ({ client }: ProcessContext) =>
        client.list(Deployment).catch((error: unknown) => void refused.push(String(error))),
    };
    await using here = await world({ from, processes: [reader] });
    await here.settle();
    assert.match(refused[0] ?? '', /"system:serviceaccount:default:reader" cannot list resource "deployments"/);
  });
});
