// SPDX-License-Identifier: Apache-2.0
import { controlPlaneController, rotationController } from '@forge/controlplane/reconcile.ts';
import { loginRecheck } from '@forge/openstack/remembered-logins.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';

const accepted = async () => ({ result: 'accepted' as const, recheck: loginRecheck });

/** The controllers of the controlplane operator, with Keystones that accept every login. */
export function answeringControlPlanes(): Controller[] {
  const identity = {
    logIn: async () => 'accepted' as const,
    recentLogIn: accepted,
    retryLogIn: accepted,
    administrator: async () => ({ id: 'u1', credentials: [] }),
    revoke: async () => {},
  };
  const services = { reading: { secretStore: defaultSecretStore, identity }, acting: { identity } };
  return [controlPlaneController(services), rotationController(services)];
}
