// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { namesOf } from '@forge/controlplane/api/names.ts';
import { cacheClusterOf, databaseClusterOf } from '@forge/controlplane/api/settings.ts';
import type { Client } from '@forge/kube/client/client.ts';
import type { Demo, OwnResource } from '../up/demo.ts';
import { ownStatus } from './own-status.ts';
import { mark } from './state.ts';
import { table } from './status-text.ts';

/** The first resource of a demo as a tree: its conditions, the objects of each, and what each waits for. */
export async function resourceTree(kube: Client, { namespace, resources: [root] }: Demo): Promise<string[]> {
  return treeOf(await kube.get(root.kind, { namespace, name: root.name }));
}

/** A resource of one of our operators as a tree. */
export function treeOf(resource: OwnResource): string[] {
  const { kind, namespace, name, state, message, conditions } = ownStatus(resource);
  const children = resource.kind === ControlPlane.kind ? childrenOf(resource as ControlPlane) : {};
  const rows = conditions.map(({ type, state: each, message: text, needs, waitsFor }) => [
    `${mark(each)} ${type}`,
    waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : needs.length > 0 ? `after ${needs.join(', ')}` : '',
    each === 'ok' ? (children[type] ?? []).join(', ') : text,
  ]);
  const head = `${mark(state)} ${kind} ${namespace}/${name}: ${message || 'not reconciled yet'}`;
  const branches = table(rows).map((line, index) => `${index === rows.length - 1 ? '└─' : '├─'} ${line}`);
  return [head, ...branches];
}

/** The objects of each condition of a managed ControlPlane. */
function childrenOf(controlPlane: ControlPlane): Readonly<Record<string, readonly string[]>> {
  const names = namesOf(controlPlane);
  return {
    InfrastructureReady: [`MariaDB ${databaseClusterOf(controlPlane)}`, `Memcached ${cacheClusterOf(controlPlane)}`],
    DBCredentialsReady: [`ExternalSecret ${names.dbCredentials}`],
    AdminPasswordReady: [`ExternalSecret ${names.adminPassword}`],
    KeystoneReady: [`Keystone ${names.keystone}`],
    KORCReady: [`Domain ${names.domain}`, `User ${names.user}`, `ApplicationCredential ${names.applicationCredential}`],
    AdminCredentialReady: [`PushSecret ${names.backup}`, `ExternalSecret ${names.cloudsYaml}`],
    CatalogReady: [`Service ${names.identityService}`, `Endpoint ${names.identityEndpoint}`],
  };
}
