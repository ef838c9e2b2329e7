// SPDX-License-Identifier: Apache-2.0
import type { ApiAddress } from '../clients/keystone-api.ts';

/** The address of an API at this URL. */
export const apiAt = (url: string): ApiAddress => ({
  owner: 'b1f6',
  url,
  service: { namespace: 'openstack', name: 'identity', port: 5000 },
});
