// SPDX-License-Identifier: Apache-2.0
import { defaultBackend, pooledBackend } from '@forge/openstack/schema/backing-services.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { namesOf } from '../api/names.ts';
import { ignoredFields } from './ignored-fields.ts';

/** Settings that are allowed but cause problems later; every warning names the field and the remedy. */
export function warningsOf(controlPlane: ControlPlane): string[] {
  return [...backendWarnings(controlPlane), ...ignoredFields(controlPlane), ...accessRuleWarnings(controlPlane)];
}

function backendWarnings({ spec: { infrastructure } }: ControlPlane): string[] {
  if (infrastructure.cache.backend !== defaultBackend) return [];
  return [
    `spec.infrastructure.cache.backend: with ${defaultBackend} no token is validated while Memcached is down; set ${pooledBackend}`,
  ];
}

/** The identity Service is made only after the credential, which would wait for it. */
function accessRuleWarnings(controlPlane: ControlPlane): string[] {
  const path = 'spec.korc.adminCredential.applicationCredential.accessRules';
  const { accessRules = [] } = controlPlane.spec.korc.adminCredential.applicationCredential;
  const { identityService } = namesOf(controlPlane);
  return accessRules.flatMap(({ service }, index) => {
    if (service === identityService) {
      return [
        `${path}[${index}].service: the operator creates ${service} only once there is a credential, which waits for it; ` +
          'create a Service resource of K-ORC under another name, type identity, managementPolicy unmanaged, and name that',
      ];
    }
    if (service !== 'identity') return [];
    return [
      `${path}[${index}].service: identity is no catalog type here but the name of a Service resource of K-ORC; create one of ` +
        'that name, type identity, managementPolicy unmanaged, or no credential is minted',
    ];
  });
}
