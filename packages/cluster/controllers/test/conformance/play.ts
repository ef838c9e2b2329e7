// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { conversation } from '@forge/apiserver/conformance/conversation/conversation.ts';
import type { Exchange } from '@forge/apiserver/conformance/conversation/exchange.ts';
import { normalise } from '@forge/apiserver/conformance/conversation/normalise.ts';
import type { Wire } from '@forge/apiserver/conformance/wires/wire.ts';
import type { Event } from '@forge/kube/kinds/builtin.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { List, ControllerCase, Scenario } from './controller-case.ts';
import { relativeMinutes } from './relative-minutes.ts';

/** A cluster to play cases on. */
export interface Stage {
  wire: Wire;
  /** Lets this many seconds pass. */
  pass(seconds: number): Promise<void>;
}

/** The node of all pods; it has no kubelet but the case. */
export const nodeName = 'node-a';

/** Creates what the cases of a cluster share. */
export async function prepareCluster({ wire }: Stage): Promise<void> {
  const api = conversation(wire, '', [], new AbortController().signal);
  await sent(api.post('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } }));
}

/** Creates the namespace of a case, and waits until pods can be created in it. */
export async function prepareCase({ wire }: Stage, testCase: ControllerCase): Promise<void> {
  const namespace = namespaceOf(testCase);
  const api = conversation(wire, namespace, [], new AbortController().signal);
  await sent(api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  await api.eventually('serviceaccounts/default', (_, status) => status === 200);
}

/** The namespace of a case; the same on every cluster, so that names need no normalising. */
export function namespaceOf({ name }: ControllerCase): string {
  return `row-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
}

/** Plays a case and returns what it observed, normalised. */
export async function play(stage: Stage, testCase: ControllerCase): Promise<Exchange[]> {
  const observed: Exchange[] = [];
  const end = new AbortController();
  const began = stage.wire.now();
  try {
    await testCase.run(scenario(stage, namespaceOf(testCase), observed, end.signal));
  } finally {
    end.abort();
  }
  const relative = relativeMinutes(observed, began) as Exchange[];
  return normalise(relative, { began, ended: stage.wire.now() }).map(sortedEvents);
}

function scenario(stage: Stage, namespace: string, observed: Exchange[], signal: AbortSignal): Scenario {
  const { wire } = stage;
  const api = conversation(wire, namespace, [], signal);
  const recorded = conversation(wire, namespace, observed, signal);

  async function eventsOf(kind: string, name: string, reasons: readonly string[]): Promise<Event[]> {
    const query = { fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}` };
    const hasAll = ({ items }: List<Event>): boolean =>
      reasons.every((reason) => items.some((each) => each.reason === reason));
    return (await api.eventually<List<Event>>('events', hasAll, query)).items;
  }

  return {
    namespace,
    post: (...request) => sent(api.post(...request)) as never,
    patch: (...request) => sent(api.patch(...request)) as never,
    delete: (...request) => sent(api.delete(...request)) as never,
    now: () => wire.now(),
    pass: (seconds) => stage.pass(seconds),
    until: (...question) => api.eventually(...question),

    async observe<T>(
      path: string,
      wanted: (body: T, status: number) => boolean = () => true,
      pick: (body: T) => unknown = (body) => body,
    ): Promise<T> {
      let status = 0;
      const body = await api.eventually<T>(path, (answer, code) => wanted(answer, (status = code)));
      observed.push({ request: `observe ${path}`, status, body: withoutBookkeeping(pick(body)) });
      return body;
    },

    async events(kind, name, reasons) {
      const body = (await eventsOf(kind, name, reasons))
        .filter(isNoConflict)
        .map(({ type, reason, message, source }) => {
          return { type, reason, message, component: source?.component };
        });
      observed.push({ request: `events ${kind}/${name}`, status: 200, body });
    },

    async evict(pod, deleteOptions, query) {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
      await recorded.post(`pods/${pod}/eviction`, { ...eviction, ...(deleteOptions && { deleteOptions }) }, query);
    },
  };
}

/** The response; throws when it is an error. */
async function sent(answer: Promise<unknown>): Promise<unknown> {
  const body = await answer;
  const { kind, status, message } = body as KubeObject & { status?: unknown; message?: string };
  if (kind === 'Status' && status === 'Failure')
    throw new Error(`the server refused a request of the case: ${message}`);
  return body;
}

/** Whether an Event is not about a write conflict, which does not happen every time. */
function isNoConflict({ message = '' }: Event): boolean {
  return !message.includes('the object has been modified');
}

/** Fields about the writes of an object, not about its state. */
const bookkeeping = new Set(['managedFields', 'resourceVersion', 'selfLink', 'deletionGracePeriodSeconds']);

function withoutBookkeeping(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBookkeeping);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !bookkeeping.has(field));
  return Object.fromEntries(kept.map(([field, each]) => [field, withoutBookkeeping(each)]));
}

/** Events of the same second have no order; equal ones are merged. */
function sortedEvents(exchange: Exchange): Exchange {
  if (!exchange.request.startsWith('events ')) return exchange;
  const texts = new Set((exchange.body as unknown[]).map((event) => JSON.stringify(event)));
  return { ...exchange, body: [...texts].toSorted().map((text) => JSON.parse(text) as unknown) };
}
