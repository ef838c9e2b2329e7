// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloudOf } from '@forge/cluster/stand-ins/korc/clouds-yaml.ts';
import { IdentityError, identityOf, logIn } from '@forge/cluster/stand-ins/korc/identity.ts';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { CredentialRotation } from '@forge/controlplane/api/credential-rotation.ts';
import { Event, Namespace, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { mount } from '../../openbao/policies.ts';
import { seed } from '../../openbao/seed.ts';
import { progress } from '../../terminal/progress.ts';
import { credentialIn } from '../../up/application-credential.ts';
import { controlPlane, controlPlaneDemo as demo } from '../../up/control-plane-demo.ts';
import { operatorNamespace } from '../../up/install-operator.ts';
import { up, type Up } from '../../up/up.ts';
import { descendantsOf, type HostProcess } from '../forge-process.ts';

/** The namespace of a ControlPlane that is deleted while its Keystone is down. */
export const second = 'two';

/** The names of the ControlPlanes of these tests and of their objects, the same in every namespace. */
export const names = {
  controlPlane: 'controlplane',
  keystone: demo.keystone,
  adminPassword: demo.adminSecret,
  cloudsYaml: 'k-orc-clouds-yaml',
  credential: 'controlplane-admin-app-credential',
  passwordCloud: 'controlplane-admin-password-cloud',
  database: 'openstack-db',
};

/** The paths in OpenBao of credentials that the tests change. */
export const paths = {
  admin: `bootstrap/${demo.namespace}/${names.keystone}/admin`,
  credential: `openstack/keystone/${demo.namespace}/${names.controlPlane}/admin/app-credential`,
};

/** The reference of an object in a namespace; by default, of the ControlPlane. */
export const at = (namespace: string, name: string = names.controlPlane) => ({ namespace, name });

/** The result of a login; `unavailable` when Keystone could not be asked. */
export type Answer = 'accepted' | 'refused' | 'unavailable';

/** A cluster with a ControlPlane, and operations of tests on it. */
export type ControlPlaneCluster = Awaited<ReturnType<typeof controlPlaneCluster>>;

/** Operations of tests on the ControlPlanes of a cluster. */
export type Operations = ReturnType<typeof operations>;

/** Starts the demo in this process, so that tests can stop stand-ins and connect to its network. */
export async function controlPlaneCluster() {
  const stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-e2e-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const ended = new AbortController();
  let output = '';
  const running = await up({
    demo,
    dataDir,
    progress: progress({ write: (text) => void (output += text), clock, colour: false }),
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(15 * 60_000)]),
    without: new Set(),
    onDown: () => ended.abort(),
  }).catch((cause: unknown) => {
    throw new Error(`forge up: ${errorText(cause)}\n${output}`, { cause });
  });
  stack.defer(() => running.stop());
  return { ...running, ...operations(running), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Operations of tests on the ControlPlanes of a cluster. */
export function operations({ client, dial, openbao }: Pick<Up, 'client' | 'dial' | 'openbao'>) {
  const { signal } = new AbortController();
  const http = httpClient({ clock, dial: (host, port, until) => dial(host, port, until) });
  let rotations = 0;

  async function conditionOf(namespace: string, type: string): Promise<Condition | undefined> {
    const { status } = await client.get(ControlPlane, at(namespace));
    return status?.conditions?.find((each) => each.type === type);
  }

  async function isReady(namespace: string): Promise<boolean> {
    const { metadata, status } = await client.get(ControlPlane, at(namespace));
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    return ready?.status === 'True' && ready.observedGeneration === metadata.generation;
  }

  const mirrored = async (namespace: string) =>
    credentialIn(await client.find(Secret, at(namespace, names.cloudsYaml)), 'admin');

  /** Keystone's API as the administrator, by password. */
  async function administrator(namespace: string) {
    const cloud = cloudOf(await client.get(Secret, at(namespace, names.passwordCloud)), 'admin');
    return identityOf(await logIn(cloud, { http, signal }), cloud, { http, signal });
  }

  const self = {
    conditionOf,
    mirrored,
    administrator,

    /** Creates another namespace with a ControlPlane of the same name. */
    async create(namespace: string): Promise<void> {
      await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await seed(openbao, { ...demo, namespace }, { mount, random });
      await client.create(ControlPlane, controlPlane(names.controlPlane, namespace) as ControlPlane);
    },

    async untilReady(namespace: string): Promise<void> {
      try {
        await eventually(`ControlPlane ${namespace} is ready`, () => isReady(namespace));
      } catch (cause) {
        const { status } = await client.get(ControlPlane, at(namespace));
        throw new Error(JSON.stringify(status, undefined, 1), { cause });
      }
    },

    /** Waits until the condition is not True, with one of these reasons. */
    async untilReason(namespace: string, type: string, ...reasons: string[]): Promise<void> {
      let last: Condition | undefined;
      const hasReason = async () => {
        last = await conditionOf(namespace, type);
        return last?.status === 'False' && reasons.includes(last.reason);
      };
      await eventually(`${type} says ${reasons.join(' or ')}`, hasReason).catch((cause: unknown) => {
        throw new Error(`${type} says ${last?.reason}: ${last?.message}`, { cause });
      });
    },

    /** Logs in with the clouds.yaml that consumers get. */
    async login(namespace: string): Promise<Answer> {
      const secret = await client.find(Secret, at(namespace, names.cloudsYaml));
      return secret === undefined ? 'unavailable' : await self.loginWith(secret);
    },

    /** Logs in with a clouds.yaml, whether or not its Secret still exists. */
    async loginWith(secret: Secret): Promise<Answer> {
      try {
        await logIn(cloudOf(secret, 'admin'), { http, signal: AbortSignal.timeout(5000) });
        return 'accepted';
      } catch (error) {
        if (error instanceof IdentityError) return error.status < 500 ? 'refused' : 'unavailable';
        if (error instanceof HttpError) return 'unavailable';
        throw error;
      }
    },

    /** Requests a new application credential. */
    async rotate(namespace: string): Promise<void> {
      const { apiVersion, kind } = CredentialRotation;
      const metadata = at(namespace, `rotation-${(rotations += 1)}`);
      const spec = { target: 'adminApplicationCredential', reMint: true } as const;
      await client.create(CredentialRotation, { apiVersion, kind, metadata, spec });
    },

    /** Waits until consumers have a new credential instead of this one, and it works. */
    async untilRenewed(namespace: string, id: string | undefined): Promise<void> {
      const isRenewed = async () => ![undefined, id].includes((await mirrored(namespace))?.id);
      await eventually(`the credential ${id} is replaced`, isRenewed);
      await self.untilReady(namespace);
      assert.equal(await self.login(namespace), 'accepted');
    },

    /** Names of the application credentials of the ControlPlane in Keystone. */
    async credentials(namespace: string): Promise<{ id: string; name: string }[]> {
      const admin = await administrator(namespace);
      const answer = await admin.call('GET', `users/${admin.userId}/application_credentials`);
      const all = answer['application_credentials'] as { id: string; name: string }[];
      return all.filter(({ name }) => name.startsWith(`${namespace}.${names.controlPlane}.`));
    },

    /** The count of Events with this reason about the ControlPlane. */
    async eventsOf(namespace: string, reason: string): Promise<number> {
      const { items } = await client.list(Event, { namespace });
      const own = items.filter((each) => each.reason === reason && each.involvedObject.kind === ControlPlane.kind);
      return own.reduce((sum, { count = 1 }) => sum + count, 0);
    },

    async contentAt(path: string): Promise<Record<string, string>> {
      const found = (await openbao.call('GET', `${mount}/data/${path}`))?.['data'] as { data: Record<string, string> };
      return found.data;
    },

    /** Kills an operator at any point and replaces its pod, which avoids the back-off of a crash loop. */
    async kill(program: OperatorProgram): Promise<void> {
      await eventually(`${program} runs`, async () => (await processesOf(program)).length > 0);
      for (const { pid } of await processesOf(program)) process.kill(pid, 'SIGKILL');
      const labelSelector = `app.kubernetes.io/name=${program}`;
      const { items } = await client.list(Pod, { namespace: operatorNamespace, labelSelector });
      for (const { metadata } of items) await client.delete(Pod, metadata);
    },

    async scale(kind: Kind, ref: { namespace: string; name: string }, replicas: number): Promise<void> {
      await client.patch(kind, ref, 'merge', { spec: { replicas } });
    },

    write: (path: string, data: Record<string, string>) => openbao.call('PUT', `${mount}/data/${path}`, { data }),
  };
  return self;
}

/** An operator by the name of its program, its Deployment and its container image. */
export type OperatorProgram = 'keystone-operator' | 'c5c3-operator';

/** Processes of an operator in the cluster of this process. */
async function processesOf(program: OperatorProgram): Promise<HostProcess[]> {
  const pattern = new RegExp(`^\\S*node /opt/program/${program}\\.mjs`);
  return (await descendantsOf(process.pid)).filter(({ args }) => pattern.test(args));
}
