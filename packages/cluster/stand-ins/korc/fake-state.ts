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
  /** The resource in Keystone's responses. */
  readonly shown: Resource;
}

/** The collections below `/v3`, and the names of their items. */
export const collections = {
  domains: 'domain',
  projects: 'project',
  roles: 'role',
  users: 'user',
  services: 'service',
  endpoints: 'endpoint',
} as const;

export type CollectionName = keyof typeof collections;

/** The state of a Keystone. */
export interface IdentityState {
  readonly resources: Readonly<Record<CollectionName, Map<string, Resource>>>;
  readonly credentials: Map<string, Credential>;
  /** By user id. */
  readonly passwords: Map<string, string>;
  readonly tokens: Map<string, Token>;
  /** Ids of administrators. */
  readonly admins: Set<string>;
  /** How many ids and tokens were created. */
  readonly made: { ids: number; tokens: number };
  /** A new id; it depends only on the number of earlier ids, not on the number of logins. */
  newId(): string;
  newToken(): string;
}

/** The state of a Keystone that is not bootstrapped, or a copy of another state. */
export function identityState(name: string, from?: IdentityState): IdentityState {
  const made = { ids: 0, tokens: 0, ...from?.made };
  const entries = Object.keys(collections).map((each) => [each, new Map(from?.resources[each as CollectionName])]);
  return {
    resources: Object.fromEntries(entries) as IdentityState['resources'],
    credentials: new Map(from?.credentials),
    passwords: new Map(from?.passwords),
    tokens: new Map(from?.tokens),
    admins: new Set(from?.admins),
    made,
    newId: () => hashOf(`${name} ${(made.ids += 1)}`),
    newToken: () => `token-${hashOf(`${name} token ${(made.tokens += 1)}`)}`,
  };
}

function hashOf(what: string): string {
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}

/** Sets a password, which ends every session of that user. */
export function setPassword({ passwords, tokens }: IdentityState, userId: string, password: string): void {
  if (passwords.get(userId) === password) return;
  passwords.set(userId, password);
  for (const [token, { userId: owner }] of tokens) if (owner === userId) tokens.delete(token);
}

/** An error response of Keystone. */
export function failure(code: number, message: string): FakeResponse {
  return { status: code, body: { error: { code, message } } };
}
