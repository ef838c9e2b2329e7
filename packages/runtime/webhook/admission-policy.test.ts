// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { Site } from '../test/site.ts';
import { admissionPolicyObjects, type AdmissionPolicy } from './admission-policy.ts';

const policy: AdmissionPolicy = {
  name: 'validate-site',
  kind: Site,
  variables: [{ name: 'text', expression: "has(object.spec.text) ? object.spec.text : ''" }],
  rules: [
    { expression: "variables.text != ''", message: 'spec.text must not be empty: say something' },
    {
      expression: 'variables.text.size() < 10',
      message: 'spec.text must be short',
      messageExpression: "'spec.text has ' + string(variables.text.size()) + ' characters: at most 9'",
    },
  ],
};

const site = (name: string, text: string): Site => ({
  apiVersion: Site.apiVersion,
  kind: Site.kind,
  metadata: { namespace: 'default', name },
  spec: { text },
});

test('a policy refuses creations and changes of the spec, and leaves what is older deletable', async () => {
  await using cluster = await testCluster({ controllers: false });
  const { client, clock } = cluster;
  await installKind(cluster, Site);
  const { metadata: older } = await client.create(Site, site('older', ''));
  const [rules, binding] = admissionPolicyObjects(policy);
  await client.create(ValidatingAdmissionPolicy, rules);
  await client.create(ValidatingAdmissionPolicyBinding, binding);
  await clock.settle();

  const patch = (change: object) => client.patch(Site, older, 'merge', change);
  await assert.rejects(client.create(Site, site('new', '')), /spec.text must not be empty: say something/);
  await assert.rejects(patch({ spec: { text: 'much too long' } }), /spec.text has 13 characters: at most 9/);
  await assert.rejects(patch({ spec: { secret: 'x' } }), /spec.text must not be empty/);
  await client.create(Site, site('new', 'hello'));

  await patch({ metadata: { finalizers: ['example.com/hold'] } });
  await client.patch(Site, older, 'merge', { status: { url: 'x' } }, { subresource: 'status' });
  await client.delete(Site, older);
  await patch({ metadata: { finalizers: null } });
  assert.equal(await client.find(Site, older), undefined);
});
