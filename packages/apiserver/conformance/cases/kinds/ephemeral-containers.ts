// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { pod } from '../../objects/objects.ts';

const shell = { name: 'debug', image: 'busybox:1.36' };

/** Adds ephemeral containers to pod `a` as kubectl debug does. */
function add(api: Conversation, ...ephemeralContainers: object[]) {
  return api.patch('strategic', 'pods/a/ephemeralcontainers', { spec: { ephemeralContainers } });
}

/** Containers that are added to a running pod. */
export const ephemeralContainers: readonly ConformanceCase[] = [
  testCase('an ephemeral container is added with defaults, and read back', async (api) => {
    await api.post('pods', pod('a'));
    await add(api, { ...shell, targetContainerName: 'main', stdin: true, tty: true });
    await api.get('pods/a/ephemeralcontainers');
    await add(api, { ...shell, name: 'second' });
  }),
  testCase('an update of ephemeral containers changes nothing else', async (api) => {
    const created = await api.post<Pod>('pods', pod('a'));
    const metadata = { ...created.metadata, labels: { app: 'b' } };
    const spec = { ...created.spec, activeDeadlineSeconds: 5, ephemeralContainers: [shell] };
    await api.put('pods/a/ephemeralcontainers', { ...created, metadata, spec });
  }),
  testCase('an ephemeral container is neither removed nor changed', async (api) => {
    await api.post('pods', pod('a'));
    await add(api, shell);
    await api.patch('merge', 'pods/a/ephemeralcontainers', { spec: { ephemeralContainers: [] } });
    await add(api, { ...shell, image: 'busybox:1.37' });
    await api.patch('merge', 'pods/a', { spec: { ephemeralContainers: [] } });
    await api.patch('strategic', 'pods/a', { spec: { ephemeralContainers: [{ ...shell, name: 'other' }] } });
    await api.patch('merge', 'pods/a', { metadata: { labels: { app: 'b' } } });
  }),
  testCase('neither a pod nor a template is created with ephemeral containers', async (api) => {
    await api.post('pods', pod('a', { ephemeralContainers: [shell] }));
    const metadata = { labels: { app: 'a' } };
    const { spec } = pod('a', { ephemeralContainers: [shell] });
    await api.post('apps/v1/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: metadata.labels }, template: { metadata, spec } },
    });
  }),
  testCase('an ephemeral container has a name of its own, and an existing target', async (api) => {
    await api.post('pods', pod('a'));
    await add(api, { ...shell, name: 'main' });
    await add(api, { ...shell, name: '' });
    await add(api, { ...shell, name: 'Bad Name' });
    await add(api, { name: 'debug' });
    await add(api, { ...shell, targetContainerName: 'nobody' });
    await add(api, { ...shell, targetContainerName: 'debug' });
  }),
  testCase('an ephemeral container has no ports, probes, hooks, resources or subPaths', async (api) => {
    await api.post('pods', pod('a', { volumes: [{ name: 'v', emptyDir: {} }] }));
    const exec = { command: ['true'] };
    await add(api, {
      ...shell,
      ports: [{ containerPort: 80 }],
      livenessProbe: { exec },
      readinessProbe: { exec },
      startupProbe: { exec },
      lifecycle: { preStop: { exec } },
      resources: { limits: { cpu: '1' } },
    });
    await add(api, { ...shell, volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a' }] });
    await add(api, { ...shell, volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: 'a' }] });
    await add(api, { ...shell, volumeMounts: [{ name: 'nothing', mountPath: '/v' }] });
    await add(api, { ...shell, restartPolicy: 'Always' });
    await add(api, { ...shell, volumeMounts: [{ name: 'v', mountPath: '/v' }] });
  }),
  testCase('ephemeral containers of a missing pod are not found', async (api) => {
    await api.get('pods/a/ephemeralcontainers');
    await add(api, shell);
  }),
  testCase('pod security applies to ephemeral containers', async (api) => {
    await api.patch('merge', `/api/v1/namespaces/${api.namespace}`, {
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
    });
    await api.post('pods', pod('a'));
    await api.catchUp();
    await add(api, { ...shell, securityContext: { privileged: true } });
    await add(api, shell);
  }),
];
