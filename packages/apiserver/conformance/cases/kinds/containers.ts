// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { pod } from '../../objects/objects.ts';

/** A valid container. */
const main = { name: 'main', image: 'example:1' };

/** Tries to create a pod with each of these invalid containers. */
async function refuseContainers(api: Conversation, ...containers: object[]): Promise<void> {
  for (const container of containers) await api.post('pods', pod('a', { containers: [{ ...main, ...container }] }));
}

/** Parts of pods: ports, environment, probes, volumes, resources. */
export const containers: readonly ConformanceCase[] = [
  testCase('a pod reserves what it limits, in canonical quantities', async (api) => {
    for (const resources of [
      { limits: { cpu: '0.5', memory: '1024Mi' } },
      { limits: { cpu: 2, memory: '1.5Gi' }, requests: { cpu: '1500m' } },
      { requests: { cpu: '100m', memory: '1e3', 'ephemeral-storage': '0.5Gi' } },
      { limits: { cpu: '1' } },
    ]) {
      await api.post('pods', pod('a', { containers: [{ ...main, resources }] }), { dryRun: 'All' });
    }
  }),

  testCase('ports, environment and probes of a container are checked', async (api) => {
    await refuseContainers(
      api,
      { ports: [{}] },
      { ports: [{ containerPort: 70_000, hostPort: -1, protocol: 'TLS', name: 'A_long_name_of_a_port' }] },
      {
        ports: [
          { containerPort: 1, name: 'a' },
          { containerPort: 2, name: 'a' },
        ],
      },
      { env: [{}, { name: 'a=b' }, { name: 'a', value: 'b', valueFrom: {} }, { name: 'c', valueFrom: {} }] },
      { env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'spec.none' } } }] },
      { env: [{ name: 'a', valueFrom: { configMapKeyRef: {}, secretKeyRef: { key: 'k' } } }] },
      { envFrom: [{}, { configMapRef: { name: 'No_Name' } }] },
      { livenessProbe: {} },
      { livenessProbe: { httpGet: { port: 0, path: '' }, tcpSocket: { port: 1 } } },
      { livenessProbe: { exec: {}, periodSeconds: -1, successThreshold: 2 } },
      { readinessProbe: { tcpSocket: { port: 'Not_a_Port' }, timeoutSeconds: -1 } },
      { lifecycle: { postStart: {} } },
      { restartPolicy: 'Later' },
    );
  }),

  testCase('volumes and their mounts are checked', async (api) => {
    for (const volumes of [
      [{ name: 'No_Name' }],
      [{ emptyDir: {} }],
      [{ name: 'a' }, { name: 'a' }],
      [{ name: 'a', emptyDir: {}, hostPath: { path: '' } }],
      [{ name: 'a', secret: {} }],
      [{ name: 'a', configMap: { items: [{ key: '', path: '../up' }], defaultMode: 4096 } }],
      [{ name: 'a', persistentVolumeClaim: {} }],
      [{ name: 'a', hostPath: { path: 'a/../b', type: 'Door' } }],
    ]) {
      await api.post('pods', pod('a', { volumes }));
    }
    await refuseContainers(
      api,
      { volumeMounts: [{ name: 'none', mountPath: '/a' }] },
      { volumeMounts: [{ name: '', mountPath: '' }] },
    );
    const mounting = [
      {
        ...main,
        volumeMounts: [
          { name: 'a', mountPath: '/a' },
          { name: 'a', mountPath: '/a', subPath: '/b/../c' },
        ],
      },
    ];
    await api.post('pods', pod('a', { volumes: [{ name: 'a' }], containers: mounting }));
  }),

  testCase('quantities must be such, and requests fit into limits', async (api) => {
    await refuseContainers(
      api,
      { resources: { limits: { cpu: 'much' } } },
      { resources: { limits: { cpu: '-1' } } },
      { resources: { limits: { memory: '1Gi' }, requests: { memory: '1025Mi' } } },
      { resources: { limits: { pods: '1' } } },
      { resources: { requests: { 'example.com/thing': '1' } } },
      { resources: { limits: { 'example.com/thing': '0.5' } } },
    );
  }),
];
