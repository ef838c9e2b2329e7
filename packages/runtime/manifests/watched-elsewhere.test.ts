// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { builtinKinds, EndpointSlice, Namespace, Service } from '@forge/kube/kinds/builtin.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { manager } from '../controller/manager.ts';
import { stepController } from '../engine/step-controller.ts';
import { ready } from '../steps/outcome.ts';
import { reads, readsLabelled } from '../steps/reads.ts';
import { step } from '../test/site-steps.ts';
import { noServices, Site, type Services } from '../test/site.ts';
import { operatorManifests } from './operator-manifests.ts';

const account = { name: 'site-operator', namespace: 'home' };
const kubernetes = { namespace: 'default', name: 'kubernetes' };
const label = 'kubernetes.io/service-name';
const user = {
  name: `system:serviceaccount:${account.namespace}:${account.name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`, 'system:authenticated'],
};

const slices = readsLabelled<Site, Services, EndpointSlice>(EndpointSlice, () => ({ [label]: kubernetes.name }), {
  watchedNamespace: kubernetes.namespace,
  selector: `${label}=${kubernetes.name}`,
});

/** A step whose condition shows where the API server is. */
const apiServer = step({
  name: 'ApiServer',
  condition: 'ApiServer',
  reads: [reads(Service, () => [kubernetes], { watchedNamespace: kubernetes.namespace }), slices],
  async run({ get, select }) {
    const addresses = select(slices).flatMap(({ endpoints }) => (endpoints ?? []).flatMap((each) => each.addresses));
    return ready('Seen', [get(Service, kubernetes)?.spec?.ports?.[0]?.port, ...addresses].join(' '));
  },
});

const controller = stepController({
  name: 'site-controller',
  for: Site,
  steps: [apiServer],
  services: noServices,
  fieldManager: 'site',
  metricPrefix: 'site',
});

const slice = (name: string, address: string): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: kubernetes.namespace, name, labels: { [label]: kubernetes.name } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [address] }],
});

const manifests = operatorManifests({ ...account, image: 'i', kinds: [Site], controllers: [controller] });

describe('an operator that reads objects of one namespace wherever it works', () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    for (const name of ['a', 'b']) {
      await cluster.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  /** Applies the objects of a file, in this namespace where they name none. */
  const apply = async (file: string, watched = '') => {
    for (const object of manifests[file] ?? []) {
      const kind = builtinKinds.find((each) => each.kind === object.kind && each.apiVersion === object.apiVersion);
      assert.ok(kind, object.kind);
      const metadata = { ...(kind.scope === 'Namespaced' && { namespace: watched }), ...object.metadata };
      await cluster.client.apply(kind, { ...object, metadata }, { fieldManager: 'kubectl' });
    }
  };

  const createSite = async (namespace: string) => {
    const { apiVersion, kind } = Site;
    await cluster.client.create(Site, { apiVersion, kind, metadata: { namespace, name: 'site' }, spec: {} });
  };

  const shown = async (namespace: string) =>
    (await cluster.client.get(Site, { namespace, name: 'site' })).status?.conditions?.[0]?.message;

  for (const [file, works] of [
    ['install.yaml', undefined],
    ['install-namespaced.yaml', ['home']],
    ['install-namespaces.yaml', ['a', 'b']],
  ] as const) {
    test(`may do so by the roles of ${file}, and by no more`, async () => {
      await apply('crds.yaml');
      await apply(file);
      if (file === 'install-namespaces.yaml') for (const each of works) await apply('watched-namespace.yaml', each);
      const operator = cluster.as(user);
      const running = manager({ ...cluster, client: operator, ...(works && { namespaces: works }) });
      running.add(controller);
      const port = { port: 443, protocol: 'TCP' };
      const metadata = { ...kubernetes, labels: { component: 'apiserver' } };
      const service: Service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [port] } };
      await cluster.client.apply(Service, service, { fieldManager: 'test' });
      const places = works ?? ['a', 'home'];
      for (const each of places) await createSite(each);
      await running.start();
      await cluster.client.create(EndpointSlice, slice('kubernetes', '10.0.0.1'));
      await cluster.client.create(EndpointSlice, slice('kubernetes-2', '10.0.0.2'));
      await cluster.clock.settle();
      for (const each of places) assert.equal(await shown(each), '443 10.0.0.1 10.0.0.2');
      await assert.rejects(operator.list(EndpointSlice, { namespace: 'kube-system' }), /forbidden/);
      await assert.rejects(operator.list(Service), /forbidden/);
      await assert.rejects(operator.get(Service, kubernetes), /forbidden/);
      const refused = cluster.logged.filter(({ level }) => level === 'warn' || level === 'error');
      assert.deepEqual(refused, []);
      await running.stop();
    });
  }
});
