// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { Token } from './fake-tokens.ts';

/** A response. */
export interface FakeResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: JsonObject;
}

/** A resource of a collection. */
export type Resource = JsonObject & { readonly id: string };

/** An application credential of a user. */
interface Credential {
  readonly userId: string;
  readonly secret: string;
  /** What Keystone shows of it. */
  readonly shown: Resource;
}

/** The collections below `/v3`, and how one of their items is named. */
export const collections = {
  domains: 'domain',
  projects: 'project',
  roles: 'role',
  users: 'user',
  services: 'service',
  endpoints: 'endpoint',
} as const;

export type CollectionName = keyof typeof collections;

/** Everything that a Keystone holds. */
export interface IdentityState {
  readonly resources: Readonly<Record<CollectionName, Map<string, Resource>>>;
  readonly credentials: Map<string, Credential>;
  /** By user id. */
  readonly passwords: Map<string, string>;
  readonly tokens: Map<string, Token>;
  /** Ids of the users who may do everything. */
  readonly admins: Set<string>;
  /** An id that was never used, the same in each run. */
  newId(): string;
}

/** The state of a Keystone that was never bootstrapped. */
export function identityState(name: string): IdentityState {
  let count = 0;
  const entries = Object.keys(collections).map((each) => [each, new Map<string, Resource>()]);
  return {
    resources: Object.fromEntries(entries) as IdentityState['resources'],
    credentials: new Map(),
    passwords: new Map(),
    tokens: new Map(),
    admins: new Set(),
    newId: () =>
      createHash('sha256')
        .update(`${name} ${(count += 1)}`)
        .digest('hex')
        .slice(0, 32),
  };
}

/** Sets a password, which ends every session of that user. */
export function setPassword({ passwords, tokens }: IdentityState, userId: string, password: string): void {
  if (passwords.get(userId) === password) return;
  passwords.set(userId, password);
  for (const [token, { userId: owner }] of tokens) if (owner === userId) tokens.delete(token);
}

/** A response in the words of Keystone. */
export function failure(code: number, message: string): FakeResponse {
  return { status: code, body: { error: { code, message } } };
}
