// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { CliError } from '../terminal/cli-error.ts';
import { controlPlaneDemo } from './control-plane-demo.ts';
import type { Demo } from './demo.ts';
import { keystoneDemo } from './keystone-demo.ts';

/** Throws when the folder contains the other demo: a standalone Keystone cannot become that of a ControlPlane. */
export async function refuseOtherDemo(client: Client, demo: Demo, data: Pick<DataFolder, 'dir'>): Promise<void> {
  await refuseEarlierDemo(client, data);
  const holds = async ({ namespace, resources: [{ kind, name }] }: Demo) =>
    (await client.find(kind, { namespace, name })) !== undefined;
  const other = demo === keystoneDemo ? controlPlaneDemo : keystoneDemo;
  if ((await holds(demo)) || !(await holds(other))) return;
  const { kind } = other.resources[0].kind;
  const how = other === keystoneDemo ? 'with --only keystone' : 'without --only';
  throw new CliError(
    `${data.dir} holds the demo of a ${kind}. Nothing was changed. Start it ${how}, or use another folder (--data).`,
  );
}

/**
 * Throws when the folder contains the demo of an earlier version: its Keystone has an unmanaged database, which is
 * immutable.
 */
async function refuseEarlierDemo(client: Client, { dir }: Pick<DataFolder, 'dir'>): Promise<void> {
  const { namespace, keystone: name } = keystoneDemo;
  const [keystone, managed] = await Promise.all([
    client.find(Keystone, { namespace, name }),
    client.find(Namespace, { name: openbao.namespace }),
  ]);
  if (keystone?.spec.database.host === undefined || managed !== undefined) return;
  throw new CliError(
    `${dir} holds a Keystone of an earlier version, which cannot be changed to managed mode. Nothing was changed. ` +
      'Start with another folder (--data), or use the earlier version of forge for this one.',
  );
}
