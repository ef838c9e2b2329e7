// SPDX-License-Identifier: Apache-2.0
import { namespace, numbered, type Attack } from './attack.ts';

const long = 900_000;

/** Reads and deletions of many objects; the last one deletes them. */
export const listAttacks: readonly Attack[] = [
  { name: 'request: a list of crowded objects', by: 'editor', method: 'GET', path: `${namespace}/secrets` },
  {
    name: 'request: a Table of many objects',
    by: 'editor',
    method: 'GET',
    path: `${namespace}/secrets`,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  },
  {
    name: 'request: metadata of many objects',
    by: 'editor',
    method: 'GET',
    path: `${namespace}/secrets`,
    headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
  },
  {
    name: 'request: many objects as YAML',
    by: 'editor',
    method: 'GET',
    path: `${namespace}/secrets`,
    headers: { accept: 'application/yaml' },
  },
  {
    name: 'request: many objects as protobuf',
    by: 'editor',
    method: 'GET',
    path: `${namespace}/secrets`,
    headers: { accept: 'application/vnd.kubernetes.protobuf' },
  },
  {
    name: 'request: many objects by a long selector',
    by: 'editor',
    method: 'GET',
    path: `${namespace}/secrets?labelSelector=${numbered((index) => `!a${index}`, ',', long)}`,
  },
  { name: 'request: deletion of many objects', by: 'editor', method: 'DELETE', path: `${namespace}/secrets` },
];
