// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { failure, type FakeResponse, type IdentityState } from './fake-state.ts';

/** A token that was issued. */
export interface Token {
  userId: string;
  /** The application credential of the login; undefined after a login by password. */
  credentialId: string | undefined;
  expiresAt: number;
  /** The response to its validation. */
  body: JsonObject;
}

const lifetime = minutes(60);
const unauthorized = failure(401, 'The request you have made requires authentication.');
const lost = (id: string) => failure(404, `Could not find Application Credential: ${id}.`);

/** Logs in by password or application credential. */
export function issueToken(state: IdentityState, body: JsonObject, at: number): FakeResponse {
  const { identity } = objectAt(body, 'auth');
  const { application_credential: credential, password } = isObject(identity) ? identity : {};
  if (isObject(credential)) return byCredential(state, credential, at);
  return byPassword(state, isObject(password) ? objectAt(password, 'user') : {}, at);
}

function byCredential(state: IdentityState, { id, secret }: JsonObject, at: number): FakeResponse {
  const credentialId = String(id);
  const credential = state.credentials.get(credentialId);
  if (credential === undefined) return lost(credentialId);
  if (credential.secret !== secret) return unauthorized;
  return issued(state, credential.userId, credentialId, at);
}

function byPassword(state: IdentityState, wanted: JsonObject, at: number): FakeResponse {
  const domain = objectAt(wanted, 'domain');
  const domainId =
    domain['id'] ?? [...state.resources.domains.values()].find(({ name }) => name === domain['name'])?.['id'];
  const user = [...state.resources.users.values()].find((each) =>
    wanted['id'] === undefined
      ? each['name'] === wanted['name'] && each['domain_id'] === domainId
      : each.id === wanted['id'],
  );
  if (user === undefined || user['enabled'] === false) return unauthorized;
  if (state.passwords.get(user.id) !== wanted['password']) return unauthorized;
  return issued(state, user.id, undefined, at);
}

function issued(state: IdentityState, userId: string, credentialId: string | undefined, at: number): FakeResponse {
  const expiresAt = at + lifetime;
  const user = state.resources.users.get(userId);
  const project = [...state.resources.projects.values()][0];
  const body = {
    token: {
      methods: [credentialId === undefined ? 'password' : 'application_credential'],
      user: { id: userId, name: user?.['name'], domain: { id: user?.['domain_id'] } },
      project: { id: project?.id, name: project?.['name'] },
      issued_at: new Date(at).toISOString(),
      expires_at: new Date(expiresAt).toISOString(),
      catalog: catalogOf(state),
    },
  };
  const token = state.newToken();
  state.tokens.set(token, { userId, credentialId, expiresAt, body });
  return { status: 201, headers: { 'x-subject-token': token }, body };
}

const isEnabled = (each: JsonObject) => each['enabled'] !== false;

/** The catalog of enabled services and endpoints. */
function catalogOf({ resources }: IdentityState): JsonObject[] {
  return [...resources.services.values()].filter(isEnabled).map((service) => ({
    id: service.id,
    type: service['type'],
    name: service['name'],
    endpoints: [...resources.endpoints.values()].filter((each) => isEnabled(each) && each['service_id'] === service.id),
  }));
}

/** The token of a request, or an error response when it is not valid. */
export function tokenOf(state: IdentityState, value: string | undefined, at: number): Token | FakeResponse {
  const token = state.tokens.get(value ?? '');
  if (token === undefined || token.expiresAt <= at) return unauthorized;
  const { credentialId } = token;
  // Keystone looks up the credential, and returns the error of that lookup.
  if (credentialId !== undefined && !state.credentials.has(credentialId)) return lost(credentialId);
  return token;
}

function objectAt(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return isObject(value) ? value : {};
}
