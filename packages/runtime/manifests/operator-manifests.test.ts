// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Container, PolicyRule } from '@forge/kube/generated/types.ts';
import {
  Deployment,
  Namespace,
  PriorityClass,
  Secret,
  StorageClass,
  type Role,
  type RoleBinding,
} from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { watch, type Controller } from '../controller/controller.ts';
import { Site } from '../test/site.ts';
import { webhook } from '../webhook/webhook.ts';
import { operatorManifests, type ManifestSource } from './operator-manifests.ts';

const source = {
  name: 'site-operator',
  namespace: 'home',
  image: 'site-operator:1',
  kinds: [Site],
  controllers: [],
  webhooks: [webhook(Site, { validate: () => ({}) })],
};

/** The objects of a file, in their order. */
const objectsOf = (file: string, more: Partial<ManifestSource> = {}) =>
  (operatorManifests({ ...source, ...more })[file] ?? []).map(
    ({ kind, metadata: { namespace = '', name } }) => `${kind} ${namespace}/${name}`,
  );

/** The rules of a file's role. */
function rulesOf(file: string, role: string, more: Partial<ManifestSource> = {}): PolicyRule[] {
  const objects = operatorManifests({ ...source, ...more })[file] ?? [];
  return (objects as Role[]).find(({ kind }) => kind === role)?.rules ?? [];
}

function deploymentOf(file: string): Deployment {
  return operatorManifests(source)[file]?.find(({ kind }) => kind === 'Deployment') as Deployment;
}

function containerOf(file: string): Container | undefined {
  return deploymentOf(file).spec?.template.spec?.containers[0];
}

const isPolicy = ({ kind }: KubeObject) => kind.startsWith('ValidatingAdmissionPolicy');

/** The Leases that each rule about them names. */
const leases = (more: Partial<ManifestSource> = {}) =>
  rulesOf('install.yaml', 'Role', more)
    .filter(({ resources }) => resources?.includes('leases'))
    .map(({ resourceNames }) => resourceNames);

const settings: Controller = {
  name: 'settings',
  for: Site,
  owns: [Secret],
  watches: [watch(StorageClass, () => [])],
  reconcile: async () => undefined,
};

