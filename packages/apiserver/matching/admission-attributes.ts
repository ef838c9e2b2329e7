// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { User } from '../messages/server-request.ts';
import { isDryRun } from '../request/write-options.ts';
import type { Resource } from '../resources/resource.ts';

/** Group, version and kind. */
interface KindName {
  group: string;
  version: string;
  kind: string;
}

/** The attributes of an admission request. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly resource: Resource;
  readonly subresource: string | undefined;
  /** Kind of the object; a subresource may have its own. */
  readonly kind: KindName;
  /** For a Namespace, its own name. */
  readonly namespace: string | undefined;
  /** Empty when not generated yet, or for deletecollection. */
  readonly name: string;
  /** The new object; undefined for a deletion. */
  readonly object: KubeObject | undefined;
  /** The old object. */
  readonly before: KubeObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions; null for CONNECT. */
  readonly options: () => JsonObject | null;
  readonly warn: (warning: string) => void;
}

/** The options of a write, from its query. */
export function writeOptionsOf(
  kind: 'CreateOptions' | 'UpdateOptions',
  query: Readonly<Record<string, string>>,
): JsonObject {
  const { dryRun, fieldManager, fieldValidation } = query;
  return optionsOf(kind, { dryRun: isDryRun(query) ? [dryRun] : undefined, fieldManager, fieldValidation });
}

/** Options as webhooks see them, without unset fields. */
export function optionsOf(kind: string, options: JsonObject): JsonObject {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
  return { kind, apiVersion: 'meta.k8s.io/v1', ...Object.fromEntries(given) };
}
