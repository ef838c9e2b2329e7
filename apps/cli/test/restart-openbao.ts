// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { operatorInstallation } from '../up/install-operator.ts';
import { kubectl } from './forge-process.ts';

const namespace = 'secrets';
const name = 'bao';
const pods = [0, 1, 2].map((ordinal) => `${name}-${ordinal}`);

const cluster: KubeObject & { spec: unknown } = {
  apiVersion: 'openbao.org/v1alpha1',
  kind: 'OpenBaoCluster',
  metadata: { namespace, name },
  spec: { version: '2.7.2', replicas: 3, tls: { rotationPeriod: '720h' }, storage: { size: '1Gi' } },
};

/** Installs the operator as a user does, and creates an OpenBaoCluster of three with a secret; the files are for kubectl. */
export async function createOpenBao(dir: string, folder: string): Promise<void> {
  const { objects, deployment } = await operatorInstallation('openbao');
  const apply = async (file: string, items: readonly KubeObject[]) => {
    const path = join(folder, file);
    await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await kubectl(dir, 'apply', '-f', path);
  };
  const kinds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  await apply('kinds.json', kinds);
  await kubectl(dir, 'wait', '--for=condition=Established', 'crd/openbaoclusters.openbao.org', '--timeout=60s');
  await apply('operator.json', objects);
  await kubectl(
    dir,
    '-n',
    deployment.metadata.namespace ?? '',
    'rollout',
    'status',
    `deploy/${deployment.metadata.name}`,
  );
  await apply('cluster.json', [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, cluster]);
  await kubectl(dir, '-n', namespace, 'wait', '--for=condition=Available', `openbaocluster/${name}`, '--timeout=5m');
  await bao(dir, 'secrets enable -path=kv kv');
  // A mount that was just made is upgraded first.
  await eventually('the canary is stored', () => bao(dir, 'kv put kv/canary word=sings').then(Boolean, () => false));
  await untilUnharmed(dir);
}

/** Waits until three unsealed servers vote, and have the secret. */
export async function untilUnharmed(dir: string): Promise<void> {
  let found = '';
  await eventually(
    'three voters have the canary',
    async () => {
      try {
        const peers = await bao(dir, 'operator raft list-peers -format=json');
        const states = await Promise.all(pods.map((pod) => bao(dir, 'status -format=json', pod)));
        const word = await bao(dir, 'kv get -field=word kv/canary');
        found = [peers, ...states, word].join('\n');
        const isUnsealed = states.every((state) => !(JSON.parse(state) as { sealed: boolean }).sealed);
        return isUnsealed && areAllVoters(peers) && word.trim() === 'sings';
      } catch (error) {
        found = String(error);
        return false;
      }
    },
    { minutes: 3, observed: () => found },
  );
}

function areAllVoters(text: string): boolean {
  type Peers = { data: { config: { servers: { node_id: string; voter: boolean }[] } } };
  const { servers } = (JSON.parse(text) as Peers).data.config;
  const voters = servers.flatMap(({ node_id: id, voter }) => (voter ? [id] : []));
  return JSON.stringify(voters.toSorted()) === JSON.stringify(pods);
}

/** Runs a command of OpenBao's client in a pod, as root. */
async function bao(dir: string, command: string, pod = pods[0] ?? assert.fail()): Promise<string> {
  const token = await kubectl(
    dir,
    '-n',
    namespace,
    'get',
    'secret',
    `${name}-root-token`,
    '-o',
    'jsonpath={.data.token}',
  );
  const decoded = Buffer.from(token, 'base64').toString();
  const environment = ['BAO_ADDR=https://127.0.0.1:8200', 'BAO_SKIP_VERIFY=1', `BAO_TOKEN=${decoded}`];
  return await kubectl(dir, '-n', namespace, 'exec', pod, '--', 'env', ...environment, 'bao', ...command.split(' '));
}
