// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { User } from '../messages/server-request.ts';
import type { Resource } from '../resources/resource.ts';
import type { ServerContext } from './server-context.ts';

/** How unknown fields are handled. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** A write on its way through the pipeline. */
export interface Write {
  readonly resource: Resource;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  /** From the path; empty for a create. */
  readonly name: string;
  /** The stored object; undefined for a create. */
  readonly before: KubeObject | undefined;
  /** The object after the steps so far. */
  readonly object: KubeObject;
  readonly user: User;
  /** The field manager. */
  readonly manager: string;
  /** Whether it is a patch: a uid in it is then a change, not a precondition. */
  readonly isPatch: boolean;
  /** Whether server-side apply has already computed managedFields. */
  readonly applied: boolean;
  /** Paths of duplicate fields in the request body. */
  readonly duplicates: readonly string[];
  readonly fieldValidation: FieldValidation;
  /** The query of the request. */
  readonly query: Readonly<Record<string, string>>;
  readonly warn: (warning: string) => void;
  /** Whether it comes from the wire: objects of in-process callers have no limits. */
  readonly isRemote: boolean;
  /** Whether it is so large that other requests are served between its steps. */
  readonly isLarge: boolean;
}

/** A pipeline step: returns the object for the next step, or throws an API error. */
export type WriteStep = (write: Write, server: ServerContext) => KubeObject | Promise<KubeObject>;
