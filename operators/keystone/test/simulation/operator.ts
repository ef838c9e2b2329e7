// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { ProcessContext, Process, Scenario } from '@forge/simulation/scenario/scenario.ts';
import { environment } from '@forge/simulation/world/environment.ts';
import { Keystone } from '../keystone.ts';
import { keystoneController } from '../reconcile.ts';
import { defaultSecretStore } from '../step.ts';
import { keystoneFixture } from './keystone-fixture.ts';
import { home, secret } from './keystone-operator.ts';

const keySize = 32;

/** Randomness whose keys are the same in every run, so that what is made from them can be compared. */
const withFixedKeys = (random: Random): Random => ({
  ...random,
  bytes: (count) => (count === keySize ? new Uint8Array(count).fill(7) : random.bytes(count)),
});

const operator: Process = {
  name: 'keystone',
  start(host: ProcessContext) {
    const health = () => host.outside('Keystone', () => ({ found: 'healthy' }) as const);
    const controllers = () => [
      keystoneController({
        reading: { keystoneApi: { health }, secretStore: defaultSecretStore, ownNamespace: undefined },
        acting: {},
      }),
    ];
    return operatorProcess(host.name, controllers, { random: withFixedKeys(host.random) }).start(host);
  },
};

const setSpec = (spec: object) => (user: Client) => user.patch(Keystone, home, 'merge', { spec });

/** The life of a Keystone: created before its credentials, reconfigured, scaled, given another password, deleted. */
export const keystoneScenario: Scenario = {
  async setUp(user) {
    await user.create(CustomResourceDefinition, crdOf(Keystone));
    await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });
  },
  newRun: () => ({
    processes: [...environment().processes, operator],
    steps: [
      (user) => {
        const { uid: _, generation: __, ...metadata } = keystoneFixture().metadata;
        return user.create(Keystone, { ...keystoneFixture(), metadata });
      },
      (user) => user.create(Secret, secret('keystone-db', { username: 'keystone', password: 'x' })),
      (user) => user.create(Secret, secret('keystone-admin', { password: 'hunter2' })),
      setSpec({ extraConfig: { DEFAULT: { max_token_size: '300' } } }),
      setSpec({ replicas: 5 }),
      setSpec({ image: { tag: '2026.1' } }),
      (user) =>
        user.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', {
          data: { password: Buffer.from('hunter3').toString('base64') },
        }),
      (user) => user.delete(Keystone, home),
    ],
    rules: {
      'no secret value is outside of Secrets': (cluster) =>
        !/hunter[23]/.test(JSON.stringify(cluster.find(Keystone, home)?.status ?? {})),
    },
  }),
};
