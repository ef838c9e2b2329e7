// SPDX-License-Identifier: Apache-2.0
import { seconds } from '@forge/runtime/environment/duration.ts';

/** For MariaDB, Memcached and Keystone. */
export const childPolling = { status: 'False', recheck: seconds(15) } as const;

/** For credentials and the objects of K-ORC. */
export const credentialPolling = { status: 'False', recheck: seconds(10) } as const;

/** For a request that the API server refuses. */
export const refusedRequest = { status: 'False', recheck: 'backoff' } as const;

/** For a read that is answered from the cache. */
export const failedRead = {
  ...refusedRequest,
  unobserved: 'this read is answered from the cache, and cannot fail',
} as const;

/** For the secret store, while it is not ready. */
export const storeNotReady = {
  ...credentialPolling,
  reason: 'SecretStoreNotReady',
  message: 'ClusterSecretStore "{store}" is not ready; upstream secret backend unreachable',
} as const;
