// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ClusterRole,
  Deployment,
  Lease,
  MutatingWebhookConfiguration,
  Secret,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { installedOperator } from '@forge/testing/installed-operator.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { CredentialRotation } from '../api/credential-rotation.ts';

const place = { name: 'c5c3-operator', namespace: 'forge-system' };
const file = (name: string) => new URL(`../manifests/${name}`, import.meta.url);
const forbidden = /forbidden/;
const notFound = /not found/;

describe('the manifests', () => {
  test('install the whole operator on a server that knows nothing of it', async () => {
    const { admin, operator } = await installedOperator(place, [file('install.yaml')]);
    const { spec } = await admin.get(Deployment, place);
    assert.equal(spec?.replicas, 2);
    assert.deepEqual((await operator.list(ControlPlane)).items, []);
    assert.deepEqual((await operator.list(CredentialRotation)).items, []);
    await assert.rejects(operator.get(Secret, { namespace: 'default', name: 'any' }), notFound);
  });

  test('allow all that is done with the imports of K-ORC, and the Leases of the leader election', async () => {
    const { admin, operator } = await installedOperator(place, [file('install.yaml')]);
    const rules = (await admin.list(ClusterRole)).items
      .filter(({ metadata }) => metadata.name === place.name)
      .flatMap((role) => role.rules ?? []);
    for (const resource of ['users', 'domains']) {
      const verbs = rules.flatMap((rule) =>
        rule.apiGroups?.includes('openstack.k-orc.cloud') === true && rule.resources?.includes(resource) === true
          ? rule.verbs
          : [],
      );
      assert.deepEqual([...new Set(verbs)].toSorted(), ['create', 'delete', 'get', 'list', 'patch', 'watch'], resource);
    }
    const lease = { namespace: place.namespace, name: 'c5c3.openstack.c5c3.io' };
    const type = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;
    await operator.create(Lease, { ...type, metadata: lease, spec: { holderIdentity: 'first-pod' } });
    const { metadata } = await operator.get(Lease, lease);
    await operator.update(Lease, { ...type, metadata, spec: { holderIdentity: 'second-pod' } });
  });

  test('name the webhooks as specified, for writes and never for deletions', async () => {
    const { admin } = await installedOperator(place, [file('install.yaml')]);
    const [mutating] = (await admin.list(MutatingWebhookConfiguration)).items.flatMap(({ webhooks = [] }) => webhooks);
    const [validating] = (await admin.list(ValidatingWebhookConfiguration)).items.flatMap(
      ({ webhooks = [] }) => webhooks,
    );
    for (const [webhook, name, path] of [
      [mutating, 'mcontrolplane.kb.io', '/mutate-c5c3-io-v1alpha1-controlplane'],
      [validating, 'vcontrolplane.kb.io', '/validate-c5c3-io-v1alpha1-controlplane'],
    ] as const) {
      assert.ok(webhook);
      assert.deepEqual([webhook.name, webhook.clientConfig.service?.path], [name, path]);
      assert.deepEqual(
        [webhook.failurePolicy, webhook.sideEffects, webhook.admissionReviewVersions, webhook.rules?.[0]?.operations],
        ['Fail', 'None', ['v1'], ['CREATE', 'UPDATE']],
      );
    }
  });

  test('install it for one namespace, where it reads nothing elsewhere but ClusterSecretStores', async () => {
    const { operator } = await installedOperator(place, [file('crds.yaml'), file('install-namespaced.yaml')]);
    const [home, elsewhere] = [{ namespace: 'forge-system' }, { namespace: 'default' }];
    await operator.list(CredentialRotation, home);
    // Allowed, but not installed.
    await assert.rejects(operator.list(ClusterSecretStore), /404/);
    await assert.rejects(operator.get(Secret, { ...home, name: 'any' }), notFound);
    await assert.rejects(operator.list(ControlPlane, elsewhere), forbidden);
    await assert.rejects(operator.get(Secret, { ...elsewhere, name: 'any' }), forbidden);
  });

  test('install it for listed namespaces, where it works with a Role of each', async () => {
    const files = ['crds.yaml', 'install-namespaces.yaml', 'watched-namespace.yaml'].map(file);
    const { operator } = await installedOperator({ ...place, watched: 'default' }, files);
    const [listed, other] = ['default', 'kube-public'].map((namespace) => ({ namespace }));
    await operator.list(CredentialRotation, listed);
    await assert.rejects(operator.get(Secret, { ...listed, name: 'any' }), notFound);
    for (const elsewhere of [{ namespace: place.namespace }, other]) {
      await assert.rejects(operator.list(ControlPlane, elsewhere), forbidden);
      await assert.rejects(operator.get(Secret, { ...elsewhere, name: 'any' }), forbidden);
    }
  });
});
