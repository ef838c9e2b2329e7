// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { secret } from './secret-objects.ts';

const apiVersion = 'openstack.k-orc.cloud/v1alpha1';
const namespace = 'default';
/** The host of the Keystone of these tests. */
export const host = 'keystone.default.svc';

/** Its URL. */
export const authUrl = `http://${host}:5000/v3`;

/** The password of its administrator. */
export const adminPassword = 'first';

/** A clouds.yaml with one entry `admin`, which logs in by password unless `auth` overrides it. */
export function cloudsYaml(auth: object = {}, entry: object = {}): string {
  const { application_credential_id: credential } = auth as Record<string, string>;
  const byPassword = {
    username: 'admin',
    password: adminPassword,
    project_name: 'admin',
    user_domain_name: 'Default',
    project_domain_name: 'Default',
  };
  const login = { auth_url: authUrl, ...(credential === undefined && byPassword), ...auth };
  return JSON.stringify({
    clouds: { admin: { auth: login, region_name: 'RegionOne', endpoint_type: 'internal', ...entry } },
  });
}

/** A Secret `clouds` with such a document. */
export function clouds(document = cloudsYaml(), name = 'clouds'): Secret {
  return secret(name, { 'clouds.yaml': document });
}

const cloudCredentialsRef = { secretName: 'clouds', cloudName: 'admin' };
const metadata = (name: string) => ({ namespace, name });
const unmanaged = { cloudCredentialsRef, managementPolicy: 'unmanaged' } as const;

/** The import of the default domain. */
export function domain(
  spec: Partial<Domain['spec']> = { ...unmanaged, import: { filter: { name: 'Default' } } },
): Domain {
  return { apiVersion, kind: 'Domain', metadata: metadata('default'), spec: { cloudCredentialsRef, ...spec } };
}

/** The import of the administrator. */
export function user(
  spec: Partial<User['spec']> = { ...unmanaged, import: { filter: { name: 'admin', domainRef: 'default' } } },
): User {
  return { apiVersion, kind: 'User', metadata: metadata('admin'), spec: { cloudCredentialsRef, ...spec } };
}

/** An application credential of the administrator, with the secret of `mint`. */
export function applicationCredential(
  resource: Partial<NonNullable<ApplicationCredential['spec']['resource']>> = {},
  spec: Partial<ApplicationCredential['spec']> = {},
): ApplicationCredential {
  return {
    apiVersion,
    kind: 'ApplicationCredential',
    metadata: metadata('credential'),
    spec: { cloudCredentialsRef, resource: { userRef: 'admin', secretRef: 'mint', ...resource }, ...spec },
  };
}

/** The service of Keystone itself, as bootstrapped. */
export function service(
  resource: Partial<NonNullable<Service['spec']['resource']>> = {},
  spec: Partial<Service['spec']> = {},
): Service {
  return {
    apiVersion,
    kind: 'Service',
    metadata: metadata('identity'),
    spec: { cloudCredentialsRef, resource: { type: 'identity', name: 'keystone', ...resource }, ...spec },
  };
}

/** Its public endpoint. */
export function endpoint(
  resource: Partial<NonNullable<Endpoint['spec']['resource']>> = {},
  spec: Partial<Endpoint['spec']> = {},
): Endpoint {
  return {
    apiVersion,
    kind: 'Endpoint',
    metadata: metadata('public'),
    spec: {
      cloudCredentialsRef,
      resource: { interface: 'public', url: authUrl, serviceRef: 'identity', ...resource },
      ...spec,
    },
  };
}
