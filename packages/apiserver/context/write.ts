// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { User } from '../request/server-request.ts';
import type { Resource } from '../resources/resource.ts';
import type { ServerContext } from './server-context.ts';

/** What the server does with fields it does not know. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** A write on its way into the store. */
export interface Write {
  readonly resource: Resource;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  /** As the path has it; empty for a create. */
  readonly name: string;
  /** As it is stored now; undefined for a create. */
  readonly before: KubeObject | undefined;
  /** As far as the steps so far have brought it. */
  readonly object: KubeObject;
  readonly user: User;
  /** Who is written into managedFields. */
  readonly manager: string;
  /** Whether a patch made the object: the uid in it is a change then, and no precondition. */
  readonly isPatch: boolean;
  /** Server-side apply has worked out managedFields itself. */
  readonly applied: boolean;
  /** Paths of fields that the writer's text names more than once. */
  readonly duplicates: readonly string[];
  readonly fieldValidation: FieldValidation;
  /** As the request has it. */
  readonly query: Readonly<Record<string, string>>;
  readonly warn: (warning: string) => void;
}

/** One step of the pipeline: gives the object as the next step shall see it, or throws the server's refusal. */
export type WriteStep = (write: Write, server: ServerContext) => KubeObject | Promise<KubeObject>;
