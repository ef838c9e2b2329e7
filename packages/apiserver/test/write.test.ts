// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import {
  ConfigMap,
  Deployment,
  EndpointSlice,
  Job,
  Namespace,
  Pod,
  Secret,
  Service,
} from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { configMap, deployment, pod } from './objects.ts';
import { testServer } from './test-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a created object gets its identity from the server', async () => {
  const { api } = await testServer();
  const created = await api.create(ConfigMap, configMap('a', { x: 'y' }), { fieldManager: 'me' });
  assert.match(created.metadata.uid ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(created.metadata.creationTimestamp, '2026-01-01T00:00:00Z');
  assert.equal(created.metadata.managedFields?.[0]?.manager, 'me');
  assert.deepEqual(await api.get(ConfigMap, { namespace: 'default', name: 'a' }), created);
});

test('generateName gives each object a unique name', async () => {
  const { api } = await testServer();
  const named = { ...configMap('', {}), metadata: { name: '', generateName: 'a-', namespace: 'default' } };
  const one = await api.create(ConfigMap, named);
  const other = await api.create(ConfigMap, named);
  assert.match(one.metadata.name, /^a-[b-z2-9]{5}$/);
  assert.notEqual(one.metadata.name, other.metadata.name);
});

test('when services request the same address or port concurrently, only one gets it', async () => {
  const { api } = await testServer();
  const create = (name: string, spec: NonNullable<Service['spec']>) =>
    api.create(Service, { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' }, spec });
  const wishes = [
    { clusterIP: '10.96.7.7', ports: [{ port: 80 }] },
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30_100 }] },
  ];
  for (const [index, spec] of wishes.entries()) {
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => create(`${name}${index}`, spec)));
    const refusals = all.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    assert.equal(refusals.length, 2);
    for (const refusal of refusals) assert.match(refusal, /is already allocated/);
  }
});

test('concurrent applies of a new object both succeed and share the object', async () => {
  const { api } = await testServer();
  const apply = (manager: string) =>
    api.apply(ConfigMap, configMap('a', { [manager]: 'x' }), { fieldManager: manager });
  await Promise.all([apply('one'), apply('other')]);
  assert.deepEqual((await api.get(ConfigMap, { namespace: 'default', name: 'a' })).data, { one: 'x', other: 'x' });
});

test('errors are worded as in kube-apiserver', async () => {
  const { api, refused } = await testServer();
  await api.create(ConfigMap, configMap('a'));
  const taken = await refused('POST', configMaps, configMap('a'));
  assert.equal(taken.message, 'configmaps "a" already exists');
  assert.deepEqual(taken.details, { name: 'a', kind: 'configmaps' });

  const nowhere = await refused('POST', '/api/v1/namespaces/nowhere/configmaps', configMap('a', {}, 'nowhere'));
  assert.equal(nowhere.message, 'namespaces "nowhere" not found');

  const missing = await refused('PUT', `${configMaps}/b`, configMap('b'));
  assert.deepEqual([missing.code, missing.message], [404, 'configmaps "b" not found']);

  const elsewhere = await refused('POST', configMaps, configMap('b', {}, 'kube-system'));
  assert.equal(
    elsewhere.message,
    'the namespace of the provided object does not match the namespace sent on the request',
  );

  const badName = await refused('POST', configMaps, configMap('A_b'));
  assert.equal(badName.reason, 'Invalid');
  assert.match(
    badName.message ?? '',
    /^ConfigMap "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC 1123/,
  );

  const wrongKind = await refused('POST', configMaps, { ...configMap('b'), apiVersion: 'v2' });
  assert.equal(
    wrongKind.message,
    'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
  );
});

test('a write with an old resourceVersion is a conflict, one without is not', async () => {
  const { api, refused } = await testServer();
  const first = await api.create(ConfigMap, configMap('a'));
  await api.update(ConfigMap, { ...first, data: { x: '1' } });
  const { code, message } = await refused('PUT', `${configMaps}/a`, { ...first, data: { x: '2' } });
  assert.equal(code, 409);
  assert.equal(
    message,
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  );
  const forced = await api.update(ConfigMap, configMap('a', { x: '3' }));
  assert.deepEqual(forced.data, { x: '3' });
});

