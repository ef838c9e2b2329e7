// SPDX-License-Identifier: Apache-2.0
import type { Domain, User } from '@forge/kube/third-party/korc.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { namesOf } from '../../api/names.ts';
import { korcVersion, loginBy, ownerMark } from './korc-object.ts';

/**
 * The default domain. K-ORC logs in by password, also for the administrator: an application credential that is lost or revoked
 * must not lock it out.
 */
export function domainImport(controlPlane: ControlPlane): Domain {
  const { domain, passwordCloud } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'Domain',
    metadata: { name: domain, annotations: ownerMark(controlPlane) },
    spec: {
      managementPolicy: 'unmanaged',
      cloudCredentialsRef: loginBy(controlPlane, passwordCloud),
      import: { filter: { name: 'Default' } },
    },
  };
}

/** The administrator, whose application credential is minted. */
export function userImport(controlPlane: ControlPlane): User {
  const { user, domain, passwordCloud } = namesOf(controlPlane);
  return {
    apiVersion: korcVersion,
    kind: 'User',
    metadata: { name: user, annotations: ownerMark(controlPlane) },
    spec: {
      managementPolicy: 'unmanaged',
      cloudCredentialsRef: loginBy(controlPlane, passwordCloud),
      import: { filter: { name: 'admin', domainRef: domain } },
    },
  };
}
