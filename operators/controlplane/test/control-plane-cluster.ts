// SPDX-License-Identifier: Apache-2.0
import { admissionCluster, type AdmissionCluster } from '@forge/simulation/world/admission-cluster.ts';
import { controlPlaneAdmission } from '../admission.ts';
import { ControlPlane } from '../control-plane.ts';
import { home } from './control-plane-fixture.ts';

/** An API server that knows the kind and, if asked for, the webhooks; with the namespace of the fixtures and another. */
export function controlPlaneCluster({ webhooks }: { webhooks: boolean }): Promise<AdmissionCluster> {
  return admissionCluster({
    kinds: [ControlPlane],
    namespaces: [home.namespace, 'elsewhere'],
    webhooks: webhooks ? [controlPlaneAdmission] : [],
  });
}
