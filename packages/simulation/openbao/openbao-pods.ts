// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { parseLabelSelector } from '@forge/kube/selectors/parse-label-selector.ts';
import { matchesLabels } from '@forge/kube/selectors/selector.ts';
import type { Cache } from '@forge/runtime/cache/cache.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import type { HttpClient, HttpRequest } from '@forge/runtime/http/http-client.ts';
import { outsideHttp } from '../process/outside-http.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { Process, ProcessContext } from '../scenario/scenario.ts';
import { fakeOpenBao, type FakeOpenBao } from './fake-openbao.ts';
import { labelWriter, type LabelWriter } from './label-writer.ts';
import { podConfiguration } from './pod-configuration.ts';
import type { Server } from './server.ts';
import type { Disk } from './state.ts';

/** The OpenBao servers in the pods of a cluster. */
export interface OpenBaoPods {
  /** Starts and ends the servers with their pods, and writes their labels. */
  readonly process: Process;
  /** The servers; undefined before the process has started. */
  readonly servers: FakeOpenBao | undefined;
  /** The server in this pod; undefined when it does not run. */
  serverIn(pod: ObjectRef): Server | undefined;
  /** The disk behind the claim with this uid; undefined before a server has used it. */
  diskOf(claimUid: string): Disk | undefined;
  /** Whether the server in a pod is unsealed. */
  isUnsealed(pod: Pod): boolean;
  /** How long servers take to write a changed label. Default: no time. */
  labelDelay: Duration;
  /** Whether the key server of seals other than static ones answers when a server starts. Default: true. */
  hasKeyServer: boolean;
  /** Called with each request that reaches a server, before it answers. Default: does nothing. */
  onRequest: (request: HttpRequest, server: Server) => void;
  /** The servers as a process reaches them, subject to the faults of its plan. */
  reachedBy(host: ProcessContext): HttpClient;
  /** The same disks, without servers. */
  fork(): OpenBaoPods;
}

const image = /(?:^|\/)openbao\/openbao:v?(\d+\.\d+\.\d+)/;

/** A server and the run of the container that it belongs to. */
interface PodServer {
  readonly run: string;
  readonly server: Server;
  readonly labels: LabelWriter;
}

const keyOf = ({ namespace = '', name }: ObjectRef) => `${namespace}/${name}`;

/** Servers with these disks, by the uid of their claim. */
export function openbaoPods(disks: ReadonlyMap<string, Disk> = new Map()): OpenBaoPods {
  const ownDisks = new Map(structuredClone([...disks]));
  const running = new Map<string, PodServer>();
  let openbao: FakeOpenBao | undefined;

  function end(key: string, how: 'stopped' | 'killed'): void {
    const { server } = running.get(key) ?? {};
    if (server !== undefined) openbao?.end(server, how);
    running.delete(key);
  }

  async function start(
    pod: Pod,
    run: string,
    version: string,
    context: { client: Client; cache: Cache },
    host: ProcessContext,
  ) {
    const { namespace = '', name } = pod.metadata;
    const found = await podConfiguration(pod, context.client);
    const disk = ownDisks.get(found.diskUid) ?? {};
    ownDisks.set(found.diskUid, disk);
    const domain = `${name}.${pod.spec?.subdomain ?? name}.${namespace}.svc`;
    const isStatic = found.sealType === 'static';
    const labels = labelWriter(pod, {
      client: context.client,
      clock: host.lastingClock,
      delay: () => pods.labelDelay,
    });
    const server = openbao?.start({
      ...found,
      api: `https://${domain}:8200`,
      cluster: `${domain}:8201`,
      version,
      disk,
      sealKey: isStatic ? found.sealKey : pods.hasKeyServer ? found.sealType : undefined,
      retryJoin: () => [
        ...found.leaders,
        ...found.selectors.flatMap((selector) => urlsOf(selector, pod, context.cache)),
      ],
      onChange: () => labels.changed(),
    });
    if (server === undefined) return;
    labels.follow(server);
    running.set(keyOf(pod.metadata), { run, server, labels });
  }

  /** The URLs of other ready pods with these labels. */
  function urlsOf(selector: string, own: Pod, cache: Cache): string[] {
    const requirements = parseLabelSelector(selector);
    return cache
      .list(Pod)
      .filter(({ metadata }) => metadata.namespace === own.metadata.namespace && metadata.uid !== own.metadata.uid)
      .filter(({ metadata }) => matchesLabels(requirements, metadata.labels))
      .filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
      .flatMap(({ metadata }) => running.get(keyOf(metadata))?.server.options.api ?? []);
  }

  const controller = (host: ProcessContext): Controller => ({
    name: 'openbao-servers',
    for: Pod,
    async reconcile(ref, context) {
      const pod = context.cache.get(Pod, ref);
      const key = keyOf(ref);
      const version = versionOf(pod);
      const run = pod === undefined || version === undefined ? undefined : runOf(pod);
      const isTerminating = pod?.metadata.deletionTimestamp !== undefined;
      if (running.has(key) && running.get(key)?.run !== run) end(key, isTerminating ? 'stopped' : 'killed');
      if (pod === undefined || version === undefined || run === undefined || running.has(key)) return undefined;
      try {
        await start(pod, run, version, context, host);
      } catch (error) {
        // The kubelet would not have started it.
        if (!isApiError(error, 'NotFound')) throw error;
      }
      return undefined;
    },
  });

  const pods: OpenBaoPods = {
    labelDelay: now,
    hasKeyServer: true,
    get servers() {
      return openbao;
    },
    onRequest: () => {},
    serverIn: (ref) => running.get(keyOf(ref))?.server,
    diskOf: (uid) => ownDisks.get(uid),
    isUnsealed: ({ metadata }) => running.get(keyOf(metadata))?.server.isUnsealed === true,
    reachedBy(host) {
      const send = (request: HttpRequest) => {
        if (openbao === undefined) throw new Error('the process of the servers has not started');
        const server = openbao.at(request.url);
        if (server !== undefined) pods.onRequest(request, server);
        return openbao.reachedBy(host.clock).send(request);
      };
      return outsideHttp(host, 'OpenBao', { send }, isRead);
    },
    fork: () => openbaoPods(ownDisks),
    process: {
      name: 'servers',
      reliable: true,
      start(host) {
        openbao ??= fakeOpenBao({ clock: host.lastingClock, random: host.random });
        for (const { labels } of running.values()) labels.writeWith(host.client);
        return operatorProcess(host.name, () => [controller(host)]).start(host);
      },
    },
  };
  return pods;
}

/** A login counts as a read: a token that nobody received expires. */
function isRead({ method, url }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD' || url.endsWith('/login');
}

function versionOf(pod: Pod | undefined): string | undefined {
  return pod?.spec?.containers
    .map((container) => image.exec(container.image ?? '')?.[1])
    .find((each) => each !== undefined);
}

/** What identifies a run of its containers; undefined when they do not run. */
function runOf({ metadata, status }: Pod): string | undefined {
  const [container] = status?.containerStatuses ?? [];
  if (container?.state?.running === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  return `${metadata.uid} ${container.restartCount}`;
}
