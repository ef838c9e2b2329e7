// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { deployment, pod } from '../../objects/objects.ts';

const main = { name: 'main', image: 'example:1' };
const side = { name: 'side', image: 'example:1' };
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/** A pod that does not set automountServiceAccountToken. */
function plainPod(name: string, spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { containers: [main], ...spec } };
}

function account(name: string, more: Record<string, unknown> = {}) {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, ...more };
}

function priorityClass(name: string, more: Record<string, unknown> = {}) {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 7, ...more };
}

const priorities = '/apis/scheduling.k8s.io/v1/priorityclasses';

/** Sets Pod Security labels of the case's namespace. */
async function setPodSecurity(api: Conversation, labels: Record<string, string | null>) {
  const prefixed = Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]);
  const patch = { metadata: { labels: Object.fromEntries(prefixed) as unknown } };
  await api.patch('merge', `/api/v1/namespaces/${api.namespace}`, patch);
  await api.catchUp();
}

/** A container that the restricted level allows. */
const confined = {
  ...main,
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};
const confinedPod = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };

/** Built-in admission of pods, and the default objects of namespaces. */
export const podAdmission: readonly ConformanceCase[] = [
  testCase('every namespace has a default service account, which comes back', async (api) => {
    const first = await api.get('serviceaccounts/default');
    await api.delete('serviceaccounts/default');
    await api.eventually('serviceaccounts/default', ({ metadata }, status) => {
      return status === 200 && metadata.uid !== first.metadata.uid;
    });
  }),

  testCase("a pod gets its account's token in every container", async (api) => {
    await api.post(
      'pods',
      plainPod('a', { containers: [main, side], initContainers: [{ name: 'init', image: 'example:1' }] }),
    );
    await api.post('serviceaccounts', account('builder'));
    await api.post('pods', plainPod('b', { serviceAccountName: 'builder' }));
    await api.post('pods', plainPod('c', { serviceAccount: 'builder', volumes: [{ name: 'own' }] }));
  }),

  testCase('a container that mounts something else in its place gets no token', async (api) => {
    const volumes = [{ name: 'own' }];
    const volumeMounts = [{ name: 'own', mountPath: tokenPath }];
    await api.post('pods', plainPod('a', { containers: [{ ...main, volumeMounts }], volumes }));
    await api.post('pods', plainPod('b', { containers: [{ ...main, volumeMounts }, side], volumes }));
    await api.post('pods', plainPod('c', { volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] }));
  }),

  testCase('whether a token is mounted says the pod, else its account', async (api) => {
    await api.post('serviceaccounts', account('silent', { automountServiceAccountToken: false }));
    await api.post('pods', plainPod('a', { serviceAccountName: 'silent' }));
    await api.post('pods', plainPod('b', { serviceAccountName: 'silent', automountServiceAccountToken: true }));
    await api.post('pods', plainPod('c', { automountServiceAccountToken: false }));
  }),

  testCase('a pod whose account does not exist is refused', async (api) => {
    await api.post('pods', plainPod('a', { serviceAccountName: 'nobody' }));
    await api.post('pods', plainPod('', { serviceAccountName: 'nobody' }, { name: undefined, generateName: 'a-' }));
    await api.post('apps/v1/deployments', deployment('a'));
  }),

  testCase('a pod pulls images with the secrets of its account, unless it names its own', async (api) => {
    await api.post('serviceaccounts', account('puller', { imagePullSecrets: [{ name: 'x' }, { name: 'y' }] }));
    await api.post('pods', pod('a', { serviceAccountName: 'puller' }));
    await api.post('pods', pod('b', { serviceAccountName: 'puller', imagePullSecrets: [{ name: 'z' }] }));
  }),

  testCase('a mirror pod gets nothing, and may ask for nothing', async (api) => {
    const annotations = { 'kubernetes.io/config.mirror': 'hash' };
    const mirror = (name: string, spec: Record<string, unknown> = {}) =>
      api.post('pods', plainPod(name, { nodeName: 'node', ...spec }, { annotations }));
    await mirror('a');
    await mirror('b', { serviceAccountName: 'default' });
    await mirror('c', { imagePullSecrets: [{ name: 'x' }] });
    await mirror('d', { volumes: [{ name: 'x', secret: { secretName: 'x' } }] });
    await mirror('e', {
      volumes: [{ name: 'x', projected: { sources: [{ serviceAccountToken: { path: 'x' } }] } }],
    });
    const secretKeyRef = { name: 'x', key: 'x' };
    await mirror('f', { containers: [{ ...main, env: [{ name: 'X', valueFrom: { secretKeyRef } }] }] });
  }),

  testCase('the priorities of the system are there and stay', async (api) => {
    for (const name of ['system-node-critical', 'system-cluster-critical']) {
      await api.delete(`${priorities}/${name}`);
      await api.post(priorities, priorityClass(name));
      await api.post('pods', pod(name, { priorityClassName: name }));
    }
    const critical = { value: 2_000_001_000 };
    await api.post(priorities, priorityClass('system-node-critical', { ...critical, globalDefault: true }));
    await api.post(priorities, priorityClass('system-node-critical', critical));
  }),

  testCase('a pod has the priority of its class, and keeps it', async (api) => {
    const name = api.namespace;
    await api.post(priorities, priorityClass(name, { preemptionPolicy: 'Never' }));
    await api.catchUp();
    const created = await api.post<Pod>('pods', pod('a', { priorityClassName: name }));
    await api.post('pods', pod('b', { priorityClassName: name, priority: 7, preemptionPolicy: 'Never' }));
    await api.post('pods', pod('c', { priorityClassName: name, priority: 8 }));
    await api.post('pods', pod('d', { priorityClassName: name, preemptionPolicy: 'PreemptLowerPriority' }));
    const { priority: _, preemptionPolicy: __, tolerations: ___, ...spec } = created.spec ?? {};
    await api.put('pods/a', { ...created, spec });
    await api.delete(`${priorities}/${name}`);
    await api.catchUp();
    await api.post('pods', pod('e', { priorityClassName: name }));
  }),

  testCase('namespaces without which there is no cluster cannot be deleted', async (api) => {
    for (const name of ['default', 'kube-system', 'kube-public']) await api.delete(`/api/v1/namespaces/${name}`);
    await api.delete('/api/v1/namespaces/default', undefined, { dryRun: 'All' });
  }),

  testCase('demands on pods that cannot be read are refused', async (api) => {
    await setPodSecurity(api, {
      enforce: 'strict',
      'enforce-version': '1.30',
      warn: '',
      audit: 'none',
      'audit-version': 'v2.0',
    });
    await setPodSecurity(api, { warn: 'baseline', 'warn-version': 'v1.x', 'audit-version': 'v1.01' });
    const labels = { 'pod-security.kubernetes.io/enforce': 'all' };
    const metadata = { name: `${api.namespace}-b`, labels };
    await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    await setPodSecurity(api, {
      enforce: 'restricted',
      'enforce-version': 'v1.99',
      audit: 'baseline',
      'audit-version': 'v1.0',
    });
  }),

  testCase('a restricted namespace takes confined pods only', async (api) => {
    await setPodSecurity(api, { enforce: 'restricted' });
    await api.post('pods', pod('a'));
    await api.post('pods', pod('a', { containers: [confined] }));
    await api.post('pods', pod('a', { containers: [confined, side], initContainers: [{ ...side, name: 'init' }] }));
    await api.post('pods', pod('a', { containers: [confined], securityContext: confinedPod }), { dryRun: 'All' });
    await api.post('pods', pod('a', { containers: [confined], securityContext: confinedPod }));
    await api.patch('strategic', 'pods/a', { metadata: { labels: { app: 'a' } } });
    await api.post('pods', pod('No_Name'));
  }),

  testCase('what the baseline forbids', async (api) => {
    await setPodSecurity(api, { enforce: 'baseline' });
    await api.post('pods', pod('usual'));
    const containers = [
      {
        ...main,
        ports: [{ containerPort: 80, hostPort: 8080 }],
        livenessProbe: { httpGet: { port: 80, host: 'elsewhere' } },
        lifecycle: { preStop: { httpGet: { port: 80, host: 'nowhere' } } },
        securityContext: {
          privileged: true,
          procMount: 'Unmasked',
          capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'NET_RAW'] },
          seLinuxOptions: { type: 'spc_t', user: 'root' },
          seccompProfile: { type: 'Unconfined' },
          appArmorProfile: { type: 'Unconfined' },
        },
      },
      { ...side, ports: [{ containerPort: 81, hostPort: 443 }], securityContext: { capabilities: { add: ['BPF'] } } },
    ];
    const securityContext = {
      seLinuxOptions: { role: 'root' },
      seccompProfile: { type: 'Unconfined' },
      appArmorProfile: { type: 'Unconfined' },
      sysctls: [
        { name: 'kernel.msgmax', value: '1' },
        { name: 'net.ipv4.tcp_syncookies', value: '1' },
      ],
    };
    const volumes = [
      { name: 'logs', hostPath: { path: '/var/log' } },
      { name: 'tmp', hostPath: { path: '/tmp' } },
    ];
    await api.post('pods', pod('a', { containers, securityContext, volumes, hostUsers: false }));
    await api.post('pods', pod('a', { containers: [{ ...main, ports: [{ containerPort: 80, hostPort: 80 }] }] }));
    await api.post('pods', pod('a', { hostNetwork: true, hostPID: true, hostIPC: true }));
    const windowsOptions = { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' };
    await api.post(
      'pods',
      pod('a', { hostNetwork: true, os: { name: 'windows' }, securityContext: { windowsOptions } }),
    );
  }),

  testCase('what only a restricted namespace forbids', async (api) => {
    await setPodSecurity(api, { enforce: 'restricted' });
    const { securityContext } = confined;
    const containers = [
      { ...confined, securityContext: { ...securityContext, runAsUser: 0, runAsNonRoot: false } },
      {
        ...confined,
        name: 'side',
        securityContext: { ...securityContext, capabilities: { add: ['KILL'], drop: ['KILL'] } },
      },
      {
        ...confined,
        name: 'loose',
        securityContext: { ...securityContext, seccompProfile: { type: 'Unconfined' }, allowPrivilegeEscalation: true },
      },
    ];
    const volumes = [
      { name: 'shared', nfs: { server: 'files', path: '/' } },
      { name: 'host', hostPath: { path: '/tmp' } },
      { name: 'settings', configMap: { name: 'settings' } },
    ];
    await api.post('pods', pod('a', { containers, volumes, securityContext: { runAsUser: 0, runAsNonRoot: false } }));
    await api.post('pods', pod('a', { containers: [confined], securityContext: { ...confinedPod, runAsUser: 0 } }));
    await api.post('pods', pod('a', { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } }));
    await api.post('pods', pod('b', { hostUsers: false, containers: [{ ...confined }] }));
  }),

  testCase('a namespace may hold on to what an older version demanded', async (api) => {
    const sysctls = [
      { name: 'net.ipv4.ip_local_reserved_ports', value: '1' },
      { name: 'net.ipv4.tcp_rmem', value: '1' },
    ];
    for (const version of ['v1.0', 'v1.18', 'v1.22', 'v1.24', 'v1.27', 'v1.34', 'v1.99', 'latest']) {
      await setPodSecurity(api, { enforce: 'restricted', 'enforce-version': version });
      await api.post('pods', pod('a'));
      await api.post('pods', pod('a', { os: { name: 'windows' } }));
      await api.post('pods', pod('a', { hostUsers: false, securityContext: { runAsUser: 0, sysctls } }));
    }
  }),

  testCase('who writes a template of pods that would be refused is warned', async (api) => {
    await setPodSecurity(api, { enforce: 'restricted', 'enforce-version': 'v1.30' });
    await api.post('apps/v1/deployments', deployment('a'));
    await api.patch('merge', 'apps/v1/deployments/a', { spec: { replicas: 2 } });
    const template = { metadata: {}, spec: { containers: [main], restartPolicy: 'Never' } };
    await api.post('batch/v1/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template } } },
    });
    await setPodSecurity(api, { warn: 'privileged' });
    await api.patch('merge', 'apps/v1/deployments/a', { spec: { replicas: 3 } });
    await setPodSecurity(api, { enforce: 'privileged', warn: 'baseline' });
    await api.patch('merge', 'apps/v1/deployments/a', { spec: { template: { spec: { hostPID: true } } } });
    await api.patch('merge', 'apps/v1/deployments/a/status', { status: { replicas: 1 } });
    await api.post('pods', pod('a', { hostPID: true }));
    await api.patch('merge', 'pods/a', { metadata: { labels: { app: 'a' } } });
    await api.patch('strategic', 'pods/a', { spec: { containers: [{ ...main, image: 'example:2' }] } });
  }),

  testCase('who demands more hears of the pods that do not meet it', async (api) => {
    for (const name of ['c', 'a', 'b']) await api.post('pods', pod(name));
    await api.post('pods', pod('d', { hostNetwork: true }));
    await api.post('pods', pod('e', { hostNetwork: true }));
    await api.post('pods', pod('f', { hostPID: true, containers: [confined], securityContext: confinedPod }));
    await api.catchUp();
    await setPodSecurity(api, { enforce: 'restricted' });
    await setPodSecurity(api, { enforce: 'baseline' });
    await setPodSecurity(api, { enforce: 'baseline', 'enforce-version': 'v1.20' });
    await setPodSecurity(api, { warn: 'restricted' });
    await setPodSecurity(api, { enforce: null });
  }),
];
