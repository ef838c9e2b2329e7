// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import { appliedFields, extractFields } from '@forge/kube/patch/applied-fields.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import type { ReconcileContext } from '../controller/controller.ts';

/**
 * Keeps the values of fields that we applied and are about to leave to somebody else, given as `spec.replicas`.
 *
 * Why: a field that its only manager no longer applies is taken away, and the server's default comes in its place. So a
 * second manager takes over the live value until somebody else sets another.
 *
 * Errors: a Conflict when somebody else sets one of the fields meanwhile; then nothing has happened, and the next try
 * finds out which.
 */
export async function handOver<T extends KubeObject>(
  kind: Kind<T>,
  ref: ObjectRef,
  { ours, fields, fieldManager }: { ours: FieldSet; fields: readonly string[]; fieldManager: string },
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
): Promise<void> {
  if (fields.every((field) => pathsTo(field, ours).length === 0)) return;
  const live = await client.find(kind, ref, { signal });
  if (live === undefined) return;
  const paths = fields.flatMap((field) => pathsTo(field, appliedFields(live, fieldManager) ?? {}));
  if (paths.length === 0) return;
  const keeper = `${fieldManager}-handed-over`;
  // What it keeps already, and applies no more, would be taken away as well.
  const already = appliedFields(live, keeper);
  const kept = already === undefined ? identityOf(live) : extractFields(live, already);
  const whole = paths.reduce((object, path) => withValue(object, path, valueAt(live, path)), kept);
  await client.apply(kind, whole as T, { fieldManager: keeper, signal });
}

function identityOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): object {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** The path of a field among those of a set; names may have dots of their own. */
function pathsTo(field: string, fields: FieldSet): string[][] {
  return Object.entries(fields).flatMap(([step, inner]) => {
    const name = step.slice('f:'.length);
    if (field === name) return [[name]];
    if (!field.startsWith(`${name}.`)) return [];
    return pathsTo(field.slice(name.length + 1), inner).map((path) => [name, ...path]);
  });
}

function valueAt(object: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}

function withValue(object: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Record<string, object>)[name] ?? {};
  return { ...object, [name]: rest.length === 0 ? value : withValue(inner, rest, value) };
}
