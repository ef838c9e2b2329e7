// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import type { ContextWith } from '../../clients/services.ts';
import { heldPlaces, holdBy, isHold } from '../../objects/held-children.ts';

/** Makes the login by password the second owner of Keystone and of what it depends on, if they belong to the ControlPlane. */
export async function holdChildren(
  login: Secret,
  { object: controlPlane, get, patch }: Pick<ContextWith, 'object' | 'get' | 'patch'>,
): Promise<void> {
  if (login.metadata.deletionTimestamp !== undefined) return;
  for (const { kind, names } of heldPlaces) {
    for (const live of names(controlPlane).map((name) => get(kind, name))) {
      if (live === undefined || !isControlledBy(live, controlPlane)) continue;
      const { ownerReferences = [] } = live.metadata;
      if (ownerReferences.some(({ uid }) => uid === login.metadata.uid)) continue;
      const others = ownerReferences.filter((owner) => !isHold(owner, controlPlane));
      await patch(kind, live, { metadata: { ownerReferences: [...others, holdBy(login)] } }, { exact: true });
    }
  }
}
