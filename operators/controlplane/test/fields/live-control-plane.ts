// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { Service } from '@forge/kube/third-party/korc.ts';
import { identityApi } from '@forge/openstack/identity-api.ts';
import { rememberedLogins } from '@forge/openstack/remembered-logins.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { liveResource, type LiveResource } from '@forge/simulation/fields/live-resource.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { ProcessContext } from '@forge/simulation/scenario/scenario.ts';
import { environment, standInKinds, type Environment } from '@forge/simulation/world/environment.ts';
import { settledCluster } from '@forge/simulation/world/settled-cluster.ts';
import { controlPlaneAdmission } from '../../admission/admission.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { passwordDocument } from '../../objects/credential/clouds-yaml.ts';
import { controlPlaneController } from '../../reconcile.ts';
import { controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { passwords, paths } from '../neighbours.ts';
import { playedKeystoneOperator } from '../played-keystone.ts';
import { secret } from '../start-control-plane-operator.ts';
import { ruledService } from './complete-control-planes.ts';

const { namespace } = home;

/** Every neighbour of a ControlPlane, a secret store with its credentials, and its Keystone. */
function neighbours(): Environment {
  const all = environment({ standIns: ['external-secrets', 'mariadb-operator', 'memcached-operator', 'korc'] });
  all.vault.write(paths.database, { username: 'keystone', password: passwords.database });
  all.vault.write(paths.adminPassword, { password: passwords.admin });
  all.keystones.at(`${home.name}-keystone.${namespace}.svc`).bootstrap({ password: passwords.admin });
  return all;
}

/** What a user creates before, or beside, a ControlPlane. */
async function createPrerequisites(user: Client): Promise<void> {
  await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await user.create(ClusterSecretStore, {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: defaultSecretStore },
    spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
  });
  await user.create(Secret, secret('keystone-db', { username: 'keystone', password: passwords.database }));
  await user.create(Secret, secret('keystone-admin', { password: passwords.admin }));
  const login = passwordDocument(controlPlaneFixture(), new SecretValue(passwords.admin)).reveal();
  await user.create(Secret, secret('user-cloud', { 'clouds.yaml': login }));
  await user.create(Service, {
    apiVersion: 'openstack.k-orc.cloud/v1alpha1',
    kind: 'Service',
    metadata: { namespace, name: ruledService },
    spec: {
      managementPolicy: 'managed',
      cloudCredentialsRef: { secretName: 'user-cloud', cloudName: 'admin' },
      resource: { type: 'compute', name: 'nova', enabled: true },
    },
  });
}

/** A ControlPlane with its operator, its webhooks and its neighbours, at rest. */
export async function liveControlPlane(resource: ControlPlane): Promise<LiveResource<ControlPlane>> {
  const around = neighbours();
  const from = await settledCluster(
    { kinds: [ControlPlane, Keystone, ...standInKinds], setUp: createPrerequisites },
    around,
  );
  const { controllers: keystoneControllers, backoff } = playedKeystoneOperator();
  return liveResource({
    from,
    environment: around,
    kind: ControlPlane,
    resource,
    admission: controlPlaneAdmission,
    controllers: (host) => controllersIn(host, around),
    processes: [operatorProcess('keystone', () => keystoneControllers, { backoff })],
    // Above the rechecks of what is not ready.
    settleTime: seconds(20),
  });
}

function controllersIn({ clock }: ProcessContext, { keystones }: Environment) {
  const identity = rememberedLogins(identityApi({ http: keystones.reachedBy(clock), clock }), clock);
  return [controlPlaneController({ reading: { secretStore: defaultSecretStore, identity }, acting: { identity } })];
}
