// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import {
  startReferenceCluster,
  type ReferenceCluster,
} from '@forge/apiserver/conformance/reference/reference-cluster.ts';
import { findBinaries } from '@forge/apiserver/conformance/reference/with-reference-cluster.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { httpsTransport, type HttpsTransport } from '@forge/kube/client/https-transport.ts';
import {
  CustomResourceDefinition,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { openbaoPolicy } from '@forge/openbao/admission/policy.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { admissionCases } from '@forge/openbao/test/admission/admission-cases.ts';
import {
  checkAdmission,
  isEnforced,
  permissiveDefinition,
  saidByPolicy,
  saidBySchema,
} from '@forge/openbao/test/admission/check-admission.ts';
import { openbaoFixture } from '@forge/openbao/test/openbao-fixture.ts';
import { admissionPolicyObjects } from '@forge/runtime/webhook/admission-policy.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { whyNoKubernetes } from './kubernetes-demo.ts';

const skip = await whyNoKubernetes();

describe('an OpenBaoCluster on a real kube-apiserver', { skip, timeout: 600_000 }, () => {
  let cluster: ReferenceCluster;
  let transport: HttpsTransport;
  let kube: Client;

  before(async () => {
    cluster = await startReferenceCluster(await findBinaries(process.env, homedir()));
    transport = httpsTransport(cluster.connection);
    kube = client(transport);
    await kube.create(CustomResourceDefinition, crdOf(OpenBaoCluster));
    await eventually('the kind is served', () =>
      kube.list(OpenBaoCluster, { namespace: 'default' }).then(
        () => true,
        () => false,
      ),
    );
  });

  after(async () => {
    await transport.close();
    await cluster.stop();
  });

  for (const each of admissionCases) {
    test(`is refused by the schema with ${each.name}, and accepted corrected`, () =>
      checkAdmission(kube, each, (error) => saidBySchema(error, each.schema)));
  }

  describe('whose definition has no rules', () => {
    const older = openbaoFixture({ config: { listener: 'x' } });

    before(async () => {
      const { metadata, spec } = permissiveDefinition();
      const ref = refOf(await kube.get(CustomResourceDefinition, { name: metadata.name }));
      await kube.patch(CustomResourceDefinition, ref, 'json', [
        { op: 'replace', path: '/spec/versions', value: spec.versions },
      ]);
      await eventually('the definition has no rules', () =>
        kube.create(OpenBaoCluster, older).then(
          () => true,
          () => false,
        ),
      );
      const [policy, binding] = admissionPolicyObjects(openbaoPolicy);
      await kube.create(ValidatingAdmissionPolicy, policy);
      await kube.create(ValidatingAdmissionPolicyBinding, binding);
      await eventually('the policy is enforced', () => isEnforced(kube));
    });

    test('and that is older than the policy is refused other changes of its spec, but can be released and deleted', async () => {
      const patch = (change: object) => kube.patch(OpenBaoCluster, older.metadata, 'merge', change);
      await patch({ metadata: { finalizers: ['example.com/hold'] } });
      await assert.rejects(
        patch({ spec: { replicas: 5 } }),
        new RegExp(`ValidatingAdmissionPolicy '${openbaoPolicy.name}'`),
      );
      await kube.delete(OpenBaoCluster, older.metadata);
      await patch({ metadata: { finalizers: null } });
      assert.equal(await kube.find(OpenBaoCluster, older.metadata), undefined);
    });

    for (const each of admissionCases) {
      const { policy } = each;
      if (policy === undefined) continue;
      test(`is refused by the policy with ${each.name}, and accepted corrected`, () =>
        checkAdmission(kube, each, (error) => saidByPolicy(error, policy)));
    }
  });
});
