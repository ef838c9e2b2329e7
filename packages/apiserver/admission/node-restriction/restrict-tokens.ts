// SPDX-License-Identifier: Apache-2.0
import type { Volume } from '@forge/kube/generated/types.ts';
import {
  CSIDriver,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  type TokenRequest,
} from '@forge/kube/kinds/builtin.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { aggregateErrors, type Authorizer } from '../../access/authorize.ts';
import type { User } from '../../messages/server-request.ts';
import type { Store } from '../../storage/store.ts';
import { notCached, refuse, type NodeRequest } from './node-request.ts';

/** A node can request tokens bound to its own pods, for audiences that their volumes use or that RBAC grants it. */
export function restrictTokens(
  node: string,
  request: NodeRequest,
  { store, authorizer, user }: { store: Store; authorizer: Authorizer; user: User },
): void {
  if (request.operation !== 'CREATE' || request.subresource !== 'token') return;
  const { audiences = [], boundObjectRef } = (request.object as TokenRequest).spec ?? {};
  const { apiVersion, kind, name = '', uid = '' } = boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') refuse(request, 'node requested token not bound to a pod');
  if (uid === '') refuse(request, 'node requested token with a pod binding without a uid');
  const { namespace = '' } = request;
  const pod = store.current.objects.get(`pods/${namespace}/${name}`)?.value as Pod | undefined;
  if (pod === undefined) throw notCached(Pod, name);
  if (pod.metadata.uid !== uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    refuse(request, `${why}. The object might have been deleted and then recreated`);
  }
  if (pod.spec?.nodeName !== node) refuse(request, 'node requested token bound to a pod scheduled on a different node');
  if (audiences.length > 1) refuse(request, 'node may only request 0 or 1 audiences');
  const [audience = ''] = audiences;
  const verb = 'request-serviceaccounts-token-audience';
  const granted = { verb, group: '', resource: audience, subresource: '', namespace, name: request.name };
  const { isMounted, problems } = audienceIn(pod, audience, store);
  if (isMounted) return;
  if (problems.length > 0) {
    refuse(request, `error validating audience ${JSON.stringify(audience)}: ${aggregateErrors(problems)}`);
  }
  if (authorizer(user, granted).allowed) return;
  const why = `${user.name} is not authorized to request tokens for this audience`;
  refuse(request, `audience ${JSON.stringify(audience)} not found in pod spec volume, ${why}`);
}

/** Whether a volume of the pod, or the CSI driver of one, needs a token for the audience. */
function audienceIn(pod: Pod, audience: string, store: Store): { isMounted: boolean; problems: string[] } {
  const problems: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const tokens = volume.projected?.sources?.flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []) ?? [];
    if (tokens.some((token) => (token.audience ?? '') === audience)) return { isMounted: true, problems };
    const driver = driverOf(pod, volume, store);
    if (typeof driver === 'string') problems.push(driver);
    else if (driver?.spec.tokenRequests?.some((token) => token.audience === audience) === true) {
      return { isMounted: true, problems };
    }
  }
  return { isMounted: false, problems };
}

/** The CSI driver of a volume, or why it cannot be found; undefined when it has none. */
function driverOf({ metadata }: Pod, volume: Volume, store: Store): CSIDriver | string | undefined {
  const { namespace = '' } = metadata;
  const { name, persistentVolumeClaim, ephemeral, csi } = volume;
  const claimName = ephemeral === undefined ? persistentVolumeClaim?.claimName : `${metadata.name}-${name}`;
  let driver = csi?.driver ?? '';
  if (claimName !== undefined) {
    const claim = find(store, PersistentVolumeClaim, namespace, claimName);
    if (typeof claim === 'string') return claim;
    const bound = find(store, PersistentVolume, '', claim.spec?.volumeName ?? '');
    if (typeof bound === 'string') return bound;
    driver = bound.spec?.csi?.driver ?? '';
  }
  return driver === '' ? undefined : find(store, CSIDriver, '', driver);
}

function find<T extends KubeObject>(store: Store, kind: Kind<T>, namespace: string, name: string): T | string {
  const resource = resourceName(kind);
  const stored = store.current.objects.get(`${resource}/${namespace}/${name}`);
  return (stored?.value as T | undefined) ?? `${resource.replace(/s(?=\.|$)/, '')} "${name}" not found`;
}
