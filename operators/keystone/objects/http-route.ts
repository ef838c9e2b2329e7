// SPDX-License-Identifier: Apache-2.0
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import type { Keystone } from '../api/keystone.ts';
import { apiPort, commonLabels, namesOf } from '../api/names.ts';

type Gateway = NonNullable<Keystone['spec']['gateway']>;
type ParentRef = NonNullable<HTTPRoute['spec']['parentRefs']>[number];

const gatewayKind = { group: HTTPRoute.group, kind: 'Gateway' };

/** The route from the Gateway to the Service of the API. Defaults are written out: else every restarted operator applies it again. */
export function apiRoute(keystone: Keystone, { parentRef, hostname, path = '', annotations = {} }: Gateway): HTTPRoute {
  const { apiVersion, kind } = HTTPRoute;
  const { name, namespace = '', sectionName = '' } = parentRef;
  return {
    apiVersion,
    kind,
    metadata: {
      name: namesOf(keystone).api,
      labels: commonLabels(keystone),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      parentRefs: [
        { ...gatewayKind, name, ...(namespace !== '' && { namespace }), ...(sectionName !== '' && { sectionName }) },
      ],
      hostnames: [hostname],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: path.startsWith('/') ? path : `/${path}` } }],
          backendRefs: [{ group: '', kind: 'Service', name: namesOf(keystone).api, port: apiPort, weight: 1 }],
        },
      ],
    },
  };
}

/** Whether the Gateway accepted the route as it is now: what it says of other parents or earlier generations does not count. */
export function isAccepted({ metadata, spec, status }: HTTPRoute): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const [wanted] = spec.parentRefs ?? [];
  return (status?.parents ?? []).some(
    ({ parentRef, conditions = [] }) =>
      wanted !== undefined &&
      isSameParent(parentRef, wanted, metadata.namespace) &&
      conditions.some(
        ({ type, status: is, observedGeneration = 0 }) =>
          type === 'Accepted' && is === 'True' && observedGeneration >= (metadata.generation ?? 0),
      ),
  );
}

function isSameParent(a: ParentRef, b: ParentRef, home: string | undefined): boolean {
  const identity = ({
    group = gatewayKind.group,
    kind = gatewayKind.kind,
    namespace = home,
    name,
    sectionName,
  }: ParentRef) => JSON.stringify([group, kind, namespace, name, sectionName]);
  return identity(a) === identity(b);
}
