// SPDX-License-Identifier: Apache-2.0
import { brokenConnection } from '@forge/apiserver/faults/break-connection.ts';
import type { Payload } from '@forge/apiserver/payload.ts';
import type { Handle, ServerRequest, ServerResponse } from '@forge/apiserver/server-request.ts';
import type { Lease } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import { maxSilence } from '@forge/runtime/cache/inactivity-timer.ts';
import type { Delay } from '../faults/plan.ts';
import { disturbance, type RequestFault } from './disturbance.ts';
import { never, type Life } from './life.ts';
import type { Stage } from './stage.ts';

/**
 * The server as one life of a process reaches it: every request, answer and event waits for its turn, and meets the
 * faults the plan has for it.
 */
export function line(life: Life, stage: Stage): Handle {
  const { server, faults, scheduler } = stage;
  const meet = <C extends Parameters<typeof faults.meet>[1]>(what: C) => faults.meet<C>(life.process, what);

  /** What meets this request; renewals of Leases go on as time does, and are not counted. */
  function met(request: ServerRequest): readonly RequestFault[] {
    if (isLease(request)) return [];
    if (isWatch(request)) return meet('watch');
    const special = isWrite(request) ? meet('write') : isList(request) ? meet('list') : [];
    return [...special, ...meet('request')];
  }

  function learn({ metadata }: { metadata: Partial<ObjectMeta> }): void {
    life.known = Math.max(life.known, Number(metadata.resourceVersion ?? 0));
  }

  async function* told(events: AsyncIterable<Payload>, request: ServerRequest): AsyncGenerator<Payload> {
    life.watches += 1;
    try {
      yield* heard(events, request);
    } finally {
      life.watches -= 1;
    }
    if (life.died.aborted) await never();
  }

  async function* heard(events: AsyncIterable<Payload>, { path, signal }: ServerRequest): AsyncGenerator<Payload> {
    for await (const event of events) {
      const { type, object } = event.value as { type: string; object: { metadata: Partial<ObjectMeta> } };
      const revision = Number(object.metadata.resourceVersion);
      const since = (delay: Delay) => life.held[delay].get(path) ?? Infinity;
      let held = () => revision >= Math.min(since('lag'), since('hold'));
      for (const { fault } of type === 'BOOKMARK' ? [] : meet('event')) {
        if (fault === 'lag' || fault === 'hold') life.held[fault].set(path, Math.min(revision, since(fault)));
        else if (fault === 'hang') {
          held = () => true;
          stage.stir(scheduler.now() + maxSilence);
        } else {
          if (fault === 'expire') server.store.compact(server.store.current.revision);
          throw brokenConnection();
        }
      }
      await life.turn(`hears ${type} ${path} ${object.metadata.name ?? ''}`, { signal, held });
      learn(object);
      yield event;
    }
  }

  return async (request) => {
    const { method, path, signal } = request;
    const said = isWatch(request) ? 'WATCH' : method;
    const began = scheduler.now();
    checkLease(life, request, stage);
    const disturbances = met(request).map((fault) => disturbance(fault, life, stage));
    await life.turn(`sends ${said} ${path}`, { signal });
    const listening = isWatch(request) ? { signal: AbortSignal.any([life.died, ...(signal ? [signal] : [])]) } : {};
    const answer = await disturbances.reduce<Handle>(
      (next, disturb) => (passed) => disturb(passed, next),
      server.handle,
    )({ ...request, ...listening });
    noteLease(life, request, answer, began);
    await life.turn(`gets ${answer.status} for ${said} ${path}`, { signal });
    if ('payload' in answer && answer.status < 300 && isWrite(request)) learn(answer.payload.value as KubeObject);
    return 'events' in answer ? { ...answer, events: told(answer.events, request) } : answer;
  };
}

/** Who asked for a Lease may write nothing else unless it holds one. */
function checkLease(life: Life, request: ServerRequest, { scheduler, fail }: Stage): void {
  if (isElection(request)) life.leads ??= -Infinity;
  else if (isWrite(request) && !isLease(request) && life.leads !== undefined && scheduler.now() >= life.leads) {
    fail(`${life.name} sends ${request.method} ${request.path} without holding its Lease`);
  }
}

function noteLease(life: Life, request: ServerRequest, answer: ServerResponse, began: number): void {
  if (!isElection(request) || !isWrite(request) || answer.status >= 300 || !('payload' in answer)) return;
  const { holderIdentity = '', leaseDurationSeconds = 0 } = (answer.payload.value as Lease).spec ?? {};
  life.leads = holderIdentity === '' ? -Infinity : began + leaseDurationSeconds * 1000;
}

function isLease({ path }: ServerRequest): boolean {
  return path.startsWith('/apis/coordination.k8s.io/');
}

/** Whether it is about the Lease of an election, not about a node's. */
function isElection({ path }: ServerRequest): boolean {
  return /^\/apis\/coordination\.k8s\.io\/v1\/namespaces\/(?!kube-node-lease\/)/.test(path);
}

function isWrite({ method }: ServerRequest): boolean {
  return method !== 'GET';
}

function isWatch({ query }: ServerRequest): boolean {
  return query['watch'] === 'true';
}

/** Whether it asks for a collection, page by page as caches do. */
function isList({ query }: ServerRequest): boolean {
  return query['limit'] !== undefined;
}
