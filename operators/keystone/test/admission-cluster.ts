// SPDX-License-Identifier: Apache-2.0
import * as shared from '@forge/testing/admission-cluster.ts';
import { keystoneAdmission } from '../admission/admission.ts';
import { Keystone } from '../api/keystone.ts';

export type { AdmissionCluster } from '@forge/testing/admission-cluster.ts';

/** An API server that knows the kind and, if asked for, the webhooks; with the namespace of the fixtures. */
export function admissionCluster({ webhooks }: { webhooks: boolean }): Promise<shared.AdmissionCluster> {
  return shared.admissionCluster({
    kinds: [Keystone],
    namespaces: ['openstack'],
    webhooks: webhooks ? [keystoneAdmission] : [],
  });
}
