// SPDX-License-Identifier: Apache-2.0
import { Service } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { withCondition } from '../objects/with-condition.ts';
import { saveStatus } from './save-status.ts';
import { specOrMetadataPredicate, type StandIn } from './stand-in.ts';

/** How a Gateway treats a route. */
interface RouteVerdict {
  /** Why it is not accepted: `NotAllowedByListeners`. Default: it is accepted. */
  refused?: string;
  /** How long the decision takes. Default: no time. */
  after?: Duration;
  /** No controller handles the route: its status is unchanged. */
  ignored?: boolean;
}

/** Decides about a route at one of its parents. */
export type DecideRoute = (route: HTTPRoute, parent: ParentRef) => RouteVerdict;

type ParentRef = NonNullable<HTTPRoute['spec']['parentRefs']>[number];
type Parent = NonNullable<HTTPRoute['status']>['parents'][number];

const controllerName = 'forge.c5c3.io/gateway-stand-in';

/** Emulates a Gateway controller with these decisions. Default: every route is accepted. */
export function gatewayController(decide: DecideRoute = () => ({})): StandIn {
  return {
    name: 'gateway',
    kinds: [HTTPRoute],
    controllers: [routeController(decide)],
    backoff: { base: milliseconds(5), cap: seconds(1000) },
  };
}

function routeController(decide: DecideRoute): Controller {
  return {
    name: 'httproute-controller',
    for: HTTPRoute,
    predicate: specOrMetadataPredicate,
    watches: [
      watch(Service, ({ metadata }, { cache }) =>
        cache
          .list(HTTPRoute, { namespace: metadata.namespace })
          .filter((route) => backendsOf(route).includes(metadata.name))
          .map((route) => route.metadata),
      ),
    ],
    async reconcile(ref, context) {
      const route = context.cache.get(HTTPRoute, ref);
      if (route === undefined || route.metadata.deletionTimestamp !== undefined) return undefined;
      const decisions = (route.spec.parentRefs ?? []).map((parent) => ({ parent, verdict: decide(route, parent) }));
      const waits = decisions.map(({ verdict }) => remainingDelay(verdict, route, context)).filter((left) => left > 0);
      const due = decisions.filter(
        ({ verdict }) => verdict.ignored !== true && remainingDelay(verdict, route, context) <= 0,
      );
      const own = due.map(({ parent, verdict }) => parentStatus(route, parent, verdict, context));
      const others = (route.status?.parents ?? []).filter((each) => each.controllerName !== controllerName);
      if (route.status !== undefined || own.length > 0) {
        await saveStatus(HTTPRoute, route, { parents: [...others, ...own] }, context);
      }
      return waits.length === 0 ? undefined : milliseconds(Math.min(...waits));
    },
  };
}

function remainingDelay({ after = now }: RouteVerdict, { metadata }: HTTPRoute, { clock }: ReconcileContext): number {
  return Date.parse(metadata.creationTimestamp ?? '') + after - clock.now();
}

function parentStatus(
  route: HTTPRoute,
  parentRef: ParentRef,
  { refused }: RouteVerdict,
  { clock, cache }: ReconcileContext,
): Parent {
  const known = route.status?.parents.find(
    (each) => each.controllerName === controllerName && isSame(each.parentRef, parentRef),
  );
  const observedGeneration = route.metadata.generation ?? 0;
  const { namespace } = route.metadata;
  const missing = backendsOf(route).find((name) => cache.get(Service, { namespace, name }) === undefined);
  const reasons = {
    Accepted: refused ?? 'Accepted',
    ResolvedRefs: missing === undefined ? 'ResolvedRefs' : 'BackendNotFound',
  };
  let conditions: Condition[] = known?.conditions ?? [];
  for (const [type, reason] of Object.entries(reasons)) {
    const status = type === reason ? 'True' : 'False';
    const lastTransitionTime = timestamp(clock);
    conditions = withCondition(conditions, { type, status, reason, message: '', lastTransitionTime });
  }
  return { parentRef, controllerName, conditions: conditions.map((each) => ({ ...each, observedGeneration })) };
}

function isSame(a: ParentRef, b: ParentRef): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.sectionName === b.sectionName && a.port === b.port;
}

function backendsOf({ spec }: HTTPRoute): string[] {
  return (spec.rules ?? []).flatMap(({ backendRefs = [] }) => backendRefs.map(({ name }) => name));
}
