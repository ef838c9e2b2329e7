// SPDX-License-Identifier: Apache-2.0
import { Service } from '@forge/kube/kinds/builtin.ts';
import { secretStoreFlag } from '@forge/openstack/secret-store.ts';
import { serviceProxy } from '@forge/openstack/service-proxy.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { keystoneAdmission } from './admission/admission.ts';
import { Keystone } from './api/keystone.ts';
import { cachedHealth } from './clients/cached-health.ts';
import { keystoneApi } from './clients/keystone-api.ts';
import manifest from './package.json' with { type: 'json' };
import { keystoneController } from './reconcile.ts';

const flags = { clusterSecretStore: secretStoreFlag('credentials and key backups') };

/** The keystone operator as a process runs it. */
export const keystoneOperator: Operator<typeof flags> = {
  name: 'keystone-operator',
  description: 'Drives every Keystone to a running identity service.',
  version: manifest.version,
  lease: 'keystone.openstack.c5c3.io',
  flags,
  kinds: [Keystone],
  webhooks: [keystoneAdmission],
  // Outside the cluster, the API is reached through the API server.
  optionalAccess: [{ kind: Service, subresource: 'proxy', verbs: ['create', 'get'] }],
  controllers({ clusterSecretStore: secretStore, ownNamespace }, { clock, random, transport }) {
    const proxy = serviceProxy(transport, clock);
    const api = keystoneApi({ http: httpClient({ clock }), clock, random, proxy });
    const reading = { keystoneApi: cachedHealth(api, clock), secretStore, ownNamespace };
    return [keystoneController({ reading, acting: {} })];
  },
};
