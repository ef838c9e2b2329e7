// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import {
  collections,
  failure,
  setPassword,
  type CollectionName,
  type FakeResponse,
  type IdentityState,
  type Resource,
} from './fake-state.ts';
import { issueToken, tokenOf, type Token } from './fake-tokens.ts';

/** A request to a Keystone. */
interface FakeRequest {
  method: string;
  /** Without `/v3`. */
  path: string;
  query: URLSearchParams;
  token: string | undefined;
  subject: string | undefined;
  body: JsonObject;
  at: number;
}

/** Fields that are unique in Keystone; services and endpoints have none. */
const uniqueBy: Readonly<Partial<Record<CollectionName, readonly string[]>>> = {
  domains: ['name'],
  roles: ['name'],
  projects: ['name', 'domain_id'],
  users: ['name', 'domain_id'],
};

const forbidden = failure(403, 'You are not authorized to perform the requested action.');
const conflict = (what: string) =>
  failure(409, `Conflict occurred attempting to store ${what} - Duplicate entry found.`);
const notFound = (what: string, id: string) => failure(404, `Could not find ${what}: ${id}.`);

/** The response of Keystone. */
export function respond(state: IdentityState, request: FakeRequest): FakeResponse {
  const { method, path } = request;
  if (path === '') return { status: 200, body: { version: { id: 'v3.14', status: 'stable' } } };
  if (method === 'POST' && path === '/auth/tokens') return issueToken(state, request.body, request.at);
  const token = tokenOf(state, request.token, request.at);
  if ('status' in token) return token;
  if (path === '/auth/tokens') {
    const subject = tokenOf(state, request.subject, request.at);
    return 'status' in subject ? subject : { status: 200, body: subject.body };
  }
  const [, name = '', id, part, credentialId] = path.split('/');
  if (name === 'users' && id !== undefined && part === 'application_credentials') {
    return respondCredentials(state, request, token, id, credentialId);
  }
  if (!Object.hasOwn(collections, name)) return failure(404, 'The resource could not be found.');
  if (!state.admins.has(token.userId)) return forbidden;
  return respondCollection(state, request, name as CollectionName, id);
}

function respondCollection(
  state: IdentityState,
  { method, query, body }: FakeRequest,
  name: CollectionName,
  id: string | undefined,
): FakeResponse {
  const item = collections[name];
  const stored = state.resources[name];
  const sent = isObject(body[item]) ? body[item] : {};
  if (id === undefined) {
    if (method === 'POST') return create(state, name, sent);
    const matches = (each: Resource) => [...query].every(([field, value]) => String(each[field]) === value);
    return { status: 200, body: { [name]: [...stored.values()].filter(matches) } };
  }
  const found = stored.get(id);
  if (found === undefined) return notFound(item, id);
  switch (method) {
    case 'DELETE':
      return remove(state, name, found);
    case 'PATCH':
      return { status: 200, body: { [item]: store(state, name, { ...found, ...sent }) } };
    default:
      return { status: 200, body: { [item]: found } };
  }
}

function create(state: IdentityState, name: CollectionName, sent: JsonObject): FakeResponse {
  const defaults = {
    enabled: true,
    description: '',
    ...(['users', 'projects'].includes(name) && { domain_id: 'default' }),
  };
  const created = { ...defaults, ...sent, id: state.newId() };
  const fields = uniqueBy[name];
  const isTaken = (each: Resource) => fields?.every((field) => each[field] === (created as JsonObject)[field]);
  if (fields !== undefined && [...state.resources[name].values()].some(isTaken)) return conflict(collections[name]);
  return { status: 201, body: { [collections[name]]: store(state, name, created) } };
}

/** Stores a resource, and its password separately. */
function store(state: IdentityState, name: CollectionName, { password, ...resource }: Resource): JsonObject {
  state.resources[name].set(resource.id, resource);
  if (typeof password === 'string') setPassword(state, resource.id, password);
  return resource;
}

function remove(
  { resources, credentials }: IdentityState,
  name: CollectionName,
  { id, enabled }: Resource,
): FakeResponse {
  if (name === 'domains' && enabled !== false) {
    return failure(403, 'Cannot delete a domain that is enabled, please disable it first.');
  }
  resources[name].delete(id);
  for (const [key, { service_id: service }] of resources.endpoints) {
    if (service === id) resources.endpoints.delete(key);
  }
  for (const [key, { userId }] of credentials) if (userId === id) credentials.delete(key);
  return { status: 204 };
}

function respondCredentials(
  state: IdentityState,
  { method, query, body }: FakeRequest,
  token: Token,
  userId: string,
  id: string | undefined,
): FakeResponse {
  const isOwner = token.userId === userId;
  if (!isOwner && !state.admins.has(token.userId)) return forbidden;
  if (!state.resources.users.has(userId)) return notFound('user', userId);
  const owned = [...state.credentials].filter(([, each]) => each.userId === userId);
  const found = owned.find(([key]) => key === id)?.[1];
  if (method === 'GET' && id === undefined) {
    const name = query.get('name');
    const shown = owned.map(([, each]) => each.shown).filter((each) => name === null || each['name'] === name);
    return { status: 200, body: { application_credentials: shown } };
  }
  if (id !== undefined && found === undefined) return notFound('Application Credential', id);
  if (method === 'GET') return { status: 200, body: { application_credential: found?.shown } };
  // Allowed only for the owner, unless logged in with a restricted credential.
  const login = token.credentialId === undefined ? undefined : state.credentials.get(token.credentialId);
  if (!isOwner || (login !== undefined && login.shown['unrestricted'] !== true)) return forbidden;
  if (method === 'DELETE') {
    state.credentials.delete(id ?? '');
    return { status: 204 };
  }
  const { secret, ...sent } = isObject(body['application_credential']) ? body['application_credential'] : {};
  if (owned.some(([, { shown }]) => shown['name'] === sent['name'])) return conflict('application_credential');
  const project = [...state.resources.projects.values()][0];
  const roles = [...state.resources.roles.values()].map((role) => ({ id: role.id, name: role['name'] }));
  const shown = { description: null, unrestricted: false, project_id: project?.id, roles, ...sent, id: state.newId() };
  state.credentials.set(shown.id, { userId, secret: String(secret), shown });
  return { status: 201, body: { application_credential: { ...shown, secret } } };
}
