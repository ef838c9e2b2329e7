// SPDX-License-Identifier: Apache-2.0
import { required, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { Keystone } from '../api/keystone.ts';
import { ingressMessage } from '../api/network-policy.ts';

/** Errors of the NetworkPolicy and the route: a policy that allows no client, a route without a host or a Gateway. */
export function exposureErrors({ spec: { networkPolicy, gateway } }: Keystone): FieldError[] {
  const errors: FieldError[] = [];
  if (networkPolicy?.ingress.length === 0) errors.push(required('spec.networkPolicy.ingress', ingressMessage));
  if (gateway?.hostname === '') {
    errors.push(required('spec.gateway.hostname', 'hostname must be set when spec.gateway is configured'));
  }
  if (gateway?.parentRef.name === '') {
    errors.push(required('spec.gateway.parentRef.name', 'parentRef.name must be set when spec.gateway is configured'));
  }
  return errors;
}
