// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Service as KubeService, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { logger, terminalLine } from '@forge/runtime/observability/logger.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { isTrue } from '../../objects/with-condition.ts';
import { startStandIn } from '../start-stand-in.ts';
import { keystonePod, keystoneService } from '../test/keystone-pod.ts';
import { at } from '../test/korc-cluster.ts';
import { applicationCredential, clouds, cloudsYaml, domain, endpoint, service, user } from '../test/korc-objects.ts';
import { secret } from '../test/secret-objects.ts';
import { collection } from './actuator.ts';
import { cloudOf } from './clouds-yaml.ts';
import { identityOf, logIn, type Identity } from './identity.ts';
import type { KorcObject } from './korc-object.ts';
import { korc } from './korc.ts';

const compute = { name: 'nova', type: 'compute' };
const url = 'http://nova.default.svc:8774/v2.1';

describe('K-ORC on a real Keystone', () => {
  let cluster: ProcessCluster;
  let operator: AsyncDisposable;
  const { signal } = new AbortController();
  const http = httpClient({ clock, dial: (host, port, until) => cluster.node.dial(host, port, until) });

  before(async () => {
    cluster = await processCluster();
    const { client } = cluster;
    await client.create(KubeService, keystoneService);
    await client.create(Pod, keystonePod);
    const log = logger({ clock, level: 'error', write: (entry) => console.error(terminalLine(entry)) });
    operator = await startStandIn(
      korc(() => http, clock),
      { client, clock, random, log },
    );
    const isReady = async () => isTrue((await client.get(Pod, keystonePod.metadata)).status?.conditions, 'Ready');
    await eventually('Keystone is ready', isReady);
  });

  after(async () => {
    await operator[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  /** Logs in to Keystone with a clouds.yaml. */
  async function login(document = cloudsYaml()): Promise<Identity> {
    const cloud = cloudOf(clouds(document), 'admin');
    return identityOf(await logIn(cloud, { http, signal }), cloud, { http, signal });
  }

  async function isAvailable<T extends KorcObject>(kind: Kind<T>, name: string): Promise<boolean> {
    return isTrue((await cluster.client.get(kind, at(name))).status?.conditions, 'Available');
  }

  async function idOf<T extends KorcObject>(kind: Kind<T>, name: string): Promise<string> {
    return (await cluster.client.get(kind, at(name))).status?.id ?? assert.fail(`${kind.kind} ${name} has no id`);
  }

  async function create<T extends KorcObject>(kind: Kind<T>, object: T): Promise<void> {
    await cluster.client.create(kind, object);
    await eventually(`${kind.kind} is available`, () => isAvailable(kind, object.metadata.name));
  }

  async function remove(kind: Kind, name: string): Promise<void> {
    await cluster.client.delete(kind, at(name));
    await eventually(`${kind.kind} is gone`, async () => (await cluster.client.find(kind, at(name))) === undefined);
  }

  test('imports, creates, adopts and changes resources, and deletes those that it manages', async () => {
    const { client } = cluster;
    await client.create(Secret, clouds());
    await client.create(Secret, secret('mint', { value: 's3cret-of-the-application' }));
    await create(Domain, domain());
    await create(User, user());
    const admin = await login();
    assert.equal(await idOf(Domain, 'default'), 'default');
    assert.equal(await idOf(User, 'admin'), admin.userId);

    await create(
      ApplicationCredential,
      applicationCredential({ name: 'default.cp.0123456789ab', unrestricted: false }),
    );
    const id = await idOf(ApplicationCredential, 'credential');
    const auth = { application_credential_id: id, application_credential_secret: 's3cret-of-the-application' };
    const byCredential = await login(cloudsYaml(auth));
    assert.equal(byCredential.userId, admin.userId);

    const services = collection('services', 'service');
    const endpoints = collection('endpoints', 'endpoint');
    const [bootstrapped] = await services.list(admin, { type: 'identity' });
    await create(Service, service({}, { managedOptions: { onDelete: 'detach' } }));
    await create(Endpoint, endpoint({}, { managedOptions: { onDelete: 'detach' } }));
    assert.equal(await idOf(Service, 'identity'), bootstrapped?.id);
    assert.equal((await services.list(admin, {})).length, 1);
    assert.equal((await endpoints.list(admin, {})).length, 3);

    await create(Service, { ...service(compute), metadata: at('compute') });
    await create(Endpoint, { ...endpoint({ url, serviceRef: 'compute' }), metadata: at('compute') });
    const created = await idOf(Endpoint, 'compute');
    await client.patch(Endpoint, at('compute'), 'merge', { spec: { resource: { url: `${url}/` } } });
    await eventually('the URL is changed', async () => (await endpoints.get(admin, created))?.['url'] === `${url}/`);

    await remove(Endpoint, 'compute');
    await remove(Service, 'compute');
    await remove(Endpoint, 'public');
    await remove(Service, 'identity');
    assert.deepEqual(
      (await services.list(admin, {})).map((each) => each['name']),
      ['keystone'],
    );
    assert.equal((await endpoints.list(admin, {})).length, 3);

    await remove(ApplicationCredential, 'credential');
    await assert.rejects(login(cloudsYaml(auth)), { status: 404, message: /Could not find Application Credential/ });
    // The response to an unexpired token is the same.
    await assert.rejects(byCredential.call('GET', 'services'), { status: 404 });
    await remove(User, 'admin');
    await remove(Domain, 'default');
    await login();
    await remove(Secret, 'clouds');
  });
});
