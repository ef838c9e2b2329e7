// SPDX-License-Identifier: Apache-2.0
import { configMaps, filled, numbered, post, storedSize, type Attack } from './attack.ts';

/** A ConfigMap with additional metadata. */
function metadata(fields: () => string): () => string {
  return () => `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a",${fields()}}}`;
}

/** Metadata and data of objects. */
export const metadataAttacks: readonly Attack[] = [
  post(
    201,
    'labels',
    metadata(() => `"labels":{${numbered((index) => `"a${index}":""`)}}`),
    configMaps,
    'editor',
  ),
  post(
    422,
    'invalid labels',
    metadata(() => `"labels":{${numbered((index) => `"-a${index}":"-"`)}}`),
    configMaps,
    'editor',
  ),
  post(
    422,
    'a long label',
    metadata(() => `"labels":{"${filled('a', storedSize / 2)}":"${filled('a.', storedSize / 2)}-"}`),
    configMaps,
    'editor',
  ),
  post(
    201,
    'annotations',
    metadata(() => `"annotations":{${numbered((index) => `"a${index}":""`)}}`),
    configMaps,
    'editor',
  ),
  post(
    422,
    'invalid annotations',
    metadata(() => `"annotations":{${numbered((index) => `"-a${index}":""`)}}`),
    configMaps,
    'editor',
  ),
  post(
    201,
    'finalizers',
    metadata(() => `"finalizers":[${numbered((index) => `"a.b/${index}"`)}]`),
    configMaps,
    'editor',
  ),
  post(
    422,
    'invalid finalizers',
    metadata(() => `"finalizers":[${numbered((index) => `"-${index}"`)}]`),
    configMaps,
    'editor',
  ),
  post(
    201,
    'equal finalizers',
    metadata(() => `"finalizers":[${numbered(() => `"a.b/c"`)}]`),
    configMaps,
    'editor',
  ),
  post(
    201,
    'owners',
    metadata(
      () =>
        `"ownerReferences":[${numbered((index) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${index}"}`)}]`,
    ),
    configMaps,
    'editor',
  ),
  post(
    422,
    'controllers',
    metadata(
      () =>
        `"ownerReferences":[${numbered((index) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${index}","controller":true}`)}]`,
    ),
    configMaps,
    'editor',
  ),
  post(
    422,
    'empty owners',
    metadata(() => `"ownerReferences":[${numbered(() => '{}')}]`),
    configMaps,
    'editor',
  ),
  post(
    201,
    'managed fields',
    metadata(
      () =>
        `"managedFields":[{"manager":"a","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${numbered((index) => `"f:a${index}":{}`)}}}}]`,
    ),
    configMaps,
    'editor',
  ),
  post(
    413,
    'managers',
    metadata(
      () =>
        `"managedFields":[${numbered((index) => `{"manager":"a${index}","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}`)}]`,
    ),
    configMaps,
    'editor',
  ),
  post(
    413,
    'invalid managers',
    metadata(() => `"managedFields":[${numbered(() => '{}')}]`),
    configMaps,
    'editor',
  ),
  post(
    400,
    'managed fields nested deep',
    metadata(
      () =>
        `"managedFields":[{"manager":"a","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(4000)}{}${'}'.repeat(4000)}}]`,
    ),
    configMaps,
    'editor',
  ),
  post(
    422,
    'a long name',
    () => `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${filled('a.', storedSize)}-"}}`,
    configMaps,
    'editor',
  ),
  post(
    201,
    'data',
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"},"data":{${numbered((index) => `"a${index}":""`)}}}`,
    configMaps,
    'editor',
  ),
  post(
    201,
    'data, below its own limit',
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"},"data":{${numbered((index) => `"a${index}":""`, ',', 1_500_000)}}}`,
    configMaps,
    'editor',
  ),
  post(
    422,
    'data with invalid keys',
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"},"data":{${numbered((index) => `"/${index}":""`)}}}`,
    configMaps,
    'editor',
  ),
  post(
    400,
    'binary data that is not base64',
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"},"binaryData":{${numbered((index) => `"a${index}":"AAA"`)}}}`,
    configMaps,
    'editor',
  ),
  post(
    400,
    'one long base64',
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"a"},"binaryData":{"a":"${filled('AAAA', storedSize)}A"}}`,
    configMaps,
    'editor',
  ),
];
