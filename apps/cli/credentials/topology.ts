// SPDX-License-Identifier: Apache-2.0

/** The one node of a local cluster. */
export const nodeName = 'forge';

/** Address of the Service default/kubernetes: the first of the Service range. */
export const kubernetesServiceAddress = '10.96.0.1';
