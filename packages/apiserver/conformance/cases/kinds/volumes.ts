// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

// A real server adds these finalizers, and controllers remove them.

const storage = (size: string) => ({ requests: { storage: size } });

function claim(name: string, spec: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { accessModes: ['ReadWriteOnce'], resources: storage('1Gi'), ...spec },
  };
}

function volume(name: string, spec: object = {}) {
  const source = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
  const metadata = { name, finalizers: ['kubernetes.io/pv-protection'] };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata, spec: { ...source, ...spec } };
}

function storageClass(name: string, more: object = {}) {
  const apiVersion = 'storage.k8s.io/v1';
  return { apiVersion, kind: 'StorageClass', metadata: { name }, provisioner: 'example.com/disk', ...more };
}

const classes = '/apis/storage.k8s.io/v1/storageclasses';

/** Claims, volumes and storage classes. */
export const volumes: readonly ConformanceCase[] = [
  testCase('a claim is created with its defaults', async (api) => {
    await api.post('persistentvolumeclaims', claim('a'));
  }),

  testCase('a claim with what makes no sense is refused', async (api) => {
    for (const spec of [
      { accessModes: [] },
      { accessModes: ['Sometimes'] },
      { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
      { resources: undefined },
      { resources: storage('0') },
      { resources: storage('-1Gi') },
      { resources: storage('big') },
      { volumeMode: 'Tape', storageClassName: 'No_Name' },
      { selector: { matchLabels: { 'not a key': 'a' } } },
    ]) {
      await api.post('persistentvolumeclaims', claim('a', spec));
    }
    await api.post('persistentvolumeclaims', { ...claim('a'), spec: undefined });
  }),

  testCase('the spec of a claim may not change', async (api) => {
    await api.post<PersistentVolumeClaim>('persistentvolumeclaims', claim('a', { storageClassName: 'a' }));
    const change = (spec: object) => api.patch('merge', 'persistentvolumeclaims/a', { spec });
    await change({ storageClassName: 'b' });
    await change({ accessModes: ['ReadWriteMany'] });
    await change({ resources: storage('2Gi') });
    await change({ volumeName: 'disk' });
  }),

  testCase('a bound claim may grow if its class lets it', async (api) => {
    const name = `${api.namespace}-growing`;
    await api.post(classes, storageClass(name, { allowVolumeExpansion: true }));
    const created = await api.post<PersistentVolumeClaim>(
      'persistentvolumeclaims',
      claim('a', { storageClassName: name, volumeName: 'disk' }),
    );
    const status = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    await api.put('persistentvolumeclaims/a/status', { ...created, status });
    await api.patch('merge', 'persistentvolumeclaims/a', { spec: { resources: storage('2Gi') } });
    await api.patch('merge', 'persistentvolumeclaims/a', { spec: { resources: storage('512Mi') } });
  }),

  testCase('a volume is created with its defaults', async (api) => {
    await api.post('/api/v1/persistentvolumes', volume(`${api.namespace}-a`));
  }),

  testCase('a volume with what makes no sense is refused', async (api) => {
    for (const spec of [
      { capacity: undefined, accessModes: undefined, hostPath: undefined },
      { accessModes: ['Sometimes'], persistentVolumeReclaimPolicy: 'Burn', volumeMode: 'Tape' },
      { capacity: { storage: '-1' } },
      { local: { path: '/tmp' } },
    ]) {
      await api.post('/api/v1/persistentvolumes', volume(`${api.namespace}-a`, spec));
    }
  }),

  testCase('a storage class is created with its defaults and stays as it is', async (api) => {
    const name = `${api.namespace}-a`;
    const created = await api.post<StorageClass>(classes, storageClass(name, { parameters: { kind: 'fast' } }));
    await api.put(`${classes}/${name}`, { ...created, parameters: { kind: 'slow' } });
    await api.put(`${classes}/${name}`, { ...created, provisioner: 'example.com/other' });
    await api.put(`${classes}/${name}`, {
      ...created,
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    await api.put(`${classes}/${name}`, { ...created, allowVolumeExpansion: true });
    await api.post(
      classes,
      storageClass(`${name}-b`, { provisioner: '', reclaimPolicy: 'Burn', volumeBindingMode: 'No' }),
    );
  }),
];
