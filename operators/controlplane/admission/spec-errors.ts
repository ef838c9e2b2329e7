// SPDX-License-Identifier: Apache-2.0
import { formatGoDuration, parseGoDuration } from '@forge/cron/go-duration.ts';
import { policyNameMessage } from '@forge/keystone/api/extensions.ts';
import { invalidValue, required, type FieldError } from '@forge/kube/errors/field-error.ts';
import { exactlyOneCache, exactlyOneDatabase } from '@forge/openstack/schema/backing-services.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { evenReplicas, twoReplicas } from '../api/infrastructure.ts';
import { policyValueMessage } from '../api/policy.ts';
import { secretConflicts } from '../api/secret-conflicts.ts';
import { secretFields } from '../api/secret-rules.ts';
import { rotationIntervalMessage } from '../api/services.ts';
import { releaseMessage, releasePattern, resourceName } from '../api/spec.ts';

type Spec = ControlPlane['spec'];

/** All errors of a ControlPlane that can be found without reading other objects. */
export function specErrors(controlPlane: ControlPlane, before?: ControlPlane): FieldError[] {
  const { metadata, spec } = controlPlane;
  const { openStackRelease, services, global } = spec;
  const errors: FieldError[] = [];
  if (!new RegExp(resourceName.pattern).test(metadata.name)) {
    errors.push(invalidValue('metadata.name', metadata.name, resourceName.message));
  }
  if (!isRelease(openStackRelease)) {
    errors.push(invalidValue('spec.openStackRelease', openStackRelease, releaseMessage));
  }
  return [
    ...errors,
    ...backingErrors(spec.infrastructure),
    ...passwordErrors(spec.korc),
    ...secretConflicts(controlPlane, before).map(({ field, secret, message }) =>
      invalidValue(secretFields[field], secret, message),
    ),
    ...rotationErrors(services.keystone),
    ...gatewayErrors(services.keystone),
    ...policyErrors('spec.global', global),
    ...policyErrors('spec.services.keystone.policyOverrides', services.keystone.policyOverrides),
  ];
}

/** Whether the text is an OpenStack release. */
export const isRelease = (text: string) => new RegExp(releasePattern).test(text);

function backingErrors({ database, cache }: Spec['infrastructure']): FieldError[] {
  const path = 'spec.infrastructure';
  const { replicas } = database;
  return [
    ...exactlyOneDatabase.errors(`${path}.database`, database),
    ...(replicas % 2 === 0
      ? [invalidValue(`${path}.database.replicas`, replicas, replicas === 2 ? twoReplicas : evenReplicas)]
      : []),
    ...exactlyOneCache.errors(`${path}.cache`, cache),
  ];
}

function passwordErrors({ adminCredential: { passwordSecretRef } }: Spec['korc']): FieldError[] {
  const field = 'spec.korc.adminCredential.passwordSecretRef.name';
  return passwordSecretRef.name === '' ? [required(field, 'passwordSecretRef.name must be set')] : [];
}

const day = 86_400_000_000_000n;

function rotationErrors({ rotationInterval }: Spec['services']['keystone']): FieldError[] {
  if (rotationInterval === undefined) return [];
  const interval = parseGoDuration(rotationInterval);
  const isDuration = typeof interval === 'bigint';
  if (isDuration && interval > 0n && interval % day === 0n) return [];
  const shown = isDuration ? formatGoDuration(interval) : rotationInterval;
  return [invalidValue('spec.services.keystone.rotationInterval', shown, rotationIntervalMessage)];
}

function gatewayErrors({ gateway }: Spec['services']['keystone']): FieldError[] {
  const field = 'spec.services.keystone.gateway.hostname';
  return gateway?.hostname === '' ? [required(field, 'must be set when a gateway is configured')] : [];
}

function policyErrors(path: string, policy: Spec['global']): FieldError[] {
  return Object.entries(policy?.rules ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, rule]) => {
      const field = `${path}.rules[${name}]`;
      if (name === '') return [required(field, policyNameMessage)];
      return rule === '' ? [required(field, policyValueMessage)] : [];
    });
}
