// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';

/** MariaDB, Memcached and Keystone are looked at again this soon. */
export const childPolling = { status: 'False', recheck: seconds(15) } as const;

/** Credentials, and K-ORC's objects, are looked at again this soon. */
export const credentialPolling = { status: 'False', recheck: seconds(10) } as const;

/** A request that the API server refuses. */
export const refusedRequest = { status: 'False', recheck: 'backoff' } as const;

/** A read that is answered from the cache. */
export const failedRead = {
  ...refusedRequest,
  unobserved: 'this read is answered from the cache, and cannot fail',
} as const;

/** The store of all credentials is out of reach. */
export const storeNotReady = {
  ...credentialPolling,
  reason: 'SecretStoreNotReady',
  message: 'ClusterSecretStore "{store}" is not ready; upstream secret backend unreachable',
} as const;
