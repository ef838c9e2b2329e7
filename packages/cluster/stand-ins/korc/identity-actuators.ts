// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { Domain, User } from '@forge/kube/third-party/korc.ts';
import { collection, driftOf, present, type Actuator, type Work } from './actuator.ts';
import { keyOfSecret } from './dependencies.ts';

const domains = collection('domains', 'domain');
const users = collection('users', 'user');

const domainName = ({ metadata, spec }: Domain) => spec.resource?.name ?? metadata.name;
const userName = ({ metadata, spec }: User) => spec.resource?.name ?? metadata.name;

/** Domains; one with the same name is adopted. */
export const domainActuator: Actuator<Domain> = {
  kind: Domain,
  references: () => [],
  filterReferences: () => [],
  get: ({ identity }, id) => domains.get(identity, id),
  listForImport: ({ identity, object }) => domains.list(identity, { ...object.spec.import?.filter }),
  listForAdoption: ({ identity, object }) => domains.list(identity, { name: domainName(object) }),
  create({ identity, object }) {
    const { description, enabled } = object.spec.resource ?? {};
    return domains.create(identity, { name: domainName(object), ...present({ description, enabled }) });
  },
  async update({ identity, object }, remote) {
    const { description = '', enabled = true } = object.spec.resource ?? {};
    const changes = driftOf({ name: domainName(object), description, enabled }, remote);
    if (changes !== undefined) await domains.update(identity, remote.id, changes);
    return changes !== undefined;
  },
  async delete({ identity }, { id, enabled }) {
    // Keystone refuses to delete an enabled domain.
    if (enabled === true) await identity.call('PATCH', `domains/${id}`, { domain: { enabled: false } });
    await domains.delete(identity, id);
  },
  observe: ({ name, description, enabled }) => present({ name, description, enabled }),
};

/** Users; one with the same name and, if set, domain is adopted. */
export const userActuator: Actuator<User> = {
  kind: User,
  references: ({ spec }) => domainReferences(spec.resource?.domainRef),
  filterReferences: ({ spec }) => domainReferences(spec.import?.filter?.domainRef),
  secrets: ({ spec }) => (spec.resource?.passwordRef === undefined ? [] : [spec.resource.passwordRef]),
  get: ({ identity }, id) => users.get(identity, id),
  listForImport({ identity, object }, dependencies) {
    const { name, domainRef } = object.spec.import?.filter ?? {};
    return users.list(identity, { name, domain_id: dependencies.idOf(Domain, domainRef) });
  },
  listForAdoption({ identity, object }, dependencies) {
    const domain = dependencies.idOf(Domain, object.spec.resource?.domainRef);
    return users.list(identity, { name: userName(object), domain_id: domain });
  },
  async create(work, dependencies) {
    const { description, domainRef, defaultProjectRef, enabled } = work.object.spec.resource ?? {};
    if (defaultProjectRef !== undefined)
      throw new Error('this stand-in does not support Project; remove defaultProjectRef');
    const domain = dependencies.idOf(Domain, domainRef);
    const fields = present({ description, enabled, domain_id: domain, ...(await passwordOf(work)) });
    return await users.create(work.identity, { name: userName(work.object), ...fields });
  },
  async update(work, remote) {
    const { description = '', enabled = true, passwordRef } = work.object.spec.resource ?? {};
    const applied = work.object.status?.resource?.appliedPasswordRef;
    // A user that was just created or adopted keeps its password.
    const isReplaced = work.object.status?.resource !== undefined && applied !== passwordRef;
    const changes = {
      ...driftOf({ name: userName(work.object), description, enabled }, remote),
      ...(isReplaced && (await passwordOf(work))),
    };
    if (Object.keys(changes).length === 0) return false;
    await users.update(work.identity, remote.id, changes);
    return true;
  },
  delete: ({ identity }, { id }) => users.delete(identity, id),
  observe: (remote, { spec }) =>
    present({
      name: remote['name'],
      description: remote['description'],
      domainID: remote['domain_id'],
      defaultProjectID: remote['default_project_id'],
      enabled: remote['enabled'],
      passwordExpiresAt: remote['password_expires_at'],
      appliedPasswordRef: spec.resource?.passwordRef,
    }),
};

const domainReferences = (name: string | undefined) => (name === undefined ? [] : [{ kind: Domain, name }]);

async function passwordOf({ object, context }: Work<User>): Promise<JsonObject> {
  const name = object.spec.resource?.passwordRef;
  if (name === undefined) return {};
  const ref = { namespace: object.metadata.namespace, name };
  const password = await keyOfSecret(ref, 'password', `User secret does not contain "password" key`, context);
  return { password: password.reveal() };
}
