// SPDX-License-Identifier: Apache-2.0
import { configMaps, definitions, namespace, reviews, size, type Attack } from './attack.ts';

const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };

/** A message's field of bytes. */
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

function encoded(name: string, path: string, body: () => Uint8Array, by: Attack['by'] = 'editor'): Attack {
  return { name: `protobuf: ${name}`, by, method: 'POST', path, headers: protobuf, body };
}

function repeated(part: Uint8Array, bytes = size - 1024): Buffer {
  return Buffer.alloc(Math.floor(bytes / part.length) * part.length, part);
}

function deep(number: number, depth: number): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) bytes = field(number, bytes);
  return bytes;
}

/** Protobuf bodies. */
export const protobufAttacks: readonly Attack[] = [
  encoded('empty entries of a map', configMaps, () => message('ConfigMap', 'v1', repeated(Buffer.from([0x12, 0])))),
  encoded('entries of a map', configMaps, () =>
    message(
      'ConfigMap',
      'v1',
      Buffer.concat(Array.from({ length: 200_000 }, (_, index) => field(2, field(1, Buffer.from(`a${index}`))))),
    ),
  ),
  encoded('empty labels', configMaps, () => message('ConfigMap', 'v1', field(1, repeated(Buffer.from([0x5a, 0]))))),
  encoded('empty owners', configMaps, () => message('ConfigMap', 'v1', field(1, repeated(Buffer.from([0x6a, 0]))))),
  encoded('empty finalizers', configMaps, () => message('ConfigMap', 'v1', field(1, repeated(Buffer.from([0x72, 0]))))),
  encoded('metadata again and again', configMaps, () => message('ConfigMap', 'v1', repeated(Buffer.from([0x0a, 0])))),
  encoded('unknown fields', configMaps, () => message('ConfigMap', 'v1', repeated(Buffer.from([0x78, 0])))),
  encoded('empty containers', `${namespace}/pods`, () =>
    message('Pod', 'v1', field(2, repeated(Buffer.from([0x12, 0])))),
  ),
  encoded('empty environment variables', `${namespace}/pods`, () =>
    message('Pod', 'v1', field(2, field(2, repeated(Buffer.from([0x3a, 0]))))),
  ),
  encoded('packed numbers', `${namespace}/pods`, () =>
    message('Pod', 'v1', field(2, field(14, field(4, repeated(Buffer.from([1])))))),
  ),
  encoded(
    'a schema nested deep',
    definitions,
    () => message('CustomResourceDefinition', 'apiextensions.k8s.io/v1', deep(1, 9000)),
    'definer',
  ),
  encoded(
    'of a user without rights',
    reviews,
    () => message('SelfSubjectAccessReview', 'authorization.k8s.io/v1', field(1, repeated(Buffer.from([0x5a, 0])))),
    'nobody',
  ),
  encoded(
    'long varints',
    reviews,
    () => message('SelfSubjectAccessReview', 'authorization.k8s.io/v1', repeated(Buffer.from([0x80]))),
    'nobody',
  ),
  encoded(
    'an envelope of unknown fields',
    reviews,
    () => Buffer.concat([Buffer.from('k8s\0'), repeated(Buffer.from([0x78, 0]))]),
    'nobody',
  ),
];
