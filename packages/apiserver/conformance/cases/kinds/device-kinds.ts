// SPDX-License-Identifier: Apache-2.0
import type { CSIDriver, CSINode, ResourceClaim, VolumeAttachment } from '@forge/kube/kinds/builtin.ts';
import { encodeEnvelope } from '@forge/kube/protobuf/encode-envelope.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const storage = '/apis/storage.k8s.io/v1';
const resources = 'resource.k8s.io/v1';

function storageObject(kind: string, name: string, rest: object) {
  return { apiVersion: 'storage.k8s.io/v1', kind, metadata: { name }, ...rest };
}

function resourceObject(kind: string, name: string, spec: object) {
  return { apiVersion: resources, kind, metadata: { name }, spec };
}

function attachment(name: string, spec: object = {}) {
  return storageObject('VolumeAttachment', name, {
    spec: { attacher: 'csi.example.com', nodeName: 'node-a', source: { persistentVolumeName: 'a' }, ...spec },
  });
}

const request = (more: object = {}) => ({ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', ...more } });

/** Kinds of storage drivers and devices. */
export const deviceKinds: readonly ConformanceCase[] = [
  testCase('a storage driver is created with its defaults', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `${storage}/csidrivers`;
    const created = await api.post<CSIDriver>(path, storageObject('CSIDriver', name, { spec: {} }));
    await api.put(`${path}/${name}`, { ...created, spec: { ...created.spec, podInfoOnMount: true } });
    await api.patch('merge', `${path}/${name}`, {
      spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] },
    });
    const tokenRequests = [{ audience: 'a', expirationSeconds: 600 }, { audience: 'b' }];
    const spec = { tokenRequests, attachRequired: false, fsGroupPolicy: 'File' };
    await api.post(path, encodeEnvelope(storageObject('CSIDriver', `${name}-b`, { spec })), {}, headers);
    await api.table(`${path}/${name}`);
    await api.table(`${path}/${name}-b`);
    for (const wrong of [
      { fsGroupPolicy: 'Never', volumeLifecycleModes: ['Sometimes'] },
      { tokenRequests: [{ audience: 'a', expirationSeconds: 5 }, { audience: 'a' }] },
    ]) {
      await api.post(path, storageObject('CSIDriver', `${name}-c`, { spec: wrong }));
    }
    await api.put(`${path}/${name}`, storageObject('CSIDriver', name, { spec: {} }));
    await api.delete(`${path}/${name}`);
  }),

  testCase('the storage drivers of a node are immutable but for their capacity', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `${storage}/csinodes`;
    const driver = { name: 'csi.example.com', nodeID: 'a', topologyKeys: ['zone'], allocatable: { count: 5 } };
    const created = await api.post<CSINode>(path, storageObject('CSINode', name, { spec: { drivers: [driver] } }));
    await api.put(`${path}/${name}`, { ...created, spec: { drivers: [{ ...driver, allocatable: { count: 6 } }] } });
    await api.patch('merge', `${path}/${name}`, { spec: { drivers: [{ ...driver, nodeID: 'b' }] } });
    await api.table(`${path}/${name}`);
    for (const drivers of [
      undefined,
      [{ name: '', nodeID: '' }],
      [driver, driver],
      [{ ...driver, name: 'no name', topologyKeys: ['a', 'a', 'no key'], allocatable: { count: -1 } }],
    ]) {
      await api.post(path, storageObject('CSINode', `${name}-b`, { spec: { drivers } }));
    }
    await api.delete(`${path}/${name}`);
  }),

  testCase('a volume is attached to one node', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `${storage}/volumeattachments`;
    const created = await api.post<VolumeAttachment>(path, attachment(name));
    await api.put(`${path}/${name}`, { ...created, spec: { ...created.spec, nodeName: 'node-b' } });
    const status = { attached: true, attachmentMetadata: { device: 'a' } };
    await api.put(`${path}/${name}/status`, {
      ...created,
      metadata: { ...created.metadata, labels: { a: 'b' } },
      status,
    });
    await api.table(`${path}/${name}`);
    for (const spec of [
      { attacher: '', nodeName: '', source: {} },
      { attacher: 'no name', source: { persistentVolumeName: '' } },
      { nodeName: 'No Node', source: { persistentVolumeName: 'No Volume' } },
    ]) {
      await api.post(path, attachment(`${name}-b`, spec));
    }
    await api.delete(`${path}/${name}`);
  }),

  testCase('a class of volume attributes is immutable', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `${storage}/volumeattributesclasses`;
    const parameters = { iops: '100' };
    await api.post(path, storageObject('VolumeAttributesClass', name, { driverName: 'csi.example.com', parameters }));
    await api.patch('merge', `${path}/${name}`, { driverName: 'other.example.com', parameters: { iops: '200' } });
    await api.patch('merge', `${path}/${name}`, { metadata: { labels: { a: 'b' } } });
    await api.table(`${path}/${name}`);
    await api.post(path, storageObject('VolumeAttributesClass', `${name}-b`, { driverName: '' }));
    await api.post(path, storageObject('VolumeAttributesClass', `${name}-b`, { driverName: 'no name', parameters }));
    await api.delete(`${path}/${name}`);
  }),

  testCase('a class of devices is created', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `/apis/${resources}/deviceclasses`;
    const spec = { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] };
    await api.post(path, resourceObject('DeviceClass', name, spec));
    await api.patch('merge', `${path}/${name}`, { spec: { selectors: null } });
    await api.table(`${path}/${name}`);
    await api.delete(`${path}/${name}`);
  }),

  testCase('a resource claim is created with its defaults', async (api) => {
    const path = `${resources}/resourceclaims`;
    const created = await api.post<ResourceClaim>(
      path,
      resourceObject('ResourceClaim', 'a', { devices: { requests: [request()] } }),
    );
    await api.post(
      path,
      encodeEnvelope(
        resourceObject('ResourceClaim', 'b', {
          devices: {
            requests: [
              {
                name: 'any',
                firstAvailable: [
                  { name: 'big', deviceClassName: 'big.example.com', allocationMode: 'All' },
                  { name: 'small', deviceClassName: 'small.example.com', count: 2 },
                ],
              },
            ],
          },
        }),
      ),
      {},
      headers,
    );
    await api.put(`${path}/a`, { ...created, metadata: { ...created.metadata, labels: { a: 'b' } } });
    await api.post(path, resourceObject('ResourceClaim', 'c', {}));
    await api.table(path);
    await api.get(path, {}, { accept: 'application/vnd.kubernetes.protobuf' });
    await api.delete(`${path}/a`);
  }),

  testCase('a template of claims is created with their defaults', async (api) => {
    const path = `${resources}/resourceclaimtemplates`;
    const spec = { metadata: { labels: { a: 'b' } }, spec: { devices: { requests: [request({ count: 2 })] } } };
    await api.post(path, resourceObject('ResourceClaimTemplate', 'a', spec));
    await api.patch('merge', `${path}/a`, { metadata: { labels: { a: 'c' } } });
    await api.table(path);
    await api.delete(`${path}/a`);
  }),

  testCase('a slice of devices is created', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `/apis/${resources}/resourceslices`;
    const devices = [{ name: 'gpu-0', attributes: { model: { string: 'a' } }, capacity: { memory: { value: '8Gi' } } }];
    const pool = { name: 'pool', generation: 1, resourceSliceCount: 1 };
    const spec = { driver: 'gpu.example.com', nodeName: 'node-a', pool, devices };
    await api.post(path, encodeEnvelope(resourceObject('ResourceSlice', name, spec)), {}, headers);
    await api.patch('merge', `${path}/${name}`, { spec: { pool: { generation: 2 } } });
    await api.patch('merge', `${path}/${name}`, { spec: { driver: 'other.example.com' } });
    await api.table(`${path}/${name}`);
    await api.get(path, { fieldSelector: `metadata.name=${name},spec.nodeName=node-a` });
    await api.delete(`${path}/${name}`);
  }),

  testCase('discovery lists the resources of devices', async (api) => {
    await api.get('/apis/resource.k8s.io/v1');
    await api.get('/apis/storage.k8s.io/v1/nothings');
  }),
];
