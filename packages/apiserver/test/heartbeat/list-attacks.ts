// SPDX-License-Identifier: Apache-2.0
import { namespace, numbered, templates, things, type Attack } from './attack.ts';

const long = 900_000;
const secrets = `${namespace}/secrets`;

/** A read, as a client may accept it. */
function read(name: string, path: string, accept = 'application/json', status = 200): Attack {
  return { name: `request: ${name}`, by: 'editor', status, method: 'GET', path, headers: { accept } };
}

const [table, metadata] = ['Table', 'PartialObjectMetadataList'].map(
  (form) => `application/json;as=${form};v=v1;g=meta.k8s.io`,
);
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const watched = 'watch=true&timeoutSeconds=1';

/** As many requirements as a selector may have. */
const requirements = Array.from({ length: 1000 }, (_, index) => `!a${index}`).join();

/** Reads and deletions of many objects, and of large ones; the last ones delete them. */
export const listAttacks: readonly Attack[] = [
  read('a list of many objects', secrets),
  read('a Table of many objects', secrets, table),
  read('metadata of many objects', secrets, metadata),
  read('many objects as YAML', secrets, yaml),
  read('many objects as protobuf', secrets, protobuf),
  read(
    'many objects by a long selector',
    `${secrets}?labelSelector=${numbered((index) => `!a${index}`, ',', long)}`,
    yaml,
    400,
  ),
  read('an object nested deep as YAML', `${things}/deep`, yaml),
  read('a list of large objects', templates),
  read('a Table of large objects', `${templates}?includeObject=Object`, table),
  read(
    'a Table of large objects as YAML',
    `${templates}?includeObject=Object`,
    `application/yaml;as=Table;v=v1;g=meta.k8s.io`,
  ),
  read('large objects as YAML', templates, yaml),
  read('large objects as protobuf', templates, protobuf),
  read('a watch of large objects', `${templates}?${watched}`),
  read('a watch of large objects as a Table', `${templates}?${watched}&includeObject=Object`, table),
  read('a watch of large objects as protobuf', `${templates}?${watched}`, `${protobuf};stream=watch`),
  read('a watch that resumes, by a selector', `${secrets}?${watched}&resourceVersion=1&labelSelector=${requirements}`),
  { name: 'request: deletion of large objects', by: 'editor', status: 200, method: 'DELETE', path: templates },
  { name: 'request: deletion of many objects', by: 'editor', status: 200, method: 'DELETE', path: secrets },
];
