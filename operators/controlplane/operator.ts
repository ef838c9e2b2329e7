// SPDX-License-Identifier: Apache-2.0
import { Service } from '@forge/kube/kinds/builtin.ts';
import { identityApi } from '@forge/openstack/identity-api.ts';
import { rememberedLogins } from '@forge/openstack/remembered-logins.ts';
import { secretStoreFlag } from '@forge/openstack/secret-store.ts';
import { serviceProxy } from '@forge/openstack/service-proxy.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { controlPlaneAdmission } from './admission/admission.ts';
import { ControlPlane } from './api/control-plane.ts';
import { CredentialRotation } from './api/credential-rotation.ts';
import { SecretAggregate } from './api/secret-aggregate.ts';
import manifest from './package.json' with { type: 'json' };
import { controlPlaneController, rotationController } from './reconcile.ts';

const flags = { clusterSecretStore: secretStoreFlag('credentials') };

/** The operator of control planes as a process runs it. */
export const controlPlaneOperator: Operator<typeof flags> = {
  name: 'c5c3-operator',
  description: 'Drives every ControlPlane to a running OpenStack control plane.',
  version: manifest.version,
  lease: 'c5c3.openstack.c5c3.io',
  flags,
  kinds: [ControlPlane, CredentialRotation, SecretAggregate],
  webhooks: [controlPlaneAdmission],
  // Outside the cluster, Keystone is reached through the API server.
  optionalAccess: [{ kind: Service, subresource: 'proxy', verbs: ['create', 'delete', 'get'] }],
  controllers({ clusterSecretStore: secretStore }, { clock, transport }) {
    const api = identityApi({ http: httpClient({ clock }), clock, proxy: serviceProxy(transport, clock) });
    const identity = rememberedLogins(api, clock);
    const services = { reading: { secretStore, identity }, acting: { identity } };
    return [controlPlaneController(services), rotationController(services)];
  },
};
