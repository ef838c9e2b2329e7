// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { admissionCluster, type AdmissionCluster } from '@forge/testing/admission-cluster.ts';
import { controlPlaneAdmission } from '../admission/admission.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { home } from './control-plane-fixture.ts';

/** An API server that knows the kind, others and the webhooks if asked for; with the namespace of the fixtures and another. */
export function controlPlaneCluster({
  webhooks,
  kinds = [],
}: {
  webhooks: boolean;
  kinds?: readonly Kind[];
}): Promise<AdmissionCluster> {
  return admissionCluster({
    kinds: [ControlPlane, ...kinds],
    namespaces: [home.namespace, 'elsewhere'],
    webhooks: webhooks ? [controlPlaneAdmission] : [],
  });
}