describe('manifests of an operator', () => {
  test('install all of it by one file, in an order in which it can be applied', () => {
    assert.deepEqual(objectsOf('install.yaml'), [
      'Namespace /home',
      'CustomResourceDefinition /sites.test.forge.c5c3.io',
      'ServiceAccount home/site-operator',
      'ClusterRole /site-operator',
      'ClusterRoleBinding /site-operator',
      'Role home/site-operator',
      'RoleBinding home/site-operator',
      'ClusterRole /site-operator-metrics-reader',
      'Service home/site-operator',
      'Deployment home/site-operator',
      'PodDisruptionBudget home/site-operator',
      'ValidatingWebhookConfiguration /site-operator-validating',
    ]);
    const { args, env } = containerOf('install.yaml') ?? {};
    assert.deepEqual({ args, env }, { args: ['--leader-elect', '--metrics-secure'], env: undefined });
  });

  test('install it for one namespace: no webhooks, and only the Secrets of its own namespace', () => {
    const more = { controllers: [settings] };
    assert.deepEqual(objectsOf('install-namespaced.yaml', more), [
      'Namespace /home',
      'ServiceAccount home/site-operator',
      'Role home/site-operator',
      'RoleBinding home/site-operator',
      'ClusterRole /site-operator-cluster',
      'ClusterRoleBinding /site-operator-cluster-home',
      'ClusterRole /site-operator-metrics-reader',
      'Service home/site-operator',
      'Deployment home/site-operator',
      'PodDisruptionBudget home/site-operator',
    ]);
    assert.deepEqual(rulesOf('install-namespaced.yaml', 'ClusterRole', more), [
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
      { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['list', 'watch'] },
    ]);
    const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'list', 'watch'] };
    assert.deepEqual(rulesOf('install-namespaced.yaml', 'Role', more)[1], secrets);
    const { args, env } = containerOf('install-namespaced.yaml') ?? {};
    assert.deepEqual(args, ['--leader-elect', '--metrics-secure', '--enable-webhooks=false']);
    assert.deepEqual(env, [{ name: 'WATCH_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }]);
  });

  test('install it for a list of namespaces: a Role for each of them, and no Secret of its own namespace but its own', () => {
    const more = { controllers: [settings] };
    assert.deepEqual(objectsOf('install-namespaces.yaml', more), objectsOf('install-namespaced.yaml', more));
    assert.deepEqual(containerOf('install-namespaces.yaml')?.args?.at(-1), '--namespaces=openstack');
    const secretRules = (file: string) =>
      rulesOf(file, 'Role', more).filter(({ resources }) => resources?.includes('secrets'));
    assert.deepEqual(secretRules('install-namespaces.yaml'), [
      { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['site-operator-metrics-cert'], verbs: ['update'] },
    ]);
    assert.deepEqual(objectsOf('watched-namespace.yaml', more), [
      'Role /site-operator-watched',
      'RoleBinding /site-operator-watched',
    ]);
    assert.deepEqual(secretRules('watched-namespace.yaml'), [
      { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] },
    ]);
    const [, binding] = operatorManifests({ ...source, ...more })['watched-namespace.yaml'] ?? [];
    assert.deepEqual((binding as RoleBinding).subjects, [
      { kind: 'ServiceAccount', name: 'site-operator', namespace: 'home' },
    ]);
  });

  test('allow what is watched in another namespace by a Role there, which installations of one name share', () => {
    const elsewhere = watch(Secret, () => [], { namespace: 'vault' });
    const more = { controllers: [{ ...settings, watches: [elsewhere] }] };
    for (const file of ['install.yaml', 'install-namespaced.yaml', 'install-namespaces.yaml']) {
      const there = (operatorManifests({ ...source, ...more })[file] ?? []).filter(
        ({ metadata }) => metadata.namespace === 'vault',
      );
      const [role, binding, ...others] = there as [Role, RoleBinding];
      assert.deepEqual(others, []);
      assert.equal(role.metadata.name, 'site-operator-reader');
      assert.deepEqual(role.rules, [{ apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] }]);
      assert.equal(binding.metadata.name, 'site-operator-reader-home');
      assert.equal(binding.roleRef.name, role.metadata.name);
      assert.deepEqual(binding.subjects, [{ kind: 'ServiceAccount', name: 'site-operator', namespace: 'home' }]);
    }
    assert.deepEqual(objectsOf('watched-namespace.yaml', more), objectsOf('watched-namespace.yaml'));
  });

  test('label its pods as controllers, and select them as before: the Deployment of an earlier version can be updated', async () => {
    await using cluster = await testCluster({ controllers: false });
    const { client } = cluster;
    const labels = { 'app.kubernetes.io/name': 'site-operator' };
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'home' } });
    const current = deploymentOf('install.yaml');
    const earlier = structuredClone(current);
    if (earlier.spec !== undefined) {
      earlier.spec.selector = { matchLabels: labels };
      earlier.spec.template.metadata = { labels };
    }
    const options = { fieldManager: 'kubectl' };
    await client.apply(Deployment, earlier, options);
    const { spec } = await client.apply(Deployment, current, options);
    assert.deepEqual(spec?.selector.matchLabels, labels);
    assert.deepEqual(spec.template.metadata?.labels, { ...labels, 'app.kubernetes.io/component': 'controller' });
  });

  test('have its admission policies where they may be created: for the whole cluster', () => {
    const rule = { expression: "object.spec.text != ''", message: 'spec.text must not be empty: say something' };
    const policies = [{ name: 'site-operator-validate-site', kind: Site, rules: [rule] }] as const;
    const { 'install.yaml': everywhere = [], ...others } = operatorManifests({ ...source, policies });
    assert.deepEqual(Object.values(others).flat().filter(isPolicy), []);
    assert.deepEqual(everywhere.filter(isPolicy), [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'site-operator-validate-site' },
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['test.forge.c5c3.io'],
                apiVersions: ['v1'],
                resources: ['sites'],
                operations: ['CREATE', 'UPDATE'],
              },
            ],
          },
          matchConditions: [{ name: 'spec-changes', expression: 'oldObject == null || object.spec != oldObject.spec' }],
          validations: [rule],
        },
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'site-operator-validate-site' },
        spec: { policyName: 'site-operator-validate-site', validationActions: ['Deny'] },
      },
    ]);
  });

  test('allow what webhooks ask for, and keep what is optional in a file of its own', () => {
    const classes = { kind: PriorityClass, verbs: ['get'] };
    const more = { webhooks: [webhook(Site, { access: [classes] })], optionalAccess: [classes] };
    const rule = { apiGroups: ['scheduling.k8s.io'], resources: ['priorityclasses'], verbs: ['get'] };
    assert.deepEqual(rulesOf('install.yaml', 'ClusterRole', more).at(-2), rule);
    assert.deepEqual(rulesOf('optional-role.yaml', 'ClusterRole', more), [rule]);
    assert.deepEqual(objectsOf('optional-role.yaml'), []);
  });

  test('allow the Lease that the process holds, named after the operator unless it says otherwise', () => {
    assert.deepEqual(leases(), [undefined, ['site-operator']]);
    assert.deepEqual(leases({ lease: 'sites' }), [undefined, ['sites']]);
  });
});
