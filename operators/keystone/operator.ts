// SPDX-License-Identifier: Apache-2.0
import { Service } from '@forge/kube/kinds/builtin.ts';
import { serviceProxy } from '@forge/openstack/service-proxy.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { textFlag } from '@forge/runtime/process/flag.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { keystoneAdmission } from './admission.ts';
import { cachedHealth } from './clients/cached-health.ts';
import { keystoneApi } from './clients/keystone-api.ts';
import { Keystone } from './keystone.ts';
import manifest from './package.json' with { type: 'json' };
import { keystoneController } from './reconcile.ts';
import { defaultSecretStore } from './step.ts';

const flags = {
  clusterSecretStore: textFlag('the ClusterSecretStore of credentials and key backups', 'name', {
    default: defaultSecretStore,
  }),
};

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
