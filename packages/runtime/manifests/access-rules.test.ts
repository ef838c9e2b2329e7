// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ConfigMap, Deployment, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { stepController } from '../engine/step-controller.ts';
import { deletionStepFor } from '../steps/deletion-step.ts';
import { ready } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { reads, readsLabelled } from '../steps/reads.ts';
import { stepFor } from '../steps/step.ts';
import { noServices, Site, type Services } from '../test/site.ts';
import { webhookCertificate } from '../webhook/webhook-certificate.ts';
import { accessRules } from './access-rules.ts';

const step = stepFor<Site, Services>();
const run = async () => ready('Fine', '');
const lease = { namespace: 'home', name: 'site-operator' };
const requires = [Site];

const leading = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: ['site-operator'],
    verbs: ['get', 'update'],
  },
];

const page = step({ name: 'Page', owns: [Deployment, owned(ConfigMap, ['create', 'remove'])], run });
const keys = step({ name: 'Keys', owns: [owned(Secret, 'replace')], reads: [reads(Secret, () => [])], run });
const sites = stepController({
  name: 'site-controller',
  for: Site,
  steps: [page, keys],
  deletion: [deletionStepFor<Site, Services>()({ name: 'Goodbye', finalizer: 'a/b', run })],
  services: noServices,
  fieldManager: 'site',
  metricPrefix: 'site',
});
const { controller: certificates } = webhookCertificate({ name: 'site', namespace: 'home' });

/** The verbs on ConfigMaps of a step that watches only labelled ones. */
const narrowedVerbs = (verbs: Parameters<typeof owned>[1]) => {
  const { clusterWide } = accessRules({
    controllers: [
      stepController({
        name: 'site-controller',
        for: Site,
        steps: [step({ name: 'Page', owns: [owned(ConfigMap, verbs, { selector: 'app=site' })], run })],
        services: noServices,
        fieldManager: 'site',
        metricPrefix: 'site',
      }),
    ],
    requires,
    lease,
  });
  return clusterWide.find(({ resources = [] }) => resources.includes('configmaps'))?.verbs;
};

describe('access rules', () => {
  test('are the minimum for what the steps declare and the engine does', () => {
    assert.deepEqual(accessRules({ controllers: [sites], requires, lease }), {
      clusterWide: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'get', 'list', 'watch'] },
        { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'update', 'watch'] },
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'list', 'patch', 'watch'] },
        { apiGroups: ['test.forge.c5c3.io'], resources: ['sites'], verbs: ['get', 'list', 'patch', 'watch'] },
        { apiGroups: ['test.forge.c5c3.io'], resources: ['sites/finalizers', 'sites/status'], verbs: ['update'] },
      ],
      watched: [],
      ownNamespace: leading,
      elsewhere: [],
    });
  });

  test('let labels be restored where only labelled objects are watched', () => {
    assert.deepEqual(narrowedVerbs('apply'), ['create', 'get', 'list', 'patch', 'watch']);
    assert.deepEqual(narrowedVerbs('create'), ['create', 'get', 'list', 'patch', 'watch']);
    assert.deepEqual(narrowedVerbs('replace'), ['get', 'list', 'update', 'watch']);
    assert.deepEqual(narrowedVerbs('remove'), ['delete', 'get', 'list', 'watch']);
  });

  test('allow no more than the request of a live read, and reading what is handed over', () => {
    const look = step({
      name: 'Look',
      owns: [owned(Deployment, ['apply', 'transferFields'])],
      reads: [readsLabelled(Pod, () => ({ a: 'b' }), { live: true }), reads(ConfigMap, () => ['c'], { live: true })],
      run,
    });
    const options = { name: 'site-controller', for: Site, services: noServices, fieldManager: 'site' };
    const controllers = [stepController({ ...options, steps: [look], metricPrefix: 'site' })];
    const { clusterWide } = accessRules({ controllers, requires, lease });
    assert.deepEqual(
      clusterWide.filter(({ resources }) => /configmaps|pods|deployments/.test(String(resources))),
      [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'get', 'list', 'patch', 'watch'] },
      ],
    );
  });

  test('allow watching for kinds that may be missing, and listing those it requires', () => {
    const { clusterWide: everywhere } = accessRules({ controllers: [sites], requires: [], lease });
    const crds = { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['watch'] };
    assert.deepEqual(
      everywhere.filter(({ apiGroups }) => apiGroups?.[0] === 'apiextensions.k8s.io'),
      [crds],
    );
    assert.deepEqual(accessRules({ controllers: [], requires, lease }).clusterWide.at(-1), {
      apiGroups: ['test.forge.c5c3.io'],
      resources: ['sites'],
      verbs: ['list'],
    });
  });

  test('cover only the own namespace for the webhook certificate, and only its configurations', () => {
    const apiGroups = ['admissionregistration.k8s.io'];
    const [mutating, validating] = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
    assert.deepEqual(accessRules({ controllers: [certificates], requires: [], lease }), {
      clusterWide: [
        { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
        { apiGroups, resources: [mutating, validating], verbs: ['list', 'watch'] },
        { apiGroups, resources: [mutating], resourceNames: ['site-mutating'], verbs: ['patch'] },
        { apiGroups, resources: [validating], resourceNames: ['site-validating'], verbs: ['patch'] },
      ],
      watched: [],
      ownNamespace: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'list', 'watch'] },
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['site-webhook-cert'], verbs: ['update'] },
        ...leading,
      ],
      elsewhere: [],
    });
  });

  test('allow Secrets cluster-wide when a step needs them, whatever is needed in the own namespace', () => {
    const { clusterWide: everywhere } = accessRules({ controllers: [sites, certificates], requires, lease });
    assert.deepEqual(
      everywhere.filter(({ resources }) => resources?.includes('secrets')),
      [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'update', 'watch'] }],
    );
  });

  test('cover another namespace where something is watched there, wherever the operator works', () => {
    const neighbours = step({
      name: 'Neighbours',
      reads: [
        readsLabelled(Pod, () => ({ a: 'b' }), { watchedNamespace: 'next-door' }),
        readsLabelled(ConfigMap, () => ({ a: 'b' }), { watchedNamespace: 'next-door' }),
        readsLabelled(ConfigMap, () => ({ a: 'b' }), { watchedNamespace: 'home' }),
        reads(Secret, () => [{ namespace: 'across', name: 'key' }], { watchedNamespace: 'across' }),
      ],
      run,
    });
    const options = { name: 'site-controller', for: Site, services: noServices, fieldManager: 'site' };
    const controllers = [stepController({ ...options, steps: [neighbours], metricPrefix: 'site' })];
    for (const watches of ['all', 'own', 'listed'] as const) {
      const rules = accessRules({ controllers, requires, lease, watches });
      // The content of Secrets is fetched.
      const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] };
      const others = { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['list', 'watch'] };
      assert.deepEqual(rules.elsewhere, [
        { namespace: 'across', rules: [secrets] },
        { namespace: 'next-door', rules: [others] },
      ]);
      const about = (resource: string) =>
        [...rules.clusterWide, ...rules.watched, ...rules.ownNamespace].filter(({ resources }) =>
          resources?.includes(resource),
        );
      assert.deepEqual([...about('pods'), ...about('secrets')], []);
      const atHome = { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] };
      assert.deepEqual(about('configmaps'), [atHome]);
      assert.ok(rules.ownNamespace.some((rule) => isDeepStrictEqual(rule, atHome)));
    }
  });
});