test('a write without changes keeps the resourceVersion', async () => {
  const { api, clock } = await testServer();
  const first = await api.create(ConfigMap, configMap('a', { x: 'y' }), { fieldManager: 'me' });
  await clock.advance(seconds(10));
  const same = await api.update(ConfigMap, configMap('a', { x: 'y' }), { fieldManager: 'me' });
  assert.equal(same.metadata.resourceVersion, first.metadata.resourceVersion);
  const patched = await api.patch(ConfigMap, { namespace: 'default', name: 'a' }, 'merge', { data: { x: 'y' } });
  assert.equal(patched, same);
});

test('a dry run returns the response of a write, but stores nothing', async () => {
  const { api } = await testServer();
  const dry = await api.create(ConfigMap, configMap('a'), { dryRun: true });
  assert.equal(dry.metadata.name, 'a');
  assert.equal(await api.find(ConfigMap, { namespace: 'default', name: 'a' }), undefined);
});

test('fieldValidation decides whether unknown fields are rejected, cause warnings or are dropped', async () => {
  const { transport, refused } = await testServer();
  const odd = { ...configMap('a'), colour: 'red' };
  const strict = await refused('POST', configMaps, odd, { query: { fieldValidation: 'Strict' } });
  assert.equal(
    strict.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "colour"',
  );
  const warned = await transport.request({ method: 'POST', path: configMaps, body: odd });
  assert.deepEqual([warned.status, warned.warnings], [201, ['unknown field "colour"']]);
  assert.equal('colour' in (warned.body as object), false);
});

test('a malformed body is a bad request, never an internal error', async () => {
  const { refused } = await testServer();
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  for (const spec of [7, 'x', [], { template: 1 }, { selector: [], template: { spec: { containers: 'x' } } }]) {
    const { code } = await refused('POST', deployments, { ...deployment('a'), spec });
    assert.ok(code === 400 || code === 422, `spec ${JSON.stringify(spec)}: ${code}`);
  }
  for (const metadata of [7, [], { name: 7 }, { name: 'a', ownerReferences: 'x' }, { name: 'a', labels: [] }]) {
    const { code } = await refused('POST', deployments, { ...deployment('a'), metadata });
    assert.equal(code, 400, `metadata ${JSON.stringify(metadata)}`);
  }
  for (const body of [undefined, 7, 'x', []]) {
    assert.equal((await refused('POST', deployments, body)).code, 400, `body ${JSON.stringify(body)}`);
  }
});

test('a deployment and its pods have the defaults of the API', async () => {
  const { api } = await testServer();
  const { spec, status } = await api.create(Deployment, deployment('web'));
  assert.equal(spec?.replicas, 1);
  assert.deepEqual(spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } });
  assert.deepEqual([spec.revisionHistoryLimit, spec.progressDeadlineSeconds, status], [10, 600, {}]);
  const [container] = spec.template.spec?.containers ?? [];
  assert.deepEqual(
    [container?.imagePullPolicy, container?.terminationMessagePath],
    ['IfNotPresent', '/dev/termination-log'],
  );
  assert.equal(spec.template.spec?.restartPolicy, 'Always');

  const created = await api.create(Pod, pod('p'));
  assert.deepEqual(created.status, { phase: 'Pending', qosClass: 'BestEffort' });
  assert.equal(created.spec?.tolerations?.length, 2);
  assert.equal(created.spec.serviceAccountName, 'default');
});

test('nulls and empty optional lists are dropped, empty objects are kept', async () => {
  const { transport } = await testServer();
  const sent = {
    ...pod('p'),
    metadata: { name: 'p', namespace: 'default', creationTimestamp: null, labels: {} },
    spec: { containers: [{ name: 'c', image: 'x', env: [], command: null }], volumes: [{ name: 'v', emptyDir: {} }] },
  };
  const { body } = await transport.request({ method: 'POST', path: '/api/v1/namespaces/default/pods', body: sent });
  const { metadata, spec } = body as Pod;
  assert.equal('labels' in metadata, false);
  assert.deepEqual(
    Object.keys(spec?.containers[0] ?? {}).filter((field) => field === 'env' || field === 'command'),
    [],
  );
  assert.deepEqual(spec?.volumes?.[0], { name: 'v', emptyDir: {} });
});

