// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { CredentialRotation } from '@forge/controlplane/api/credential-rotation.ts';
import { SecretAggregate } from '@forge/controlplane/api/secret-aggregate.ts';
import { childKinds } from '@forge/controlplane/test/child-kinds.ts';
import { controlPlaneFixture } from '@forge/controlplane/test/control-plane-fixture.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';

/** Installs the kinds, and creates the secret store. */
export async function prepareControlPlanes(to: Client): Promise<void> {
  const own = [ControlPlane, CredentialRotation, SecretAggregate];
  for (const kind of [...own, ...childKinds, Database, Grant, User])
    await to.create(CustomResourceDefinition, crdOf(kind));
  await to.create(ClusterSecretStore, {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: defaultSecretStore },
    spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
  });
}

/** Creates a managed ControlPlane with defaults, in its own namespace. */
export async function createControlPlane(to: Client, { namespace = '', name }: ObjectRef): Promise<void> {
  await to.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await to.create(ControlPlane, { ...controlPlaneFixture(), metadata: { namespace, name } });
}
