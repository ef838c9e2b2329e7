// SPDX-License-Identifier: Apache-2.0
import { configMaps, definitions, filled, namespace, nested, reviews, size, type Attack } from './attack.ts';

const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };

/** A bytes field of a message. */
function field(number: number, bytes: Uint8Array): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    if (left < 128) {
      length.push(left);
      break;
    }
    length.push((left & 127) | 128);
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}

function message(kind: string, apiVersion: string, raw: Uint8Array): Buffer {
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw)]);
}

function encoded(
  status: number,
  name: string,
  path: string,
  body: () => Uint8Array,
  by: Attack['by'] = 'editor',
): Attack {
  return { name: `protobuf: ${name}`, by, status, method: 'POST', path, headers: protobuf, body };
}

function repeated(part: Uint8Array, bytes = size - 1024): Buffer {
  return Buffer.alloc(Math.floor(bytes / part.length) * part.length, part);
}

function deep(number: number, depth: number): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) bytes = field(number, bytes);
  return bytes;
}

/** A claim of a device with parameters in JSON. */
function claim(...parameters: readonly string[]): Buffer {
  const configurations = parameters.map((json) => {
    const opaque = Buffer.concat([field(1, Buffer.from('a.example.com')), field(2, field(1, Buffer.from(json)))]);
    return field(3, field(2, field(1, opaque)));
  });
  const devices = field(1, Buffer.concat(configurations));
  const raw = Buffer.concat([field(1, field(2, Buffer.from('a'))), field(2, devices)]);
  return message('ResourceClaim', 'resource.k8s.io/v1', raw);
}

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';

/** Protobuf bodies. */
export const protobufAttacks: readonly Attack[] = [
  encoded(413, 'empty entries of a map', configMaps, () =>
    message('ConfigMap', 'v1', repeated(Buffer.from([0x12, 0]))),
  ),
  encoded(413, 'entries of a map', configMaps, () =>
    message(
      'ConfigMap',
      'v1',
      Buffer.concat(Array.from({ length: 200_000 }, (_, index) => field(2, field(1, Buffer.from(`a${index}`))))),
    ),
  ),
  encoded(413, 'empty labels', configMaps, () =>
    message('ConfigMap', 'v1', field(1, repeated(Buffer.from([0x5a, 0])))),
  ),
  encoded(413, 'empty owners', configMaps, () =>
    message('ConfigMap', 'v1', field(1, repeated(Buffer.from([0x6a, 0])))),
  ),
  encoded(413, 'empty finalizers', configMaps, () =>
    message('ConfigMap', 'v1', field(1, repeated(Buffer.from([0x72, 0])))),
  ),
  encoded(413, 'metadata again and again', configMaps, () =>
    message('ConfigMap', 'v1', repeated(Buffer.from([0x0a, 0]))),
  ),
  encoded(413, 'unknown fields', configMaps, () => message('ConfigMap', 'v1', repeated(Buffer.from([0x78, 0])))),
  encoded(413, 'empty containers', `${namespace}/pods`, () =>
    message('Pod', 'v1', field(2, repeated(Buffer.from([0x12, 0])))),
  ),
  encoded(413, 'empty environment variables', `${namespace}/pods`, () =>
    message('Pod', 'v1', field(2, field(2, repeated(Buffer.from([0x3a, 0]))))),
  ),
  encoded(413, 'packed numbers', `${namespace}/pods`, () =>
    message('Pod', 'v1', field(2, field(14, field(4, repeated(Buffer.from([1])))))),
  ),
  encoded(
    422,
    'a schema nested deep',
    definitions,
    () => message('CustomResourceDefinition', 'apiextensions.k8s.io/v1', deep(1, 9000)),
    'definer',
  ),
  encoded(
    413,
    'of a user without rights',
    reviews,
    () => message('SelfSubjectAccessReview', 'authorization.k8s.io/v1', field(1, repeated(Buffer.from([0x5a, 0])))),
    'nobody',
  ),
  encoded(
    400,
    'long varints',
    reviews,
    () => message('SelfSubjectAccessReview', 'authorization.k8s.io/v1', repeated(Buffer.from([0x80]))),
    'nobody',
  ),
  encoded(
    413,
    'a timestamp of many numbers',
    reviews,
    () => {
      const metadata = field(8, repeated(Buffer.from([8, 0])));
      return message('SelfSubjectAccessReview', 'authorization.k8s.io/v1', field(1, metadata));
    },
    'nobody',
  ),
  encoded(400, 'JSON nested 600 deep', claims, () => claim(nested(600))),
  encoded(400, 'JSON nested 5,000 deep', claims, () => claim(nested(5000))),
  encoded(400, 'JSON nested almost as deep as may be, in a message', claims, () => claim(nested(498))),
  encoded(413, 'JSON of many values', claims, () => claim(`{"a":[${filled('1,')}1]}`)),
  encoded(413, 'many parts of JSON', claims, () =>
    claim(...Array.from({ length: 70 }, () => `{"a":[${filled('1,', 38_000)}1]}`)),
  ),
  encoded(201, 'JSON nested as deep as may be', claims, () => claim(nested(490))),
  encoded(
    413,
    'an envelope of unknown fields',
    reviews,
    () => Buffer.concat([Buffer.from('k8s\0'), repeated(Buffer.from([0x78, 0]))]),
    'nobody',
  ),
];
