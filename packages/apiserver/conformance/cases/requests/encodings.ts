// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { defineValues } from '../../objects/define-values.ts';
import { configMap, deployment, pod } from '../../objects/objects.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const yaml = 'application/yaml';
const table = ';as=Table;v=v1;g=meta.k8s.io';
const partial = ';as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const accepting = (accept: string) => ({ accept });
const only = { fieldSelector: 'metadata.name!=kube-root-ca.crt' };

/** Responses in encodings other than JSON. */
export const encodings: readonly ConformanceCase[] = [
  ...[protobuf, yaml].map((accept) =>
    testCase(`an object is told as ${accept}`, async (api) => {
      await api.post('configmaps', configMap('a', { a: 'yes', b: '012', c: 'x\ny', d: '' }), {}, accepting(accept));
      await api.get('configmaps/a', {}, accepting(accept));
      await api.get('configmaps', only, accepting(accept));
      await api.patch('merge', 'configmaps/a', { data: { b: null } }, {}, accepting(accept));
      await api.get('configmaps/none', {}, accepting(accept));
      await api.post('configmaps', configMap('A B'), {}, accepting(accept));
      await api.post('pods', pod('a', { nodeName: 'none' }), {}, accepting(accept));
      await api.post('apps/v1/deployments', deployment('web'), {}, accepting(accept));
      await api.get('apps/v1/deployments/web/scale', {}, accepting(accept));
      await api.delete('configmaps/a', undefined, {}, accepting(accept));
      await api.get('configmaps', {}, { ...accepting(accept), authorization: '' });
    }),
  ),
  testCase('a watch is told in frames of protobuf, and not in YAML', async (api) => {
    await api.post('configmaps', configMap('a'));
    const watch = await api.watch('configmaps', { fieldSelector: 'metadata.name=a' }, accepting(protobuf));
    await watch.take(1);
    await api.patch('merge', 'configmaps/a', { data: { a: 'b' } });
    await api.delete('configmaps/a');
    await watch.take(2);
    await api.watch('configmaps', {}, accepting(yaml));
    const metadata = await api.watch('configmaps', only, accepting(`${protobuf}${partial}`));
    await api.post('configmaps', configMap('b'));
    await metadata.take(1);
  }),
  testCase('what is accepted first is given first', async (api) => {
    await api.post('configmaps', configMap('a'));
    for (const accept of [
      `${protobuf},application/json`,
      `application/json,${protobuf}`,
      `${protobuf}${table},application/json`,
      `${protobuf}${partial}`,
      `${yaml}${partial}`,
    ]) {
      await api.get('configmaps/a', {}, accepting(accept));
    }
    await api.get('configmaps/a', {}, accepting(`${protobuf}${table}`));
    await api.get('configmaps/none', {}, accepting(`${protobuf}${partial}`));
  }),
  testCase('custom resources are no protobuf', async (api) => {
    const { path, value } = await defineValues(api, { spec: { type: 'string' } });
    await api.post(path, value('a', 'x'), {}, accepting(yaml));
    for (const accept of [protobuf, yaml, `${protobuf},application/json`, `${protobuf}${partial}`]) {
      await api.get(`${path}/a`, {}, accepting(accept));
      await api.get(`${path}/none`, {}, accepting(accept));
    }
    await api.get(path, {}, accepting(yaml));
    await api.get(path, {}, accepting(protobuf));
    await api.watch(path, {}, accepting(protobuf));
    const watch = await api.watch(path, {}, accepting(`${protobuf},application/json`));
    await watch.take(1);
  }),
  testCase('what the server says of itself is told in other encodings too', async (api) => {
    for (const accept of [protobuf, yaml]) {
      await api.get('/apis/apps', {}, accepting(accept));
      await api.get('/apis/coordination.k8s.io/v1', {}, accepting(accept));
      await api.get('/apis/apps/v1/nothings', {}, accepting(accept));
      await api.get('/nothing', {}, accepting(accept));
      await api.get('/version', {}, accepting(accept));
    }
  }),
];
