// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { Namespace, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { apiPort, componentLabel, components, namesOf } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { openbaoFixture } from '../openbao-fixture.ts';

type Spec = Partial<OpenBaoCluster['spec']>;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly token?: string;
}

/** An OpenBaoCluster on a cluster of real processes, and the API of its servers. */
export interface LiveOpenBao {
  readonly cluster: OperatorCluster;
  readonly ref: { readonly namespace: string; readonly name: string };
  readonly names: ReturnType<typeof namesOf>;
  create(spec?: Spec): Promise<void>;
  get(): Promise<OpenBaoCluster>;
  change(spec: object): Promise<void>;
  /** `True AllReplicasReady: 3 of 3 pods are ready`. */
  condition(type: string): Promise<string>;
  /** Waits until a condition reads like this. */
  until(type: string, text: string | RegExp, minutes?: number): Promise<string>;
  /** Waits until all pods are ready, one of them leads, and nothing is wrong. */
  untilSettled(): Promise<void>;
  /** The same, and every server of the spec is a voter. */
  untilVoters(): Promise<void>;
  pods(): Promise<Pod[]>;
  secret(name: string): Promise<Record<string, string>>;
  rootToken(): Promise<string>;
  /** Calls the API of a pod, or of a Service by its name. */
  call(host: string, call: Call): Promise<Answer>;
  /** Stores a word. */
  write(key: string, word: string, host?: string): Promise<void>;
  /** The word that a server has. */
  read(key: string, host: string): Promise<string | undefined>;
  /** The keys of all words that a server has. */
  keys(host: string): Promise<Set<string>>;
}

/** How long one change may take on a busy machine. */
export const patience = { minutes: 3 };
const { signal } = new AbortController();

/** The OpenBaoCluster of this name, in a namespace of the same name. */
export async function liveOpenBao(cluster: OperatorCluster, name: string): Promise<LiveOpenBao> {
  const { client, node } = cluster;
  const ref = { namespace: name, name };
  const names = namesOf({ metadata: ref });
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const hostOf = (host: string) => (/-\d+$/.test(host) ? `${host}.${names.headlessService}` : host);
  const observed = { ...patience, observed: () => stateOf(live) };

  let ca = '';
  // Like a file of a pod, it stays when somebody deletes the Secret.
  const readAuthority = async () => {
    const { data = {} } = (await client.find(Secret, { namespace: name, name: names.caSecret })) ?? {};
    if (data['ca.crt'] !== undefined) ca = Buffer.from(data['ca.crt'], 'base64').toString();
  };

  const live: LiveOpenBao = {
    cluster,
    ref,
    names,
    async create(spec = {}) {
      await client.create(OpenBaoCluster, {
        ...openbaoFixture({ service: { type: 'ClusterIP' }, ...spec }),
        metadata: ref,
      });
    },
    get: () => client.get(OpenBaoCluster, ref),
    async change(spec) {
      await client.patch(OpenBaoCluster, ref, 'merge', { spec });
    },
    async condition(type) {
      const { status } = await live.get();
      const found = status?.conditions?.find((each) => each.type === type);
      return found === undefined ? '' : `${found.status} ${found.reason}: ${found.message}`;
    },
    until: (type, text, minutes = patience.minutes) =>
      eventually(
        `${type} of ${name} is ${text}`,
        async () => {
          const said = await live.condition(type);
          return (typeof text === 'string' ? said.includes(text) : text.test(said)) && said;
        },
        { ...observed, minutes },
      ),
    async untilSettled() {
      await eventually(
        `${name} is settled`,
        async () => {
          const { spec, status } = await live.get();
          const isReady = status?.readyReplicas === spec.replicas && status.activeLeader !== undefined;
          return isReady && (await live.condition('Degraded')).startsWith('False');
        },
        observed,
      );
    },
    async untilVoters() {
      await live.untilSettled();
      await eventually(
        `all servers of ${name} are voters`,
        async () => (await votersOf(live)).length === (await live.get()).spec.replicas,
        observed,
      );
    },
    async pods() {
      const labelSelector = `${componentLabel}=${components.server}`;
      const { items } = await client.list(Pod, { namespace: name, labelSelector });
      return items;
    },
    async secret(secret) {
      const { data = {} } = await client.get(Secret, { namespace: name, name: secret });
      const decoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
      return Object.fromEntries(decoded) as Record<string, string>;
    },
    rootToken: async () => (await live.secret(names.rootTokenSecret))['token'] ?? assert.fail('no root token'),
    async call(host, { method = 'GET', path, body, token }) {
      await readAuthority();
      const http = httpClient({ clock, ca, dial: (...target) => node.dial(...target) });
      const response = await http.send({
        method,
        url: `https://${hostOf(host)}.${name}.svc:${apiPort}/v1/${path}`,
        headers: { 'x-vault-request': 'true', ...(token !== undefined && { 'x-vault-token': token }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        deadline: seconds(10),
        signal,
      });
      const text = response.body.toString();
      return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
    },
    async write(key, word, host = names.publicService) {
      const token = await live.rootToken();
      const { status, body } = await live.call(host, { method: 'PUT', path: `kv/${key}`, body: { word }, token });
      assert.equal(status, 204, JSON.stringify(body));
    },
    async read(key, host) {
      const { body } = await live.call(host, { path: `kv/${key}`, token: await live.rootToken() });
      return (body['data'] as { word?: string } | null | undefined)?.word;
    },
    async keys(host) {
      const { body } = await live.call(host, { path: 'kv?list=true', token: await live.rootToken() });
      return new Set((body['data'] as { keys?: string[] } | null | undefined)?.keys);
    },
  };
  return live;
}

/** The members that vote, as the leader knows them. */
async function votersOf(bao: LiveOpenBao): Promise<string[]> {
  const { status } = await bao.get();
  const path = 'sys/storage/raft/configuration';
  const leader = status?.activeLeader ?? bao.names.pod(0);
  const { body } = await bao.call(leader, { path, token: await bao.rootToken() });
  type Configuration = { data?: { config: { servers: { node_id: string; voter: boolean }[] } } };
  const { servers } = (body as Configuration).data?.config ?? { servers: [] };
  return servers.flatMap(({ node_id: id, voter }) => (voter ? [id] : [])).toSorted();
}

/** What a wait that fails shows. */
async function stateOf(bao: LiveOpenBao): Promise<unknown> {
  const { status } = await bao.get();
  const pods = (await bao.pods()).map(({ metadata, status: pod }) => ({
    name: metadata.name,
    labels: metadata.labels,
    phase: pod?.phase,
    conditions: pod?.conditions?.map(({ type, status: is, message = '' }) => `${type} ${is} ${message}`),
    containers: pod?.containerStatuses?.map(({ state, lastState, restartCount }) => ({
      state,
      lastState,
      restartCount,
    })),
  }));
  return { status, pods };
}
