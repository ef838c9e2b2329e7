// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Role } from '@forge/kube/kinds/builtin.ts';
import { Site } from '../test/site.ts';
import { webhook } from '../webhook/webhook.ts';
import { operatorManifests } from './operator-manifests.ts';

const source = {
  name: 'site-operator',
  namespace: 'home',
  kinds: [Site],
  controllers: [],
  webhooks: [webhook(Site, { validate: () => ({}) })],
};

/** The Leases that each rule about them names. */
function leasesOf(files: ReturnType<typeof operatorManifests>): (readonly string[] | undefined)[] {
  const roles = (files['role.yaml'] ?? []).filter((each): each is Role => each.kind === 'Role');
  const rules = roles.flatMap((role) => role.rules ?? []);
  return rules.filter(({ resources }) => resources?.includes('leases')).map(({ resourceNames }) => resourceNames);
}

describe('manifests of an operator', () => {
  test('can be applied in the order of their names: the namespace is there before what lives in it', () => {
    const files = operatorManifests(source);
    const names = Object.keys(files);
    assert.deepEqual(names, names.toSorted());
    const objects = Object.values(files).flat();
    assert.deepEqual(
      objects.map(({ kind, metadata: { namespace = '', name } }) => `${kind} ${namespace}/${name}`),
      [
        'CustomResourceDefinition /sites.test.forge.c5c3.io',
        'Namespace /home',
        'ClusterRole /site-operator',
        'Role home/site-operator',
        'ValidatingWebhookConfiguration /site-operator-validating',
      ],
    );
  });

  test('allow the Lease that the process holds, named after the operator unless it says otherwise', () => {
    assert.deepEqual(leasesOf(operatorManifests(source)), [undefined, ['site-operator']]);
    assert.deepEqual(leasesOf(operatorManifests({ ...source, lease: 'sites' })), [undefined, ['sites']]);
  });
});
