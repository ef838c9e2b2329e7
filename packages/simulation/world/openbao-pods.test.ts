// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import type { Fault } from '../faults/fault-plan.ts';
import type { ProcessContext } from '../scenario/scenario.ts';
import { environment } from './environment.ts';
import { world, type World } from './world.ts';

const namespace = 'ops';
const labels = { app: 'demo' };
const named = (name: string) => ({ namespace, name });
const urlOf = (pod: string) => `https://${pod}.demo.ops.svc:8200/v1`;

const config = `seal "static" {
  current_key    = "file:///etc/bao/unseal/key"
  current_key_id = "one"
}
storage "raft" {
  path = "/bao/data"
  retry_join {
    leader_api_addr = "https://demo-0.demo.ops.svc:8200"
  }
  retry_join {
    auto_join = "provider=k8s namespace=ops label_selector=\\"app=demo\\""
  }
}
`;

const statefulSet: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: named('demo'),
  spec: {
    replicas: 3,
    serviceName: 'demo',
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name: 'openbao',
            image: 'openbao/openbao:2.7.2',
            volumeMounts: [
              { name: 'unseal', mountPath: '/etc/bao/unseal' },
              { name: 'data', mountPath: '/bao/data' },
            ],
          },
        ],
        volumes: [
          { name: 'config', configMap: { name: 'demo-config' } },
          { name: 'unseal', secret: { secretName: 'demo-unseal' } },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
};

/** A cluster with three servers; its process `init` initialises the first until it sees a reply. */
async function servers(faults: readonly Fault[] = []) {
  const around = environment({ openbao: true });
  const replies: string[] = [];
  const init = {
    name: 'init',
    async start(host: ProcessContext) {
      const http = around.openbao.reachedBy(host);
      const request = {
        method: 'PUT',
        url: `${urlOf('demo-0')}/sys/init`,
        body: '{}',
        deadline: seconds(30),
        signal: new AbortController().signal,
      };
      for (let tries = 0; tries < 20; tries += 1) {
        const reply = await http.send(request).catch((error: Error) => ({ body: error.message }));
        replies.push(reply.body.toString().replace(/s\.[\w-]+/, '…'));
        if ('status' in reply) return;
        await new Promise<void>((resolve) => void host.clock.after(seconds(2), resolve));
      }
    },
  };
  const here = await world({ environment: around, processes: [init], faults });
  await here.during(createAll(here));
  return { here, around, replies };
}

async function createAll({ user }: World): Promise<void> {
  await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await user.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: named('demo-config'),
    data: { 'config.hcl': config },
  });
  await user.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: named('demo-unseal'),
    data: { key: btoa('k'.repeat(32)) },
  });
  await user.create(Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: named('demo'),
    spec: { clusterIP: 'None', selector: labels, ports: [{ port: 8200 }] },
  });
  await user.create(StatefulSet, statefulSet);
}

const labelsOf = ({ state }: World, name: string) => state.find(Pod, named(name))?.metadata.labels ?? {};
const isActive = (here: World, name: string) => labelsOf(here, name)['openbao-active'] === 'true';

describe('OpenBao in the pods of a world', () => {
  test('forms a cluster from its mounted configuration, writes its labels and makes its pods ready', async () => {
    const { here, around, replies } = await servers();
    await using _ = here;
    await here.until((state) => state.find(StatefulSet, named('demo'))?.status?.readyReplicas === 3);
    await here.advance(minutes(1));
    assert.equal(replies.at(-1), '{"keys":[],"keys_base64":[],"root_token":"…"}');
    assert.ok(isActive(here, 'demo-0'));
    const { app, ...own } = Object.fromEntries(
      Object.entries(labelsOf(here, 'demo-1')).filter(([label]) => label === 'app' || label.startsWith('openbao-')),
    );
    assert.deepEqual(
      [app, own],
      [
        'demo',
        {
          'openbao-active': 'false',
          'openbao-initialized': 'true',
          'openbao-perf-standby': 'false',
          'openbao-sealed': 'false',
          'openbao-version': '2.7.2',
        },
      ],
    );
    const voters = around.openbao
      .serverIn(named('demo-0'))
      ?.options.disk.store?.copy.peers.filter(({ voter }) => voter);
    assert.deepEqual(voters?.map(({ id }) => id).toSorted(), ['demo-0', 'demo-1', 'demo-2']);
  });

  test('a pod that comes back finds its data, and one with a new claim joins with an empty disk', async () => {
    const { here, around } = await servers();
    await using _ = here;
    await here.until((state) => state.find(StatefulSet, named('demo'))?.status?.readyReplicas === 3);
    const diskOf = (name: string) => around.openbao.serverIn(named(name))?.options.disk;
    const before = diskOf('demo-2');
    around.openbao.labelDelay = seconds(10);
    await here.during(here.user.delete(Pod, named('demo-2')));
    await here.advance(seconds(3));
    assert.ok(before?.store !== undefined && diskOf('demo-2') === before);
    assert.equal(labelsOf(here, 'demo-2')['openbao-sealed'], undefined, 'its labels are slow');
    await here.advance(seconds(10));
    assert.equal(labelsOf(here, 'demo-2')['openbao-sealed'], 'false');
    await here.during(here.user.delete(PersistentVolumeClaim, named('data-demo-2')));
    await here.during(here.user.delete(Pod, named('demo-2')));
    await here.until(() => ![undefined, before].includes(diskOf('demo-2')));
    await here.advance(minutes(1));
    assert.equal(diskOf('demo-2')?.store?.copy.clusterId, before.store.copy.clusterId, 'it joins again');
  });

  test('a lost reply to the initialisation is a lost root token, and the disk shows that it took effect', async () => {
    const { here, around, replies } = await servers([{ process: 'init', at: 2, fault: 'lost-reply' }]);
    await using _ = here;
    const asked: string[] = [];
    around.openbao.onRequest = (_request, { options }) =>
      asked.push(`${options.nodeId} ${options.disk.store === undefined ? 'empty' : 'with data'}`);
    await here.advance(minutes(1));
    assert.match(replies.join('\n'), /broke waiting for the response headers[^]*Vault is already initialized/);
    assert.doesNotMatch(replies.join('\n'), /root_token/);
    assert.deepEqual(asked.slice(-2), ['demo-0 empty', 'demo-0 with data']);
    const [claim] = here.state.list(PersistentVolumeClaim).filter(({ metadata }) => metadata.name === 'data-demo-0');
    assert.equal(
      around.openbao.diskOf(claim?.metadata.uid ?? ''),
      around.openbao.serverIn(named('demo-0'))?.options.disk,
    );
  });
});
