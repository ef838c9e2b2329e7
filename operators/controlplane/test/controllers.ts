// SPDX-License-Identifier: Apache-2.0
import { identityApi } from '@forge/openstack/identity-api.ts';
import { rememberedLogins } from '@forge/openstack/remembered-logins.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { CredentialRotation } from '../api/credential-rotation.ts';
import { SecretAggregate } from '../api/secret-aggregate.ts';
import { controlPlaneController, rotationController } from '../reconcile.ts';

/** The kinds of the operator. */
export const ownKinds = [ControlPlane, CredentialRotation, SecretAggregate];

/** Its controllers as in a process that has just started; Keystones are reached by `http`. */
export function newControllers(http: Pick<HttpClient, 'send'>, clock: Clock): Controller[] {
  const identity = rememberedLogins(identityApi({ http, clock }), clock);
  const services = { reading: { secretStore: defaultSecretStore, identity }, acting: { identity } };
  return [controlPlaneController(services), rotationController(services)];
}
