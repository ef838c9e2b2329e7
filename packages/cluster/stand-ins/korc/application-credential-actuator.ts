// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { ApplicationCredential, Service, User } from '@forge/kube/third-party/korc.ts';
import { collection, present, type Actuator, type Remote, type Work } from './actuator.ts';
import { keyOfSecret, type Dependencies } from './dependencies.ts';
import type { Identity } from './identity.ts';

const users = collection('users', 'user');
const credentialsOf = (userId: string) =>
  collection(`users/${userId}/application_credentials`, 'application_credential');

const credentialName = ({ metadata, spec }: ApplicationCredential) => spec.resource?.name ?? metadata.name;

/**
 * Application credentials; one with the same user, name and, if set, description is adopted. The secret is read only
 * when one is created.
 */
export const applicationCredentialActuator: Actuator<ApplicationCredential> = {
  kind: ApplicationCredential,
  references({ spec }) {
    const { userRef, accessRules = [] } = spec.resource ?? {};
    const services = accessRules.flatMap(({ serviceRef }) => (serviceRef === undefined ? [] : [serviceRef]));
    return [...userReferences(userRef), ...services.map((name) => ({ kind: Service, name }))];
  },
  filterReferences: ({ spec }) => userReferences(spec.import?.filter?.userRef),
  deleteReferences: ({ spec }) => userReferences(spec.resource?.userRef),
  secrets: ({ spec }) => (spec.resource === undefined ? [] : [spec.resource.secretRef]),
  get: ({ identity }, id) => findCredential(identity, id),
  listForImport({ identity, object }, dependencies) {
    const { userRef, name, description } = object.spec.import?.filter ?? {};
    return listCredentials(identity, dependencies.idOf(User, userRef), name, description);
  },
  listForAdoption({ identity, object }, dependencies) {
    const { userRef, description } = object.spec.resource ?? {};
    return listCredentials(identity, dependencies.idOf(User, userRef), credentialName(object), description);
  },
  async create(work, dependencies) {
    const { userRef, description, unrestricted = false, expiresAt, roleRefs } = work.object.spec.resource ?? {};
    if (roleRefs !== undefined) throw new Error('this stand-in does not support Role; remove roleRefs');
    const secret = await secretOf(work);
    const optional = present({
      description,
      expires_at: expiresAt,
      access_rules: accessRulesOf(work.object, dependencies),
    });
    const body = { name: credentialName(work.object), unrestricted, secret, ...optional };
    return await credentialsOf(dependencies.idOf(User, userRef) ?? '').create(work.identity, body);
  },
  async delete({ identity, object }, { id }, dependencies) {
    await credentialsOf(dependencies.idOf(User, object.spec.resource?.userRef) ?? '').delete(identity, id);
  },
  observe: (remote) => {
    const { name, description, unrestricted, project_id: projectID, expires_at: expiresAt } = remote;
    const roles = listOf(remote['roles']).map((role) =>
      present({ name: role['name'], id: role['id'], domainID: role['domain_id'] }),
    );
    const rules = listOf(remote['access_rules']).map(({ id, path, method, service }) =>
      present({ id, path, method, service }),
    );
    return present({
      name,
      description,
      unrestricted,
      projectID,
      expiresAt,
      ...(roles.length > 0 && { roles }),
      ...(rules.length > 0 && { accessRules: rules }),
    });
  },
};

const userReferences = (name: string | undefined) => (name === undefined ? [] : [{ kind: User, name }]);

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Like K-ORC, searches among those of the logged-in user, then of all users; any error means that it was not found. */
async function findCredential(identity: Identity, id: string): Promise<Remote | undefined> {
  const find = (userId: string) =>
    credentialsOf(userId)
      .get(identity, id)
      .catch(() => undefined);
  const own = await find(identity.userId);
  if (own !== undefined) return own;
  for (const user of await users.list(identity, {}).catch(() => [])) {
    const found = await find(user.id);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function listCredentials(
  identity: Identity,
  userId = '',
  name: string | undefined,
  description: string | undefined,
): Promise<Remote[]> {
  const listed = await credentialsOf(userId).list(identity, { name });
  return listed.filter((each) => description === undefined || each['description'] === description);
}

async function secretOf({ object, context }: Work<ApplicationCredential>): Promise<string> {
  const ref = { namespace: object.metadata.namespace, name: object.spec.resource?.secretRef ?? '' };
  const missing = 'Application credential secret does not contain "value" key';
  return (await keyOfSecret(ref, 'value', missing, context)).reveal();
}

/** The rules in Keystone's form, with the types of services. */
function accessRulesOf({ spec }: ApplicationCredential, dependencies: Dependencies): JsonObject[] | undefined {
  return spec.resource?.accessRules?.map(({ path, method, serviceRef }) => {
    const service = serviceRef === undefined ? {} : dependencies.observed(Service, serviceRef);
    return present({ path, method, service: 'type' in service ? service.type : undefined });
  });
}
