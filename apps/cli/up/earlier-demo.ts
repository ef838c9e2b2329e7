// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { CliError } from '../terminal/cli-error.ts';
import { demo } from './demo.ts';

/** Throws when the folder holds the demo of an earlier version: its Keystone, with a database by host, cannot become managed. */
export async function refuseEarlierDemo(client: Client, { dir }: Pick<DataFolder, 'dir'>): Promise<void> {
  const [keystone, managed] = await Promise.all([
    client.find(Keystone, { namespace: demo.namespace, name: demo.keystone }),
    client.find(Namespace, { name: openbao.namespace }),
  ]);
  if (keystone?.spec.database.host === undefined || managed !== undefined) return;
  throw new CliError(
    `${dir} holds a Keystone of an earlier version, which cannot be changed to managed mode. Nothing was changed. ` +
      'Start with another folder (--data), or use the earlier version of forge for this one.',
  );
}
