// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Cache } from '../cache/cache.ts';
import type { Access } from '../controller/controller.ts';

/** The context of a webhook call. */
export interface WebhookContext {
  /** Uncached reads of the API server. */
  client: Client;
  /** What the controllers watch, read without a request; it may lag behind. */
  cache: Cache;
  /** The user that writes. */
  user: { username: string; groups: readonly string[] };
  signal: AbortSignal;
}

/** The result of a validating webhook: every field error, and warnings. */
interface ValidationResult {
  /** Why the object could not be validated: the write is refused as an internal error. */
  failure?: string;
  errors?: readonly FieldError[];
  warnings?: readonly string[];
}

/** Defaulting and validation of a kind, beyond what its schema can express. */
export interface Webhook<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** The access to the API that it needs; RBAC rules are generated from it. Default: none. */
  readonly access?: readonly Access[];
  /** Sets defaults. */
  default?(object: T, context: WebhookContext): T | Promise<T>;
  /** Validates a write; `before` is the old object of an update. */
  validate?(object: T, before: T | undefined, context: WebhookContext): ValidationResult | Promise<ValidationResult>;
}

/** A webhook from functions on typed objects. */
export function webhook<T extends KubeObject>(kind: Kind<T>, rules: Omit<Webhook<T>, 'kind'>): Webhook {
  return { kind, ...rules };
}
