// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import type { ManagerOptions } from '@forge/runtime/controller/manager.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { electedProcesses, operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { ProcessContext, Process } from '@forge/simulation/scenario/scenario.ts';
import { grantLeastPrivilege, operatorUser } from '@forge/testing/least-privilege.ts';
import { Keystone } from '../../api/keystone.ts';
import { cachedHealth } from '../../clients/cached-health.ts';
import { keystoneController } from '../../reconcile.ts';

/** The name of the operator when it is one process. */
export const processName = 'keystone';
const keySize = 32;
const keysPerRepository = 3;

/** Randomness with the same keys in every run, so that what is made from them can be compared; those of a repository differ. */
function withFixedKeys(random: Random): Random {
  let made = 0;
  return {
    ...random,
    bytes(count) {
      if (count !== keySize) return random.bytes(count);
      queueMicrotask(() => (made = 0));
      made += 1;
      return new Uint8Array(count).fill(made % keysPerRepository);
    },
  };
}

function controllers(host: ProcessContext) {
  const health = () => host.outside('Keystone', () => ({ found: 'healthy' }) as const, { reads: true });
  const keystoneApi = cachedHealth({ health }, host.clock);
  const reading = { keystoneApi, secretStore: defaultSecretStore, ownNamespace: undefined };
  return [keystoneController({ reading, acting: {} })];
}

const nowhere = { health: () => Promise.reject(new Error('this controller does not run')) };

/** The controllers, for what they declare. */
export const declaredControllers = [
  keystoneController({
    reading: { keystoneApi: nowhere, secretStore: defaultSecretStore, ownNamespace: undefined },
    acting: {},
  }),
];

/** Allows the operator what it says it needs, and nothing else. */
export async function grantAccess(client: Client): Promise<void> {
  const lease = { namespace: 'default', name: processName };
  await grantLeastPrivilege(client, { controllers: declaredControllers, requires: [Keystone], lease });
}

const seeded = (process: Process): Process => ({
  ...process,
  user: operatorUser(processName),
  frugal: true,
  start: (host) => process.start({ ...host, random: withFixedKeys(host.random) }),
});

/** The operator as one process; `options` are passed to its manager. */
export const operatorOf = (options: Partial<ManagerOptions> = {}): Process =>
  seeded(operatorProcess(processName, controllers, options));

/** The operator as one process, without resync. */
export const oneOperator: readonly Process[] = [operatorOf()];

/** The operator as two processes, of which one leads. */
export const electedOperators: readonly Process[] = electedProcesses(processName, controllers).map(seeded);
