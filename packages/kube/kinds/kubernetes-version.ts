// SPDX-License-Identifier: Apache-2.0

/** The version of Kubernetes whose kinds are generated, and whose behaviour the embedded server follows. */
export const kubernetesVersion = 'v1.36.3';
