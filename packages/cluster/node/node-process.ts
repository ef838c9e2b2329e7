// SPDX-License-Identifier: Apache-2.0
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { eventRecorder } from '@forge/runtime/events/event-recorder.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import { enterGroup } from '../host/own-group.ts';
import { maxOpenFiles } from '../host/resource-limit.ts';
import { runCommand } from '../host/run-command.ts';
import { toolbox } from '../host/toolbox.ts';
import { watchedObjects } from '../objects/watched-objects.ts';
import { serveKubelet } from './api/kubelet-server.ts';
import { writeLaunchers } from './confinement/launchers.ts';
import { thisMachine } from './confinement/machine.ts';
import { containerRuntime } from './containers/container-runtime.ts';
import type { NodeSettings } from './messages.ts';
import { mountLayer } from './mounts/overlay.ts';
import { tmpfsOptions, tmpfsSizes } from './mounts/tmpfs.ts';
import { addresses } from './network/addresses.ts';
import { connectionCounts, connectionLimits } from './network/connection-limits.ts';
import { connectionChains } from './network/connection-rules.ts';
import { serveDial } from './network/dial-server.ts';
import { serveDns } from './network/dns-server.ts';
import { followServices } from './network/follow-services.ts';
import { setUpNodeNetwork } from './network/network.ts';
import { packetFilter } from './network/packet-filter.ts';
import { relay } from './network/relay.ts';
import { serviceChains } from './network/service-rules.ts';
import { registerNode } from './node-registration.ts';
import { startKubelet } from './pods/kubelet.ts';
import type { PodContext } from './pods/pod-context.ts';
import { networkPolicies } from './policies/network-policies.ts';
import { policyChains } from './policies/policy-rules.ts';
import { runFolders } from './run-folders.ts';
import { tmpfsStorage } from './volumes/pod-storage.ts';
import { reclaimVolumes } from './volumes/reclaim-volumes.ts';
import { storagePressure } from './volumes/storage-pressure.ts';

/** The dependencies of a node. */
export interface NodeDependencies {
  clock: Clock;
  random: Random;
  log: Logger;
  requestImage: PodContext['requestImage'];
}

/** The longest time in milliseconds that pods get to stop: a compromise between their needs and the user's patience. */
const maxGrace = 10_000;

/** Runs a node in the current namespaces; resolves when it is ready for pods. */
export async function runNode(
  settings: NodeSettings,
  { clock, random, log, requestImage }: NodeDependencies,
): Promise<{ stop(): Promise<void> }> {
  const { name, credentials, serving, volumesDir, logsDir } = settings;
  const { memory, dialSocket } = runFolders(settings.runDir);
  if (settings.ownGroup !== undefined) await enterGroup(settings.ownGroup);
  const hostTools = toolbox(settings.toolsRoot);
  await runCommand([...hostTools.mount, '-t', 'tmpfs', '-o', tmpfsOptions(tmpfsSizes.node, '0700'), 'tmpfs', memory]);
  const folder = async (part: string) => {
    await mkdir(join(memory, part));
    return join(memory, part);
  };
  // A container can access the program that started it as /proc/self/exe, and must not be able to change it.
  const toolsRoot = await folder('tools');
  const empty = await folder('empty');
  await mountLayer(settings.toolsRoot, toolsRoot, { empty, table: join(memory, 'fstab'), tools: hostTools });
  const tools = toolbox(toolsRoot);
  const openFiles = await maxOpenFiles();
  const launchers = await writeLaunchers(await folder('launchers'), thisMachine(), openFiles);
  const limits = connectionLimits(connectionCounts(openFiles));

  const abort = new AbortController();
  const { signal } = abort;
  const networks = await folder('networks');
  const network = await setUpNodeNetwork(networks, tools);
  const filter = packetFilter(networks, tools);
  const tables = await filter.tables({ services: serviceChains, policies: policyChains }).catch((error: Error) => {
    log.error('NetworkPolicies are not enforced, and Services forward TCP only: nftables cannot be used', { error });
    return undefined;
  });
  const limited = tables && filter.tables({ connections: connectionChains() });
  limited?.catch((error: Error) => log.warn('connections between pods are not limited in number', { error }));
  await relay({ host: addresses.node, port: addresses.apiServerPort }, settings.apiServerSocket, limits, signal);

  const server = 'https://kubernetes.default.svc';
  const transport = httpsTransport({ server, socketPath: settings.apiServerSocket, ...credentials });
  const watching = { client: client(transport), clock, random, log };
  const services = await followServices({ table: tables?.services, limits }, watching, signal);
  const { zone } = services;
  await Promise.all([serveDns(addresses.dns, zone, limits, signal), serveDial(dialSocket, zone, signal)]);

  const event = eventRecorder({ ...watching, component: 'kubelet', signal });
  const policies = tables && (await networkPolicies(tables.policies, { ...watching, event }, signal));
  const kubelet = await startKubelet(
    name,
    {
      ...watching,
      event,
      network,
      policies,
      runtime: containerRuntime(await folder('containers'), { tools, launchers, cgroup: settings.cgroup, clock }),
      objects: watchedObjects(watching),
      services: services.current,
      requestImage,
      podsFolder: await folder('pods'),
      storage: tmpfsStorage(tools),
      pressure: storagePressure(tmpfsSizes.allStorage, { clock, signal }),
      volumesDir,
      logsDir,
    },
    signal,
  );
  await serveKubelet({ ...watching, name, kubelet, tools, tls: { ca: credentials.ca, ...serving }, limits, signal });
  reclaimVolumes(volumesDir, watching, signal);
  await registerNode({ ...watching, name, enforcesPolicies: tables !== undefined, signal });

  return {
    async stop() {
      // Remaining processes are killed with the namespaces.
      await Promise.race([kubelet.stop(maxGrace), sleep(clock, 2 * maxGrace)]);
      abort.abort();
      await transport.close();
    },
  };
}
