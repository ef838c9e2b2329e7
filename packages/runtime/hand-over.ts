// SPDX-License-Identifier: Apache-2.0
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import type { Reconcile } from './controller.ts';
import type { FieldSet } from './owned-part.ts';

/**
 * Keeps the values of fields that we applied and are about to leave to somebody else, given as `spec.replicas`.
 *
 * Why: a field that its only manager no longer applies is taken away, and the server's default comes in its place. So a
 * second manager takes over the live value until somebody else sets another.
 */
export async function handOver<T extends KubeObject>(
  kind: Kind<T>,
  live: T,
  { ours, fields, fieldManager }: { ours: FieldSet; fields: readonly string[]; fieldManager: string },
  { client, signal }: Pick<Reconcile, 'client' | 'signal'>,
): Promise<void> {
  const paths = fields.map((field) => field.split('.')).filter((path) => contains(ours, path));
  if (paths.length === 0) return;
  const { apiVersion, metadata } = live;
  const { name, namespace } = metadata;
  const identity = { apiVersion, kind: live.kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
  const kept = paths.reduce<object>((whole, path) => withValue(whole, path, valueAt(live, path)), identity);
  try {
    await client.apply(kind, kept as T, { fieldManager: `${fieldManager}-handed-over`, signal });
  } catch (error) {
    // Somebody else has set the field already: it will stay without us.
    if (!isRefusal(error, 'Conflict')) throw error;
  }
}

function contains(fields: FieldSet, path: readonly string[]): boolean {
  let place: FieldSet | undefined = fields;
  for (const name of path) place = place?.[`f:${name}`];
  return place !== undefined;
}

function valueAt(object: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}

function withValue(object: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Record<string, object>)[name] ?? {};
  return { ...object, [name]: rest.length === 0 ? value : withValue(inner, rest, value) };
}
