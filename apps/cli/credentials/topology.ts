// SPDX-License-Identifier: Apache-2.0

/** The name of a local cluster's only node. */
export const nodeName = 'forge';

/** Address of the Service default/kubernetes: the first of the Service CIDR. */
export const kubernetesServiceAddress = '10.96.0.1';
