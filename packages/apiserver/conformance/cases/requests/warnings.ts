// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { deployment, pod } from '../../objects/objects.ts';

const web = 'apps/v1/deployments/web';

/** A deployment whose pod template has these additional fields. */
function podsOf(spec: object, metadata: object = {}) {
  const containers = [{ name: 'main', image: 'example:1' }];
  const template = { metadata: { labels: { app: 'web' }, ...metadata }, spec: { containers, ...spec } };
  return deployment('web', { template });
}

/** A term that selects nodes with a label. */
function term(key: string) {
  return { matchExpressions: [{ key, operator: 'Exists' }] };
}

function container(name: string, more: object) {
  return { name, image: 'example:1', ...more };
}

function claim(name: string, storage: string, annotations: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, annotations },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  };
}

/** Warnings about accepted objects. */
export const warnings: readonly ConformanceCase[] = [
  testCase('a pod template is warned of what is deprecated', async (api) => {
    const annotations = {
      'scheduler.alpha.kubernetes.io/critical-pod': '',
      'security.alpha.kubernetes.io/sysctls': 'a=b',
      'security.alpha.kubernetes.io/unsafe-sysctls': 'a=b',
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.seccomp.security.alpha.kubernetes.io/main': 'runtime/default',
      'container.apparmor.security.beta.kubernetes.io/main': 'runtime/default',
    };
    await api.post('apps/v1/deployments', podsOf({}, { annotations }));
    await api.post('apps/v1/deployments', {
      ...podsOf({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
      metadata: { name: 'b' },
    });
    await api.patch('merge', web, { metadata: { labels: { a: 'b' } } });
    await api.patch('merge', web, { spec: { template: { spec: { hostname: 'a' } } } });
    await api.put(`${web}/status`, podsOf({}, { annotations }));
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [term('failure-domain.beta.kubernetes.io/zone')],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: term('beta.kubernetes.io/instance-type') },
        { weight: 1, preference: {} },
      ],
    };
    const topologyKey = 'beta.kubernetes.io/arch';
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' }];
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'host' }] };
    await api.post(
      'apps/v1/deployments',
      podsOf({ affinity: { nodeAffinity, podAntiAffinity }, topologySpreadConstraints }),
      { dryRun: 'All', fieldManager: 'other' },
    );
  }),

  testCase('a pod template is warned of what stands twice', async (api) => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '$(A)2' },
      { name: 'A', value: '3' },
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ];
    const ports = [
      { containerPort: 80, name: 'a' },
      { containerPort: 80, name: 'b' },
      { containerPort: 80, hostPort: 8080, name: 'c' },
      { containerPort: 80, hostPort: 8080, hostIP: '10.0.0.1', name: 'd' },
    ];
    await api.post(
      'apps/v1/deployments',
      podsOf({
        terminationGracePeriodSeconds: -1,
        hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, { name: '' }],
        containers: [
          container('main', { env, ports, resources: { limits: { memory: '1500m' } } }),
          container('side', { ports: [{ containerPort: 81, name: 'a' }] }),
        ],
        volumes: [
          {
            name: 'v',
            configMap: {
              name: 'v',
              items: [
                { key: 'a', path: 'a' },
                { key: 'b', path: 'a/b' },
              ],
            },
          },
          {
            name: 's',
            secret: {
              secretName: 's',
              items: [
                { key: 'a', path: 'a' },
                { key: 'b', path: 'a' },
              ],
            },
          },
          { name: 'g', gitRepo: { repository: 'example.com/a' } },
        ],
      }),
    );
  }),

  testCase('pods, jobs and sets are warned as deployments are', async (api) => {
    const annotations = { 'scheduler.alpha.kubernetes.io/critical-pod': '' };
    const spec = { imagePullSecrets: [{ name: '' }] };
    await api.post('pods', { ...pod('a', spec), metadata: { name: 'a', annotations } });
    await api.post('pods', pod('a.b'));
    await api.post('apps/v1/deployments', deployment('a.b'));
    await api.patch('merge', 'pods/a', { metadata: { labels: { a: 'b' } } });
    const { template } = podsOf(spec, { annotations }).spec;
    const selector = { matchLabels: { app: 'web' } };
    const set = (kind: string, more: object = {}) => ({
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: 'web' },
      spec: { selector, template, ...more },
    });
    await api.post('apps/v1/replicasets', set('ReplicaSet'));
    await api.post('apps/v1/statefulsets', set('StatefulSet', { serviceName: 'web' }));
    const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { template: once } };
    await api.post('batch/v1/jobs', job);
    await api.post('batch/v1/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } },
    });
  }),

  testCase('claims and volumes are warned too', async (api) => {
    const old = { 'volume.beta.kubernetes.io/storage-class': 'a' };
    await api.post('persistentvolumeclaims', claim('a', '1500m', old));
    const { template } = podsOf({}).spec;
    await api.post('apps/v1/statefulsets', {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template,
        serviceName: 'web',
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [claim('a', '1500m')],
      },
    });
    await api.patch('merge', 'apps/v1/statefulsets/web', { metadata: { labels: { a: 'b' } } });
    await api.post('/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: api.namespace, annotations: { ...old, 'volume.beta.kubernetes.io/mount-options': 'a' } },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        nfs: { server: 'example.com', path: '/' },
        persistentVolumeReclaimPolicy: 'Recycle',
        nodeAffinity: {
          required: { nodeSelectorTerms: [term('beta.kubernetes.io/os')] },
        },
      },
    });
  }),

  testCase('nodes, accounts, classes and slices are warned too', async (api) => {
    await api.post('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: api.namespace },
      spec: { externalID: 'a' },
    });
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    await api.post('serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'a', annotations },
    });
    await api.patch('merge', 'serviceaccounts/a', { metadata: { labels: { a: 'b' } } });
    await api.post('/apis/storage.k8s.io/v1/storageclasses', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: api.namespace },
      provisioner: 'example.com/disk',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'beta.kubernetes.io/os', values: ['linux'] }] }],
    });
    await api.post('discovery.k8s.io/v1/endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'a' },
      addressType: 'FQDN',
      endpoints: [{ addresses: ['example.com'] }],
    });
  }),

  testCase('a service is warned of what it cannot use', async (api) => {
    const service = (name: string, spec: object, annotations: object = {}) =>
      api.post('services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, annotations },
        spec: { ports: [{ port: 80 }], ...spec },
      });
    await service('a', { clusterIP: 'None', externalIPs: ['192.0.2.1'], sessionAffinity: 'ClientIP' });
    await service('b', { externalIPs: ['192.0.2.1'], externalName: 'example.com' });
    await service('c', { trafficDistribution: 'PreferClose' }, { 'service.kubernetes.io/topology-aware-hints': 'a' });
    await service('d', { type: 'ExternalName', externalName: 'example.com', externalIPs: ['192.0.2.1'] });
    await service('e', { externalIPs: ['192.0.2.01', '127.0.0.1', 'here', '::ffff:192.0.2.1'] });
  }),
];
