// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';

/** Who a container's processes are. */
export interface ContainerUser {
  uid: number;
  gid: number;
}

/** The user the container's, else the pod's, else the image's settings name. */
export function containerUser(spec: PodSpec, container: Container, image: AssembledImage): ContainerUser {
  const settings = { ...spec.securityContext, ...container.securityContext };
  const uid = settings.runAsUser ?? image.user.uid;
  // A user the image does not start with has no entry that would name another group.
  const gid = settings.runAsGroup ?? (uid === image.user.uid ? image.user.gid : 0);
  if (settings.runAsNonRoot === true && uid === 0) {
    throw new ContainerConfigError(
      `container has runAsNonRoot and image will run as root (container: ${container.name}): set runAsUser`,
    );
  }
  return { uid, gid };
}
