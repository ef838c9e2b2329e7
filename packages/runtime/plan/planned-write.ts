// SPDX-License-Identifier: Apache-2.0
import { isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { jsonDiff, type DiffOperation } from '@forge/kube/patch/json-diff.ts';

/** A planned write. */
export interface PlannedWrite {
  /** The step that writes; `status` and `finalizers` for the engine itself. */
  step: string;
  verb: 'create' | 'change' | 'delete';
  kind: string;
  namespace: string | undefined;
  name: string;
  /** The changes; values of Secrets are redacted. */
  diff: readonly DiffOperation[];
}

/** The write from one state of an object to the other; undefined when they are equal. */
export function plannedWrite(
  step: string,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): PlannedWrite | undefined {
  const shown = after ?? before;
  if (shown === undefined) return undefined;
  const { kind, metadata } = shown;
  const diff = jsonDiff(comparable(before), comparable(after)).flatMap((each) => redacted(shown, each));
  if (before !== undefined && after !== undefined && diff.length === 0) return undefined;
  const verb = before === undefined ? 'create' : after === undefined ? 'delete' : 'change';
  const { namespace, name } = metadata;
  return { step, verb, kind, namespace, name, diff: verb === 'delete' ? [] : diff };
}

const serverWrites = new Set(['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp']);

/** The object without fields that only the server writes. */
function comparable(object: KubeObject | undefined): object {
  if (object === undefined) return {};
  const news = Object.entries(object.metadata).filter(([field]) => !serverWrites.has(field));
  return { ...object, metadata: Object.fromEntries(news) };
}

const secretParts = /^\/(data|stringData)(\/|$)/;

/** The operation with the content of a Secret redacted; its keys are still shown. */
function redacted({ kind }: KubeObject, operation: DiffOperation): DiffOperation {
  if (kind !== 'Secret' || operation.op === 'remove' || !secretParts.test(operation.path)) return operation;
  const { value } = operation;
  const hidden = '[redacted]';
  return {
    ...operation,
    value: isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, hidden])) : hidden,
  };
}
