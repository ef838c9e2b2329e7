// SPDX-License-Identifier: Apache-2.0
import { brokenConnection } from '@forge/apiserver/faults/break-connection.ts';
import type { Payload } from '@forge/apiserver/messages/payload.ts';
import type { Handle, ServerRequest, ServerResponse } from '@forge/apiserver/messages/server-request.ts';
import type { Lease } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import { maxSilence } from '@forge/runtime/cache/list-and-watch.ts';
import type { Delay } from '../faults/fault-plan.ts';
import { faultEffect, type RequestFault } from './fault-effect.ts';
import { never, type ProcessRun } from './process-run.ts';
import type { SimulationContext } from './simulation-context.ts';

/**
 * The API server as one run of a process sees it: every request, response and event waits for its turn, and is subject
 * to the planned faults.
 */
export function faultyTransport(run: ProcessRun, context: SimulationContext): Handle {
  const { server, faults, scheduler } = context;
  const faultsAt = <C extends Parameters<typeof faults.count>[1]>(what: C) => faults.count<C>(run.process, what);

  /** The faults of this request; Lease renewals are driven by time and not counted. */
  function faultsFor(request: ServerRequest): readonly RequestFault[] {
    if (isLease(request)) return [];
    if (isWatch(request)) return faultsAt('watch');
    const special = isWrite(request) ? faultsAt('write') : isList(request) ? faultsAt('list') : [];
    return [...special, ...faultsAt('request')];
  }

  function noteRevision({ metadata }: { metadata: Partial<ObjectMeta> }): void {
    run.knownRevision = Math.max(run.knownRevision, Number(metadata.resourceVersion ?? 0));
  }

  async function* countedWatch(events: AsyncIterable<Payload>, request: ServerRequest): AsyncGenerator<Payload> {
    run.watches += 1;
    try {
      yield* deliveredEvents(events, request);
    } finally {
      run.watches -= 1;
    }
    if (run.ended.aborted) await never();
  }

  async function* deliveredEvents(
    events: AsyncIterable<Payload>,
    { path, signal }: ServerRequest,
  ): AsyncGenerator<Payload> {
    for await (const event of events) {
      const { type, object } = event.value as { type: string; object: { metadata: Partial<ObjectMeta> } };
      const revision = Number(object.metadata.resourceVersion);
      const since = (delay: Delay) => run.held[delay].get(path) ?? Infinity;
      let held = () => revision >= Math.min(since('lag'), since('hold'));
      for (const { fault } of type === 'BOOKMARK' ? [] : faultsAt('event')) {
        if (fault === 'lag' || fault === 'hold') run.held[fault].set(path, Math.min(revision, since(fault)));
        else if (fault === 'hang') {
          held = () => true;
          context.markActivity(scheduler.now() + maxSilence);
        } else {
          if (fault === 'expire') server.store.compact(server.store.current.revision);
          throw brokenConnection();
        }
      }
      // A bookmark changes nothing but where the watch resumes: it needs no turn of its own.
      if (type !== 'BOOKMARK' || held() || run.stopped)
        await run.turn(`receives ${type} ${path} ${object.metadata.name ?? ''}`, { signal, held });
      noteRevision(object);
      yield event;
    }
  }

  return async (request) => {
    const { method, path, signal } = request;
    const verb = isWatch(request) ? 'WATCH' : method;
    const startedAt = scheduler.now();
    checkLease(run, request, context);
    const effects = faultsFor(request).map((fault) => faultEffect(fault, run, context));
    await run.turn(`sends ${verb} ${path}`, { signal });
    const watchSignal = isWatch(request) ? { signal: AbortSignal.any([run.ended, ...(signal ? [signal] : [])]) } : {};
    // One request is handled at a time.
    const handle: Handle = async (passed) => {
      context.writer = run.process;
      const { revision } = server.store.current;
      const handled = await server.handle(passed);
      const isIdle = isChange(passed) && handled.status < 300 && server.store.current.revision === revision;
      // In flight while its Lease expired: the next leader may have written the same in the meantime.
      const isLate = run.leaseUntil !== undefined && scheduler.now() >= run.leaseUntil;
      if (isIdle && !isLate) context.idleWrites.push(`${run.process} ${method} ${path}`);
      return handled;
    };
    const answer = await effects.reduce<Handle>(
      (next, effect) => (passed) => effect(passed, next),
      handle,
    )({ ...request, ...watchSignal });
    noteLease(run, request, answer, startedAt);
    await run.turn(`gets ${answer.status} for ${verb} ${path}`, { signal });
    if ('payload' in answer && answer.status < 300 && isWrite(request))
      noteRevision(answer.payload.value as KubeObject);
    return 'events' in answer ? { ...answer, events: countedWatch(answer.events, request) } : answer;
  };
}

/** A process that uses a Lease may write only while it holds it. */
function checkLease(run: ProcessRun, request: ServerRequest, { scheduler, fail }: SimulationContext): void {
  if (isElection(request)) run.leaseUntil ??= -Infinity;
  else if (isWrite(request) && !isLease(request) && run.leaseUntil !== undefined && scheduler.now() >= run.leaseUntil) {
    fail(`${run.name} sends ${request.method} ${request.path} without holding its Lease`);
  }
}

function noteLease(run: ProcessRun, request: ServerRequest, answer: ServerResponse, startedAt: number): void {
  if (!isElection(request) || !isWrite(request) || answer.status >= 300 || !('payload' in answer)) return;
  const { holderIdentity = '', leaseDurationSeconds = 0 } = (answer.payload.value as Lease).spec ?? {};
  run.leaseUntil = holderIdentity === '' ? -Infinity : startedAt + leaseDurationSeconds * 1000;
}

function isLease({ path }: ServerRequest): boolean {
  return path.startsWith('/apis/coordination.k8s.io/');
}

/** Whether it is for the Lease of a leader election, not for that of a node. */
function isElection({ path }: ServerRequest): boolean {
  return /^\/apis\/coordination\.k8s\.io\/v1\/namespaces\/(?!kube-node-lease\/)/.test(path);
}

function isWrite({ method }: ServerRequest): boolean {
  return method !== 'GET';
}

function isChange({ method }: ServerRequest): boolean {
  return method === 'PUT' || method === 'PATCH';
}

function isWatch({ query }: ServerRequest): boolean {
  return query['watch'] === 'true';
}

/** Whether it is a paginated list, as sent by caches. */
function isList({ query }: ServerRequest): boolean {
  return query['limit'] !== undefined;
}
