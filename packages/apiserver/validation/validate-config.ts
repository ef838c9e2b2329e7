// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Secret } from '@forge/kube/builtin.ts';
import { forbidden, invalidValue, tooLong, type FieldError } from '@forge/kube/field-error.ts';
import { jsonEqual } from '@forge/kube/json.ts';
import { immutable } from './field-error.ts';

const maximumSize = 1024 * 1024;

/** A config map's keys are file names, its data fit into a megabyte, and an immutable one stays as it is. */
export function validateConfigMap(
  { data = {}, binaryData = {}, immutable: fixed }: ConfigMap,
  before: ConfigMap | undefined,
): FieldError[] {
  return [
    ...validateKeys('data', data),
    ...validateKeys('binaryData', binaryData),
    ...validateSize(
      '',
      [...Object.values(data), ...Object.values(binaryData)].map((text) => Buffer.byteLength(text)),
    ),
    ...(before?.immutable === true
      ? validateKept({ data, binaryData }, { data: before.data ?? {}, binaryData: before.binaryData ?? {} }, fixed)
      : []),
  ];
}

/** A secret's keys are file names, its data fit into a megabyte, and its type and an immutable one stay as they are. */
export function validateSecret(
  { data = {}, type, immutable: fixed }: Secret,
  before: Secret | undefined,
): FieldError[] {
  return [
    ...validateKeys('data', data),
    ...validateSize(
      'data',
      Object.values(data).map((text) => Buffer.byteLength(text, 'base64')),
    ),
    ...(before !== undefined && before.type !== type ? [immutable('type', type)] : []),
    ...(before?.immutable === true ? validateKept({ data }, { data: before.data ?? {} }, fixed) : []),
  ];
}

function validateKeys(field: string, data: Readonly<Record<string, string>>): FieldError[] {
  return Object.keys(data)
    .filter((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === '.' || key.startsWith('..'))
    .map((key) => invalidValue(`${field}[${key}]`, key, keyRule));
}

function validateSize(field: string, sizes: readonly number[]): FieldError[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > maximumSize ? [tooLong(field, maximumSize)] : [];
}

function validateKept(
  data: Record<string, object>,
  before: Record<string, object>,
  fixed: boolean | undefined,
): FieldError[] {
  return [
    ...(fixed === true ? [] : [forbidden('immutable', 'field is immutable when `immutable` is set')]),
    ...Object.keys(data)
      .filter((field) => !jsonEqual(data[field], before[field]))
      .map((field) => forbidden(field, 'field is immutable when `immutable` is set')),
  ];
}

const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
