// SPDX-License-Identifier: Apache-2.0
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { logger, terminalLine } from '@forge/runtime/observability/logger.ts';
import type { Webhook, WebhookContext } from '@forge/runtime/webhook/webhook.ts';
import { changedObjects, isLasting } from '../outcome/end-state.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { Process, ProcessContext } from '../scenario/scenario.ts';
import { world, type World, type WorldOptions } from '../world/world.ts';

/** A resource with a spec and conditions. */
export interface Resource extends KubeObject {
  spec: object;
  status?: { conditions?: readonly Condition[] };
}

/** A resource in a cluster with its operator, its webhooks and its dependencies. */
export interface LiveResource<T extends Resource> extends AsyncDisposable {
  /** Writes the spec through the webhooks; returns the error message when it is rejected. */
  write(spec: T['spec']): Promise<string | undefined>;
  /** Waits until everything has settled; throws when it does not. */
  rest(): Promise<void>;
  current(): T;
  /** The objects of a kind in its namespace. */
  list<R extends KubeObject>(kind: Kind<R>): R[];
  /** Warnings and errors that the operator logged since the last call. */
  faults(): string[];
  /** The keys of the other objects that were created, changed or deleted since the last call; without Events and Leases. */
  changed(): string[];
  /** The number of writes to the cluster so far. */
  writes(): number;
}

/** Options of a live resource. */
export interface LiveOptions<T extends Resource> extends Pick<WorldOptions, 'from' | 'environment'> {
  kind: Kind<T>;
  resource: T;
  /** Default: the kind has no webhooks. */
  admission?: Webhook;
  controllers: (host: ProcessContext) => readonly Controller[];
  /** Additional processes, besides the operator and the environment. */
  processes?: readonly Process[];
  /** The cluster has settled when nothing was written for this long. Default: 10 seconds. */
  settleTime?: Duration;
}

/** Creates the resource and waits until everything has settled. */
export async function liveResource<T extends Resource>(options: LiveOptions<T>): Promise<LiveResource<T>> {
  const {
    kind,
    resource,
    admission = { kind },
    controllers,
    processes = [],
    settleTime = seconds(10),
    ...rest
  } = options;
  const { uid: _, generation: __, ...metadata } = resource.metadata;
  const ref: ObjectRef = { name: metadata.name, namespace: metadata.namespace ?? '' };
  const logged: string[] = [];
  const here = await world({ ...rest, processes: [...processes, operatorLoggingTo(logged, controllers)] });
  const ownKey = keyOf(kind, ref);
  let seen = here.context.server.store.current;
  const current = () => here.state.find(kind, ref) as T;
  const live: LiveResource<T> = {
    async write(spec) {
      try {
        await here.during(admitted(here, admission, { ...current(), spec }, current()));
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    rest: () => here.settle(settleTime),
    current,
    list: (wanted) => here.state.list(wanted).filter((each) => each.metadata.namespace === ref.namespace),
    faults: () => logged.splice(0),
    changed() {
      const [before, after] = [seen, here.context.server.store.current];
      seen = after;
      const keys = [changedObjects(before, after), changedObjects(after, before)].flat().map(({ key }) => key);
      return [...new Set(keys)].filter((key) => key !== ownKey && isLasting(key));
    },
    writes: () => here.context.server.store.current.revision,
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
  await here.during(here.user.create(kind, { ...resource, metadata }));
  await live.rest();
  return live;
}

const keyOf = (kind: Kind, { namespace, name }: ObjectRef) => `${resourceName(kind)}/${namespace}/${name}`;

function operatorLoggingTo(logged: string[], controllers: LiveOptions<Resource>['controllers']): Process {
  return {
    name: 'operator',
    start(host) {
      const log = logger({ clock: host.clock, level: 'warn', write: (entry) => logged.push(terminalLine(entry)) });
      return operatorProcess(host.name, controllers, { log }).start(host);
    },
  };
}

/** Writes as the API server does: defaults, then the schema, then validation. */
async function admitted({ user }: World, { kind, ...admission }: Webhook, written: KubeObject, before: KubeObject) {
  const context = {
    client: user,
    cache: { list: () => [] },
    user: { username: 'admin', groups: [] },
    signal: new AbortController().signal,
  } as unknown as WebhookContext;
  const defaulted = (await admission.default?.(written, context)) ?? written;
  if (admission.validate !== undefined) {
    const stored = await user.update(kind, defaulted, { dryRun: true });
    const { errors = [] } = await admission.validate(stored, before, context);
    if (errors.length > 0) throw new Error(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
  }
  await user.update(kind, defaulted);
}
