// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { Deployment, EndpointSlice, Job, Secret, Service } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { Domain } from '@forge/kube/third-party/korc.ts';
import { Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import type { ProcessContext } from '../scenario/scenario.ts';
import { environment, standInKinds, standInNames } from './environment.ts';
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

type Conditioned = KubeObject & { status?: { conditions?: { type: string; status: string }[] } };
const holds = (object: Conditioned | undefined, type: string) =>
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

  test('runs Deployments, Jobs and endpoints as a cluster does, and is the same again from the same seed', async () => {
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

  test('has stand-ins that can be slow, fail, and vanish', async () => {
    const surrounded = environment({ standIns: standInNames });
    await using here = await world({ from, environment: surrounded });
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
    surrounded.standIns['mariadb-operator'].failure = 'out of memory';
    await here.during(here.user.create(Database, database));
    await here.settle();
    assert.equal(here.state.find(Database, metadata)?.status, undefined);
    surrounded.standIns['mariadb-operator'].failure = undefined;
    await here.until((state) => holds(state.find(Database, metadata), 'Ready'));
    assert.deepEqual([...surrounded.sql.server(metadata).databases.keys()], ['mariadb']);
  });

  test('is made by one call, with the kinds of its stand-ins and operators', async () => {
    const standIns = ['external-secrets'] as const;
    await using here = await world({ environment: environment({ standIns }), kinds: [MariaDB] });
    await here.during(here.user.create(ClusterSecretStore, store));
    await here.until((state) => holds(state.find(ClusterSecretStore, store.metadata), 'Ready'));
    assert.deepEqual((await here.during(here.user.list(MariaDB))).items, []);
  });

  test('lets the faults of a plan meet stand-ins that are not reliable, their calls to the outside included', async () => {
    const standIns = ['external-secrets'] as const;
    const faults = [
      { process: 'external-secrets', at: 1, fault: 'outage', calls: 2 },
      { process: 'external-secrets', at: 1, fault: 'crash', when: 'after' },
    ] as const;
    await using here = await world({ from, faults, environment: environment({ standIns, reliable: false }) });
    await here.during(here.user.create(ClusterSecretStore, store));
    await here.until((state) => holds(state.find(ClusterSecretStore, store.metadata), 'Ready'));
    const { trace } = here;
    // A login that fails, and after the crash one that does not, with the validation and the revocation that follow it.
    assert.equal(trace.lines.filter((line) => line.endsWith('calls OpenBao')).length, 4);
    assert.ok(trace.lines.some((line) => line.includes('external-secrets#2')));
  });

  test('has Keystones that K-ORC acts on, which can be away, and outages of a plan between them', async () => {
    const faults = [{ process: 'korc', at: 1, fault: 'outage', calls: 1 }] as const;
    const surrounded = environment({ standIns: ['korc'], reliable: false });
    const keystone = surrounded.keystones.at('keystone.default.svc');
    await using here = await world({ from, faults, environment: surrounded });
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

  test('begins where a settled cluster is: with a MariaDB that is Ready', async () => {
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
    assert.equal(here.clock.now(), prepared.leftAt, 'time goes on: what happened before is no future');
    const start = here.context.server.store.current.revision;
    await here.settle();
    const changed = here.context.server.store.current.revision - start;
    assert.ok(changed <= 5, `${changed} writes, of which none but the node's Lease is expected`);
  });

  test('lets a process do what its user may do, and nothing else', async () => {
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
