// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { Exchange } from './exchange.ts';

/**
 * The differences between two conversations: per exchange, each path with the value of the real and of the embedded
 * server.
 */
export function differences(real: readonly Exchange[], ours: readonly Exchange[]): string[] {
  const length = Math.max(real.length, ours.length);
  return Array.from({ length }, (_, index) => differencesAt(index, real[index], ours[index])).flat();
}

function differencesAt(index: number, real: Exchange | undefined, ours: Exchange | undefined): string[] {
  const request = `${index + 1}. ${(real ?? ours)?.request ?? ''}`;
  if (real === undefined) return [`${request}: sent to the embedded server only`];
  if (ours === undefined) return [`${request}: sent to the real server only`];
  const lines = compare(real, ours, '');
  return lines.length === 0 ? [] : [request, ...lines.map((line) => `   ${line}`)];
}

function compare(real: unknown, ours: unknown, path: string): string[] {
  if (Object.is(real, ours)) return [];
  if (Array.isArray(real) && Array.isArray(ours)) {
    const length = Math.max(real.length, ours.length);
    return Array.from({ length }, (_, index) => compare(real[index], ours[index], `${path}[${index}]`)).flat();
  }
  if (isObject(real) && isObject(ours)) {
    const fields = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
    return fields.flatMap((field) => compare(real[field], ours[field], pathTo(path, field)));
  }
  return [`${path}: real ${show(real)}, ours ${show(ours)}`];
}

function pathTo(path: string, field: string): string {
  if (!/^\w+$/.test(field)) return `${path}["${field}"]`;
  return path === '' ? field : `${path}.${field}`;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
