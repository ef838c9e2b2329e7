// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual, fieldOf } from '@forge/kube/objects/json.ts';
import { jsonSyntaxError } from '../../encoding/json-syntax-error.ts';
import { fileKeyProblem } from '../../formats/names.ts';
import type { Rule, Inspection } from '../inspection.ts';
import { given, type ChangeRule, validation, fixed } from '../rule.ts';

const maximumSize = 1024 * 1024;

type Data = Readonly<Record<string, string>>;

const keys: Rule<Data> = given((data, at) => {
  for (const key in data) {
    const problem = fileKeyProblem(key);
    if (problem !== undefined) at.invalid(key, problem, `[${key}]`);
  }
});

/** The decoded size of the data in bytes. */
function sizeOf(data: Data, encoding: 'utf8' | 'base64'): number {
  let size = 0;
  for (const key in data) size += Buffer.byteLength(data[key] ?? '', encoding);
  return size;
}

/** These fields of an immutable object cannot change. */
function immutable<T extends { immutable?: boolean }>(...names: readonly (keyof T & string)[]): ChangeRule<T> {
  return (object, before, at) => {
    if (before.immutable !== true) return;
    const reportImmutable = (field: string) => at.forbidden('field is immutable when `immutable` is set', field);
    if (object.immutable !== true) reportImmutable('immutable');
    for (const name of names) if (!jsonEqual(object[name], before[name])) reportImmutable(name);
  };
}

/** Validates a ConfigMap: keys, size and immutability. */
export const validateConfigMap = validation<ConfigMap>(
  given(({ data = {}, binaryData = {} }, at) => {
    at.inside('data', data, keys);
    for (const key in binaryData) {
      if (Object.hasOwn(data, key)) at.invalid(key, 'duplicate of key present in binaryData', `data[${key}]`);
    }
    at.inside('binaryData', binaryData, keys);
    if (sizeOf(data, 'utf8') + sizeOf(binaryData, 'base64') > maximumSize) at.tooLong(maximumSize, '[]');
  }),
  immutable('data', 'binaryData'),
  'change first',
);

/** Required keys of built-in Secret types; basic-auth needs one of two. */
const contents: Readonly<Record<string, (data: Data, at: Inspection) => void>> = {
  'kubernetes.io/tls': (data, at) => present(data, at, 'tls.crt', 'tls.key'),
  'kubernetes.io/ssh-auth': (data, at) => present(data, at, 'ssh-privatekey'),
  'kubernetes.io/dockercfg': (data, at) => json(data, at, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data, at) => json(data, at, '.dockerconfigjson'),
  'kubernetes.io/basic-auth': (data, at) => {
    if (data['username'] === undefined && data['password'] === undefined) present(data, at, 'username', 'password');
  },
};

function present(data: Data, at: Inspection, ...names: readonly string[]): void {
  for (const name of names) if (data[name] === undefined) at.required(undefined, `[${name}]`);
}

function json(data: Data, at: Inspection, name: string): void {
  const content = data[name];
  present(data, at, name);
  if (content === undefined) return;
  const problem = jsonSyntaxError(Buffer.from(content, 'base64'));
  if (problem !== undefined) at.invalid('<secret contents redacted>', problem, `[${name}]`);
}

const account = 'kubernetes.io/service-account.name';

/** Validates a Secret: keys, size, type and immutability. */
export const validateSecret = validation<Secret>(
  given(({ metadata, data = {}, type = '' }, at) => {
    at.inside('data', data, keys);
    if (sizeOf(data, 'base64') > maximumSize) at.tooLong(maximumSize, 'data');
    at.inside('data', data, () => fieldOf(contents, type)?.(data, at));
    if (type === 'kubernetes.io/service-account-token' && (metadata.annotations?.[account] ?? '') === '') {
      at.required(undefined, `metadata.annotations[${account}]`);
    }
  }),
  (secret, before, at) => {
    fixed<Secret>('type')(secret, before, at);
    immutable<Secret>('data')(secret, before, at);
  },
  'change first',
);
