// SPDX-License-Identifier: Apache-2.0

/** The etcd the contract is recorded on. */
export const etcdVersion = 'v3.6.8';
