// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import { appliedFields, extractFields } from '@forge/kube/patch/applied-fields.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import type { ReconcileContext } from '../controller/controller.ts';

/**
 * Keeps the values of fields that we applied and are about to leave to another manager, given as `spec.replicas`.
 *
 * Why: a field that its only manager no longer applies is removed and reset to the server's default. So a second field
 * manager of ours takes over the live value until another manager sets the field.
 *
 * Errors: a Conflict when another manager sets one of the fields at the same time; then nothing has changed, and the
 * next try sees the new value.
 */
export async function transferFields<T extends KubeObject>(
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
  // Fields that it keeps already and no longer applies would be removed as well.
  const already = appliedFields(live, keeper);
  const kept = already === undefined ? identityOf(live) : extractFields(live, already);
  const whole = paths.reduce((object, path) => withValue(object, path, valueAt(live, path)), kept);
  await client.apply(kind, whole as T, { fieldManager: keeper, signal });
}

function identityOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): object {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** The path of a field in a set; names may contain dots. */
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
