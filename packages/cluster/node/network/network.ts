// SPDX-License-Identifier: Apache-2.0
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { addressPool } from './address-pool.ts';
import { nodeNetwork, nodeSettings, podNetwork, routeToPod } from './network-commands.ts';

/** The network of a pod. */
export interface PodNetwork {
  address: string;
  /** The file of the pod's network namespace. */
  namespace: string;
}

/** The pod network of a node. */
export interface Network {
  attach(podUid: string): Promise<PodNetwork>;
  detach(network: PodNetwork): Promise<void>;
}

/** Sets up the node's network; `folder` is on a tmpfs and holds the pods' namespaces. */
export async function setUpNodeNetwork(folder: string, tools: Toolbox): Promise<Network> {
  const pool = addressPool();

  async function ip(lines: readonly string[], prefix: readonly string[] = [], name = 'node'): Promise<void> {
    const batch = join(folder, `${name}.batch`);
    await writeFile(batch, `${lines.join('\n')}\n`);
    await runCommand([...prefix, ...tools.ip, '-batch', batch]);
    await rm(batch);
  }

  async function detach({ address, namespace }: PodNetwork): Promise<void> {
    // Dropping the last reference to a network namespace removes its interfaces, and both ends of the veth pair.
    await runCommand([...tools.umount, namespace]);
    await rm(namespace);
    pool.free(address);
  }

  await ip(nodeNetwork);
  for (const [file, value] of Object.entries(nodeSettings)) await writeFile(file, value);
  return {
    detach,
    async attach(podUid) {
      const network = { address: pool.take(), namespace: join(folder, podUid) };
      try {
        await writeFile(network.namespace, '');
        await ip(podNetwork(network.address), [...tools.unshare, `--net=${network.namespace}`, '--'], podUid);
        await ip(routeToPod(network.address), [], podUid);
        return network;
      } catch (error) {
        // A partial network would block the next attempt.
        await detach(network).catch(() => undefined);
        throw error;
      }
    },
  };
}
