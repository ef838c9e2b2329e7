// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ConfigMap, Deployment, Secret } from '@forge/kube/builtin.ts';
import { deletionStepFor } from '../deletion-step.ts';
import { ready } from '../outcome.ts';
import { owned } from '../owned.ts';
import { stepController } from '../step-controller.ts';
import { reads, stepFor } from '../step.ts';
import { Site, type Services } from '../test/site.ts';
import { accessRules } from './access-rules.ts';

const step = stepFor<Site, Services>();
const run = async () => ready('Fine', '');

test('rules are the least that the steps say they need, and what the engine does', () => {
  const page = step({ name: 'Page', owns: [Deployment, owned(ConfigMap, 'create', 'remove')], run });
  const keys = step({ name: 'Keys', owns: [owned(Secret, 'replace')], reads: [reads(Secret, () => [])], run });
  const goodbye = deletionStepFor<Site, Services>()({ name: 'Goodbye', finalizer: 'a/b', run });
  const controller = stepController({
    name: 'site-controller',
    for: Site,
    steps: [page, keys],
    deletion: [goodbye],
    services: { prefix: 'x' },
    fieldManager: 'site',
    metricPrefix: 'site',
  });
  const rules = accessRules([controller], [Site]);
  assert.deepEqual(rules, [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'update', 'watch'] },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'get', 'list', 'patch', 'watch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
    { apiGroups: ['test.forge.c5c3.io'], resources: ['sites'], verbs: ['get', 'list', 'patch', 'watch'] },
    { apiGroups: ['test.forge.c5c3.io'], resources: ['sites/finalizers', 'sites/status'], verbs: ['update'] },
  ]);
  const withoutSites = accessRules([controller], []);
  const crds = { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['watch'] };
  assert.deepEqual(
    withoutSites.filter((rule) => !rules.some((each) => isDeepStrictEqual(each, rule))),
    [crds],
  );
});
