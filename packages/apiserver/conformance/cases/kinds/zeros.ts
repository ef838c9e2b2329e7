// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap, deployment } from '../../objects/objects.ts';

const web = 'apps/v1/deployments/web';

/** Zero values: kept where Go has a pointer, otherwise omitted. */
export const zeros: readonly ConformanceCase[] = [
  testCase('what says nothing is kept where Go has a pointer: deployments', async (api) => {
    const container = { name: 'main', image: 'example:1', stdin: false, tty: false, workingDir: '', command: [] };
    const spec = {
      hostNetwork: false,
      hostPID: false,
      shareProcessNamespace: false,
      nodeName: '',
      enableServiceLinks: false,
      setHostnameAsFQDN: false,
      hostname: '',
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          ...container,
          securityContext: { privileged: false, runAsUser: 0, procMount: null },
          ports: [{ containerPort: 80, hostPort: 0, name: '', hostIP: '' }],
          env: [{ name: 'A', value: '' }],
          volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: false, subPath: '' }],
          livenessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 0 },
        },
      ],
      volumes: [{ name: 'v', configMap: { name: 'v', optional: false, defaultMode: 0 } }],
      tolerations: [{ key: '', operator: 'Exists', effect: 'NoExecute', value: '', tolerationSeconds: 0 }],
    };
    const template = { metadata: { labels: { app: 'web' } }, spec };
    await api.post('apps/v1/deployments', deployment('web', { template }));
    await api.post('apps/v1/deployments', {
      ...deployment('b', { paused: false, minReadySeconds: 0, replicas: 0, revisionHistoryLimit: 0 }),
    });
    await api.apply('apps/v1/deployments/c', 'alice', deployment('c', { paused: false, replicas: 0 }));
  }),

  testCase('what says nothing is kept where Go has a pointer: services, config and volumes', async (api) => {
    await api.post('services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', generation: 0, deletionGracePeriodSeconds: 0 },
      spec: {
        ports: [{ port: 80, name: '', nodePort: 0, targetPort: 0 }],
        publishNotReadyAddresses: false,
        allocateLoadBalancerNodePorts: null,
        externalName: '',
        loadBalancerIP: '',
        healthCheckNodePort: 0,
        clusterIP: '10.96.0.84',
      },
    });
    await api.post('configmaps', { ...configMap('a'), immutable: false });
    await api.post('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, immutable: false });
    await api.post('serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'a' },
      automountServiceAccountToken: false,
    });
    await api.post('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: api.namespace },
      spec: { unschedulable: false, podCIDR: '', providerID: '' },
    });
    await api.post('/apis/storage.k8s.io/v1/storageclasses', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: api.namespace },
      provisioner: 'example.com/disk',
      allowVolumeExpansion: false,
    });
  }),

  testCase('what says nothing is kept where Go has a pointer: jobs, policies and leases', async (api) => {
    const template = { spec: { containers: [{ name: 'main', image: 'example:1' }], restartPolicy: 'Never' } };
    await api.post('batch/v1/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: {
        parallelism: 0,
        backoffLimit: 0,
        suspend: false,
        manualSelector: false,
        ttlSecondsAfterFinished: 0,
        template,
      },
    });
    await api.post('batch/v1/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: {
        schedule: '* * * * *',
        suspend: false,
        startingDeadlineSeconds: 0,
        successfulJobsHistoryLimit: 0,
        jobTemplate: { spec: { template } },
      },
    });
    await api.post('policy/v1/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: { minAvailable: 0, selector: {} },
    });
    await api.post('coordination.k8s.io/v1/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { leaseTransitions: 0, holderIdentity: '' },
    });
    await api.post('discovery.k8s.io/v1/endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false, serving: false } }],
      ports: [{ name: '' }],
    });
    await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: api.namespace },
      value: 0,
      globalDefault: false,
      description: '',
    });
  }),

  testCase('a null among the texts of a map is an empty text', async (api) => {
    await api.post('configmaps', {
      ...configMap('a'),
      metadata: { name: 'a', labels: { a: null }, annotations: { a: null } },
      data: { a: null, b: 'c' },
    });
    await api.patch('json', 'configmaps/a', [{ op: 'add', path: '/data/b', value: null }]);
    await api.patch('json', 'configmaps/a', [{ op: 'copy', from: '/data/none', path: '/data/d' }]);
    await api.patch('merge', 'configmaps/a', { data: { b: null } });
  }),

  testCase('a patch to nothing takes a field away: where Go has no pointer', async (api) => {
    await api.post('apps/v1/deployments', deployment('web', { paused: true, minReadySeconds: 3, replicas: 2 }));
    await api.patch('merge', web, { spec: { paused: false, minReadySeconds: 0, replicas: 0 } });
    await api.patch('json', web, [{ op: 'add', path: '/spec/template/spec/hostNetwork', value: false }]);
    await api.patch('json', web, [{ op: 'test', path: '/spec/template/spec/hostNetwork', value: false }]);
  }),
];
