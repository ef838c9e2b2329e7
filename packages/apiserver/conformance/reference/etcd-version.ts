// SPDX-License-Identifier: Apache-2.0

/** The etcd version of the reference cluster. */
export const etcdVersion = 'v3.6.8';
