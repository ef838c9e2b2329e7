// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isDryRun } from '../../context/write-options.ts';
import type { User } from '../../request/server-request.ts';
import type { Resource } from '../../resources/resource.ts';

/** A kind as requests name it. */
interface KindName {
  group: string;
  version: string;
  kind: string;
}

/** What is about to happen, as webhooks are asked about it. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly resource: Resource;
  readonly subresource: string | undefined;
  /** Of the objects: a subresource may have a kind of its own. */
  readonly kind: KindName;
  /** For a namespace itself: its name. */
  readonly namespace: string | undefined;
  /** Empty when it is not known yet, or when a collection is deleted. */
  readonly name: string;
  /** What shall be; undefined for a deletion. */
  readonly object: KubeObject | undefined;
  /** What was. */
  readonly before: KubeObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions; a connection has none. */
  readonly options: JsonObject | null;
  readonly warn: (warning: string) => void;
}

/** The options of a write, which are in its query. */
export function writeOptionsOf(
  kind: 'CreateOptions' | 'UpdateOptions',
  query: Readonly<Record<string, string>>,
): JsonObject {
  const { dryRun, fieldManager, fieldValidation } = query;
  return optionsOf(kind, { dryRun: isDryRun(query) ? [dryRun] : undefined, fieldManager, fieldValidation });
}

/** Options as a webhook sees them: what the caller did not say is left out. */
export function optionsOf(kind: string, options: JsonObject): JsonObject {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
  return { kind, apiVersion: 'meta.k8s.io/v1', ...Object.fromEntries(given) };
}
