// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import {
  CustomResourceDefinition,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@forge/kube/kinds/builtin.ts';
import { admissionPolicyObjects } from '@forge/runtime/webhook/admission-policy.ts';
import { admissionCluster, type AdmissionCluster } from '@forge/testing/admission-cluster.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { admissionCases } from '../test/admission/admission-cases.ts';
import {
  checkAdmission,
  isEnforced,
  permissiveDefinition,
  saidByPolicy,
  saidBySchema,
} from '../test/admission/check-admission.ts';
import { mentions, schemaRules } from '../test/admission/rule-texts.ts';
import { completeSeals } from '../test/complete-seals.ts';
import { home, openbaoFixture } from '../test/openbao-fixture.ts';
import { openbaoPolicy, policyRules } from './policy.ts';

/** Changes what is final once a cluster is initialised, in one that is not. */
async function changeBefore(client: Client): Promise<void> {
  await client.create(OpenBaoCluster, openbaoFixture());
  await client.patch(OpenBaoCluster, home, 'merge', { status: { initialized: false } }, { subresource: 'status' });
  const storage = { size: '2Gi', storageClassName: 'fast' };
  for (const unseal of [{ static: { currentKeyID: 'two' } }, { type: 'transit', ...completeSeals.transit.unseal }]) {
    await client.patch(OpenBaoCluster, home, 'merge', { spec: { storage, unseal } });
  }
  await client.delete(OpenBaoCluster, home);
}

describe('the schema of an OpenBaoCluster', () => {
  let cluster: AdmissionCluster;
  before(async () => {
    cluster = await admissionCluster({ kinds: [OpenBaoCluster], namespaces: [] });
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (const each of admissionCases) {
    test(`refuses ${each.name}, says why, and accepts the correction`, () =>
      checkAdmission(cluster.client, each, (error) => saidBySchema(error, each.schema)));
  }

  test('lets volumes and seal change until the cluster is initialised', () => changeBefore(cluster.client));

  test('has no rule that no case breaks', () => {
    const broken = admissionCases.map(({ schema: [field, part] }) => ({
      field: field.replaceAll(/\[\d+\]/g, '[]'),
      part,
    }));
    const unbroken = schemaRules().filter(
      ({ field, rule }) => !broken.some((each) => each.field === field && mentions(rule, each.part)),
    );
    assert.deepEqual(unbroken, []);
  });
});

describe('the admission policy of OpenBaoClusters', () => {
  let cluster: AdmissionCluster;
  before(async () => {
    cluster = await admissionCluster({ kinds: [], namespaces: [] });
    const { client, clock } = cluster;
    await client.create(CustomResourceDefinition, permissiveDefinition());
    const [policy, binding] = admissionPolicyObjects(openbaoPolicy);
    await client.create(ValidatingAdmissionPolicy, policy);
    await client.create(ValidatingAdmissionPolicyBinding, binding);
    await clock.until(() => isEnforced(client));
  });
  after(() => cluster[Symbol.asyncDispose]());

  for (const each of admissionCases) {
    const { policy } = each;
    if (policy === undefined) continue;
    test(`refuses ${each.name}, says why, and accepts the correction`, () =>
      checkAdmission(cluster.client, each, (error) => saidByPolicy(error, policy)));
  }

  test('lets volumes and seal change until the cluster is initialised', () => changeBefore(cluster.client));

  test('has no rule that no case breaks', () => {
    const broken = admissionCases.flatMap(({ policy }) => policy ?? []);
    assert.deepEqual(
      policyRules.filter((rule) => !broken.some((part) => mentions(rule, part))),
      [],
    );
  });
});
