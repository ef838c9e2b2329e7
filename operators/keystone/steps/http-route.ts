// SPDX-License-Identifier: Apache-2.0
import { Service } from '@forge/kube/kinds/builtin.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { Keystone } from '../api/keystone.ts';
import { namesOf } from '../api/names.ts';
import { httpRouteReady } from '../conditions/http-route.ts';
import { apiRoute, isAccepted } from '../objects/http-route.ts';
import { step } from './step.ts';

/** Exposes the API outside the cluster through a Gateway that exists already. */
export const httpRoute = step({
  name: 'HTTPRoute',
  condition: 'HTTPRouteReady',
  owns: [owned(HTTPRoute, ['apply', 'remove'])],
  reads: [reads(Service, (keystone) => [namesOf(keystone).api])],
  async run({ object: keystone, get, apply, remove, isInstalled }) {
    const { gateway } = keystone.spec;
    const name = namesOf(keystone).api;
    if (gateway === undefined) {
      await remove(HTTPRoute, name);
      return ready(httpRouteReady.notRequired());
    }
    if (!isInstalled(HTTPRoute)) return degraded(httpRouteReady.notInstalled());
    // A route to a Service that is not there would be accepted, and answer every request with an error.
    if (!isServing(get(Service, name), keystone)) return waiting(httpRouteReady.notAccepted());
    const live = await apply(apiRoute(keystone, gateway));
    return isAccepted(live) ? ready(httpRouteReady.accepted()) : waiting(httpRouteReady.notAccepted());
  },
});

function isServing(service: Service | undefined, keystone: Keystone): boolean {
  return service !== undefined && isControlledBy(service, keystone) && service.metadata.deletionTimestamp === undefined;
}