test('a job selects its own pods, and its template is immutable', async () => {
  const { api, refused } = await testServer();
  const job: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'default' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x:1' }] } } },
  };
  const created = await api.create(Job, job);
  const uid = created.metadata.uid ?? '';
  assert.deepEqual(created.spec?.selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
  assert.equal(created.spec.template.metadata?.labels?.['job-name'], 'j');
  const changed = structuredClone(created);
  changed.spec!.template.spec!.containers[0]!.image = 'x:2';
  const { message } = await refused('PUT', '/apis/batch/v1/namespaces/default/jobs/j', changed);
  assert.match(message ?? '', /^Job.batch "j" is invalid: spec.template: Invalid value: .*: field is immutable$/);
});

function service(name: string, clusterIP?: string): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { ports: [{ port: 80 }], ...(clusterIP !== undefined && { clusterIP }) },
  };
}

test('a service gets a unique address and keeps it', async () => {
  const { api, refused } = await testServer();
  const created = await api.create(Service, service('a'));
  const address = created.spec?.clusterIP ?? '';
  assert.match(address, /^10\.96\./);
  assert.deepEqual(created.spec?.ports, [{ protocol: 'TCP', targetPort: 80, port: 80 }]);
  assert.equal((await api.update(Service, service('a'))).spec?.clusterIP, address);
  const taken = await refused('POST', '/api/v1/namespaces/default/services', service('b', address));
  assert.match(taken.message ?? '', /provided IP is already allocated$/);
  const outside = await refused('POST', '/api/v1/namespaces/default/services', service('b', '192.168.0.1'));
  assert.match(outside.message ?? '', /does not match the current range/);
  assert.equal((await api.create(Service, service('headless', 'None'))).spec?.clusterIP, 'None');
});

test('stringData becomes data, and immutable data cannot change', async () => {
  const { api, refused } = await testServer();
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'default' },
    stringData: { password: 'geheim' },
    immutable: true,
  };
  const created = await api.create(Secret, secret);
  assert.deepEqual([created.data, created.type], [{ password: 'Z2VoZWlt' }, 'Opaque']);
  assert.equal('stringData' in created, false);
  const { message } = await refused('PUT', '/api/v1/namespaces/default/secrets/s', {
    ...secret,
    stringData: { password: 'x' },
  });
  assert.equal(message, 'Secret "s" is invalid: data: Forbidden: field is immutable when `immutable` is set');
});

test('generation counts spec changes, and status is only written through its subresource', async () => {
  const { api } = await testServer();
  const ref = { namespace: 'default', name: 'web' };
  const created = await api.create(Deployment, { ...deployment('web'), status: { replicas: 9 } });
  assert.deepEqual([created.metadata.generation, created.status], [1, {}]);
  const scaled = await api.patch(Deployment, ref, 'merge', { spec: { replicas: 2 }, status: { replicas: 9 } });
  assert.deepEqual([scaled.metadata.generation, scaled.status], [2, {}]);
  const observed = await api.patch(
    Deployment,
    ref,
    'merge',
    { spec: { replicas: 5 }, status: { replicas: 2 } },
    { subresource: 'status' },
  );
  assert.deepEqual([observed.metadata.generation, observed.spec?.replicas, observed.status?.replicas], [2, 2, 2]);
  const labelled = await api.patch(Deployment, ref, 'merge', { metadata: { labels: { a: 'b' } } });
  assert.equal(labelled.metadata.generation, 2);
});

