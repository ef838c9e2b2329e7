// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';

/** The user of a container's processes. */
export interface ContainerUser {
  uid: number;
  gid: number;
}

/** The user from the container's, the pod's or the image's settings, in this order. */
export function containerUser(spec: PodSpec, container: Container, image: AssembledImage): ContainerUser {
  const settings = { ...spec.securityContext, ...container.securityContext };
  const uid = settings.runAsUser ?? image.user.uid;
  // Only the image's user has an entry in /etc/passwd with a group.
  const gid = settings.runAsGroup ?? (uid === image.user.uid ? image.user.gid : 0);
  if (settings.runAsNonRoot === true && uid === 0) {
    throw new ContainerConfigError(
      `container has runAsNonRoot and image will run as root (container: ${container.name}): set runAsUser`,
    );
  }
  return { uid, gid };
}
