// SPDX-License-Identifier: Apache-2.0

/** The Kubernetes whose kinds are recorded here, and whose behaviour the embedded server follows. */
export const kubernetesVersion = 'v1.36.3';
