// SPDX-License-Identifier: Apache-2.0
import { client, type Client } from '@forge/kube/client/client.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import {
  builtinKinds,
  Lease,
  Secret,
  type TokenRequest,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { operatorManifests } from '@forge/runtime/manifests/operator-manifests.ts';
import { Website, type websitesOperator } from '../websites.ts';
import { refusal, type Until } from './story.ts';

/** The operator's namespace. */
export const home = 'forge-system';

/** What makes it somebody who may do something. */
const identity = ['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

/** Creates a ServiceAccount with the roles of the operator's manifests and nothing else; returns a token of it. */
export async function leastPrivileged(
  admin: Transport,
  operator: ReturnType<typeof websitesOperator>,
): Promise<string> {
  const api = client(admin);
  const source = { ...operator, namespace: home, image: operator.name, controllers: operator.controllers() };
  const { 'install.yaml': everything = [] } = operatorManifests(source);
  for (const object of everything.filter(({ kind }) => identity.includes(kind))) await install(api, object);
  const { name } = operator;
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${name}/token`;
  const { body } = await admin.request({ method: 'POST', path, body: { spec: {} } });
  return (body as TokenRequest).status?.token ?? '';
}

/** Waits until both roles are in effect. */
export async function untilAllowed(operator: Client, until: Until): Promise<void> {
  await until(async () => (await refusal(() => operator.list(Website))) === undefined);
  await until(async () => (await refusal(() => operator.list(Secret, { namespace: home }))) === undefined);
}

/** The server's answer when the operator accesses what its roles do not allow. */
export async function trespass(operator: Client): Promise<(string | undefined)[]> {
  const name = 'of-another';
  return [
    await refusal(() => operator.get(Secret, { namespace: 'default', name })),
    await refusal(() => operator.list(Secret)),
    await refusal(() => operator.get(Lease, { namespace: home, name })),
    await refusal(() => operator.patch(ValidatingWebhookConfiguration, { name }, 'merge', {})),
  ];
}

async function install(api: Client, object: KubeObject): Promise<void> {
  const kind = builtinKinds.find((each) => each.apiVersion === object.apiVersion && each.kind === object.kind);
  if (kind === undefined) throw new Error(`${object.kind} is not built in`);
  await api.create(kind, object);
}
