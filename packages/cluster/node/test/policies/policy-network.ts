// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';
import type { Toolbox } from '../../../host/toolbox.ts';
import { addresses } from '../../network/addresses.ts';
import { connectionChains } from '../../network/connection-rules.ts';
import { setUpNodeNetwork } from '../../network/network.ts';
import { packetFilter } from '../../network/packet-filter.ts';
import { serviceChains, serviceRules } from '../../network/service-rules.ts';
import { allowedTraffic } from '../../policies/allowed-traffic.ts';
import { dnsPod } from '../../policies/dns-pod.ts';
import { policyChains, policyRules } from '../../policies/policy-rules.ts';
import { answer, attempt, type Attempt, type AttemptResult } from './peer-process.ts';
import { addressOf, connection, identity, namespaces, pods } from './policy-world.ts';

/** The open connections that a pod may have. */
export const maxConnections = 200;

const program = fileURLToPath(new URL('peer-process.ts', import.meta.url));

type Connect = (asked: Omit<Attempt, 'id'>) => Promise<string>;

/** The pods of the cases in the network of a node, in the current namespaces. */
export async function policyNetwork(folder: string, tools: Toolbox) {
  const network = await setUpNodeNetwork(folder, tools);
  const { services, policies } = await packetFilter(folder, tools).tables({
    services: serviceChains,
    policies: policyChains,
    connections: connectionChains(maxConnections),
  });
  await services.update(serviceRules([identity.service], [identity.slice]));
  const ports = [addresses.apiServerPort, addresses.kubeletPort];
  await answer(addresses.node, { tcp: ports, udp: ports });
  await answer(addresses.dns, { tcp: [53], udp: [53] });
  const peers = new Map<string, Connect>([['node', attempt]]);
  for (const [name, { address }] of Object.entries(pods)) {
    const attached = await network.attach(name);
    if (attached.address !== address) throw new Error(`${name} is at ${attached.address}`);
    peers.set(name, await peer([...tools.nsenter, `--net=${attached.namespace}`, '--']));
  }
  return {
    /** Enforces these policies instead of the previous ones. */
    enforce(enforced: readonly NetworkPolicy[]): Promise<void> {
      const everyPod = [dnsPod, ...Object.values(pods)];
      return policies.update(policyRules(allowedTraffic({ pods: everyPod, namespaces, policies: enforced })));
    },
    /** Tries a connection of the cases; returns the address that the other side saw. */
    async connect(text: string): Promise<string> {
      const { from, to, protocol, port } = connection(text);
      const host = to === 'identity' ? identity.service.spec?.clusterIP : addressOf[to];
      if (protocol === 'sctp') throw new Error('the kernel has no SCTP sockets');
      return (await peers.get(from)?.({ protocol, host: host ?? '', port })) ?? '';
    },
  };
}

/** A process in the namespace of a pod. */
async function peer(prefix: readonly string[]): Promise<Connect> {
  const [command, ...args] = [...prefix, process.execPath, program];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  const ready = Promise.withResolvers<string>();
  waiting.set(-1, ready);
  child.on('message', ({ id, seen = '', error }: AttemptResult) => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) found?.resolve(seen);
    else found?.reject(new Error(error));
  });
  child.once('exit', (code) => ready.reject(new Error(`the peer exited with ${code}`)));
  await ready.promise;
  let asked = 0;
  return (target) => {
    const result = Promise.withResolvers<string>();
    const id = asked++;
    waiting.set(id, result);
    child.send({ id, ...target } satisfies Attempt);
    return result.promise;
  };
}
