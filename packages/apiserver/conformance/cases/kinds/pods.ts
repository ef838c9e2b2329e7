// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { pod } from '../../objects/objects.ts';

/** A valid container. */
const main = { name: 'main', image: 'example:1' };

/** Pods: defaults, validation and updates. */
export const pods: readonly ConformanceCase[] = [
  testCase('a pod is created with its defaults', async (api) => {
    await api.post('pods', pod('a'));
  }),

  testCase('the parts of a pod get their defaults too', async (api) => {
    const container = {
      ...main,
      image: 'example',
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }],
      env: [
        { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      ],
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 3 },
      startupProbe: { grpc: { port: 90 } },
      lifecycle: { preStop: { httpGet: { port: 80 } } },
      volumeMounts: [{ name: 'empty', mountPath: '/empty' }],
      securityContext: { runAsUser: 1000 },
    };
    const volumes = [
      { name: 'empty' },
      { name: 'map', configMap: { name: 'm' } },
      { name: 'secret', secret: { secretName: 's' } },
      { name: 'host', hostPath: { path: '/tmp' } },
      { name: 'down', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      {
        name: 'all',
        projected: {
          sources: [
            { serviceAccountToken: { path: 'token' } },
            { configMap: { name: 'm' } },
            { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
    ];
    const initContainers = [
      { name: 'digest', image: `example@sha256:${'0'.repeat(64)}` },
      { name: 'side', image: 'registry:5000/example:latest', restartPolicy: 'Always' },
    ];
    await api.post(
      'pods',
      pod('a', { containers: [container], initContainers, volumes, serviceAccountName: 'default' }),
    );
  }),

  testCase('a pod without what it needs is refused', async (api) => {
    await api.post('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
    await api.post('pods', pod('a', { containers: [] }));
    await api.post('pods', pod('a', { containers: [{}] }));
    await api.post('pods', pod('a', { containers: [{ ...main, name: 'No_Name' }] }));
    await api.post('pods', pod('a', { containers: [main, main], initContainers: [main] }));
    await api.post('pods', { ...pod('No_Name'), spec: { containers: [{ name: 'main', image: ' example' }] } });
  }),

  testCase('what a pod chooses must be among what is known', async (api) => {
    for (const spec of [
      { restartPolicy: 'Sometimes' },
      { dnsPolicy: 'Guess' },
      { preemptionPolicy: 'Maybe' },
      { terminationGracePeriodSeconds: -1, activeDeadlineSeconds: 0 },
      { nodeName: 'No_Name', hostname: 'No_Name', subdomain: 'No_Name' },
      { nodeSelector: { 'not a key': 'not a value' } },
      { tolerations: [{ operator: 'Exists', value: 'x' }, { key: 'a', operator: 'Like' }, { effect: 'Never' }] },
      { priorityClassName: 'none' },
      { dnsPolicy: 'None' },
    ]) {
      await api.post('pods', pod('a', spec));
    }
    const container = { ...main, imagePullPolicy: 'Never ever', terminationMessagePolicy: 'Memory' };
    await api.post('pods', pod('a', { containers: [container] }));
  }),

  testCase('a field of another type is refused', async (api) => {
    await api.post('pods', pod('a', { containers: 'main' }));
    await api.post('pods', pod('a', { containers: [{ ...main, image: 1 }] }));
    await api.post('pods', pod('a', { terminationGracePeriodSeconds: 'long' }));
    await api.post('pods', pod('a', { hostNetwork: 'yes', nodeSelector: ['a'] }));
  }),

  testCase("of a pod's spec only images, deadlines and tolerations may change", async (api) => {
    const created = await api.post<Pod>('pods', pod('a'));
    const { spec } = created;
    const change = (more: object) => api.patch('merge', 'pods/a', { spec: more });
    await change({ containers: [{ ...spec?.containers[0], image: 'example:2' }] });
    await change({ containers: [{ ...spec?.containers[0], command: ['sh'] }] });
    await change({ containers: [...(spec?.containers ?? []), { name: 'more', image: 'example:1' }] });
    await change({ activeDeadlineSeconds: 60 });
    await change({ activeDeadlineSeconds: 90 });
    await change({ tolerations: [...(spec?.tolerations ?? []), { key: 'a', operator: 'Exists' }] });
    await change({ tolerations: [] });
    await change({ terminationGracePeriodSeconds: 5 });
    await change({ nodeName: 'somewhere' });
    await change({ restartPolicy: 'Never' });
  }),

  testCase('the status of a pod is written apart, labels may come along', async (api) => {
    const created = await api.post<Pod>('pods', { ...pod('a'), status: { phase: 'Running' } });
    const labels = { app: 'a' };
    const containers = [{ ...main, image: 'example:2' }];
    await api.put('pods/a/status', {
      ...created,
      metadata: { ...created.metadata, labels },
      spec: { ...created.spec, containers },
      status: { ...created.status, phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
    });
    await api.patch('strategic', 'pods/a/status', {
      status: { conditions: [{ type: 'Ready', status: 'True' }], phase: 'Succeeded' },
    });
  }),
];
