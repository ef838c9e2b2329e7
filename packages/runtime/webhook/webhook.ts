// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Cache } from '../cache/cache.ts';
import type { Access } from '../controller/controller.ts';

/** What a webhook may look at besides the object. */
export interface WebhookContext {
  /** Reads the API server itself: what was written a moment ago counts. */
  client: Client;
  /** What the controllers watch, read without a request; it may lag behind. */
  cache: Cache;
  /** Who writes. */
  user: { username: string; groups: readonly string[] };
  signal: AbortSignal;
}

/** What a validating webhook says of an object: every field that is wrong, and what the writer should know. */
interface ValidationResult {
  errors?: readonly FieldError[];
  warnings?: readonly string[];
}

/** What an operator says to writes of one of its kinds, beyond what the kind's schema says. */
export interface Webhook<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** What it asks of the API; RBAC rules are made from it. Default: nothing. */
  readonly access?: readonly Access[];
  /** Fills in what the writer left out. */
  default?(object: T, context: WebhookContext): T | Promise<T>;
  /** Judges what is written; `before` is there when the object is changed. */
  validate?(object: T, before: T | undefined, context: WebhookContext): ValidationResult | Promise<ValidationResult>;
}

/** A webhook, from plain functions on typed objects. */
export function webhook<T extends KubeObject>(kind: Kind<T>, rules: Omit<Webhook<T>, 'kind'>): Webhook {
  return { kind, ...rules };
}