test('scale reads and writes the replicas of a workload', async () => {
  const { api, get, transport } = await testServer();
  await api.create(Deployment, deployment('web'));
  const path = '/apis/apps/v1/namespaces/default/deployments/web/scale';
  const headers = { 'content-type': 'application/merge-patch+json' };
  await transport.request({ method: 'PATCH', path, headers, body: { spec: { replicas: 4 } } });
  const { body } = await get(path);
  assert.deepEqual((body as { spec: object; status: object }).spec, { replicas: 4 });
  assert.deepEqual((body as { spec: object; status: object }).status, { replicas: 0, selector: 'app=web' });
  assert.equal((await api.get(Deployment, { namespace: 'default', name: 'web' })).spec?.replicas, 4);
});

test('the patch types have the same result', async () => {
  const { api, refused } = await testServer();
  const ref = { namespace: 'default', name: 'web' };
  await api.create(Deployment, deployment('web'));
  await api.patch(Deployment, ref, 'json', [{ op: 'replace', path: '/spec/replicas', value: 2 }]);
  await api.patch(Deployment, ref, 'merge', { metadata: { labels: { a: 'b' } } });
  const { spec, metadata } = await api.patch(Deployment, ref, 'strategic', {
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'web', image: 'web:2' },
            { name: 'side', image: 'side:1' },
          ],
        },
      },
    },
  });
  assert.deepEqual([spec?.replicas, metadata.labels], [2, { a: 'b' }]);
  assert.deepEqual(spec?.template.spec?.containers.map(({ image }) => image).toSorted(), ['side:1', 'web:2']);
  const path = '/apis/apps/v1/namespaces/default/deployments/web';
  const unknown = await refused('PATCH', path, {}, { headers: { 'content-type': 'text/plain' } });
  assert.equal(unknown.code, 415);
});

test('server-side apply creates, keeps fields of other managers, and reports conflicts', async () => {
  const { api } = await testServer();
  const mine = { ...configMap('a', { x: '1' }) };
  await api.apply(ConfigMap, mine, { fieldManager: 'me' });
  const theirs = await api.apply(ConfigMap, configMap('a', { y: '2' }), { fieldManager: 'other' });
  assert.deepEqual(theirs.data, { x: '1', y: '2' });
  const again = await api.apply(ConfigMap, mine, { fieldManager: 'me' });
  assert.equal(again, theirs);
  await assert.rejects(
    api.apply(ConfigMap, configMap('a', { y: '3' }), { fieldManager: 'me' }),
    (error) =>
      isApiError(error, 'Conflict') &&
      error.status.message === 'Apply failed with 1 conflict: conflict with "other": .data.y',
  );
  const emptied = await api.apply(ConfigMap, configMap('a', {}), { fieldManager: 'me' });
  assert.deepEqual(emptied.data, { y: '2' });
});

test('a pod is bound to a node once', async () => {
  const { api, transport, refused } = await testServer();
  await api.create(Pod, pod('p'));
  const path = '/api/v1/namespaces/default/pods/p/binding';
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'node-1' } };
  assert.equal((await transport.request({ method: 'POST', path, body })).status, 201);
  const { spec, status } = await api.get(Pod, { namespace: 'default', name: 'p' });
  assert.equal(spec?.nodeName, 'node-1');
  assert.deepEqual(
    status?.conditions?.map(({ type, status: value }) => [type, value]),
    [['PodScheduled', 'True']],
  );
  const again = await refused('POST', path, { ...body, target: { name: 'node-2' } });
  assert.deepEqual(
    [again.code, again.message],
    [409, 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "node-1"'],
  );
  assert.equal((await refused('POST', path, { ...body, target: {} })).message, 'target.name: Required value');
});

test('a new cluster has the system namespaces and the kubernetes Service', async () => {
  const { api } = await testServer({ endpoint: { address: '10.244.0.1', port: 6443 } });
  const { items } = await api.list(Namespace);
  assert.deepEqual(
    items.map(({ metadata, status }) => [metadata.name, status?.phase]),
    ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => [name, 'Active']),
  );
  const ref = { namespace: 'default', name: 'kubernetes' };
  assert.equal((await api.get(Service, ref)).spec?.clusterIP, '10.96.0.1');
  const { endpoints, ports } = await api.get(EndpointSlice, ref);
  assert.deepEqual([endpoints?.[0]?.addresses, ports?.[0]?.port], [['10.244.0.1'], 6443]);
});
