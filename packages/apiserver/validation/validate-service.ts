// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/builtin.ts';
import { duplicate, invalidValue, required, type FieldError } from '@forge/kube/field-error.ts';

/** A service has ports, each told apart by its name, and keeps its address. */
export function validateService({ spec }: Service, before: Service | undefined): FieldError[] {
  if (spec === undefined) return [required('spec')];
  const { ports = [], clusterIP, clusterIPs = [], type } = spec;
  const errors: FieldError[] = [];
  if (ports.length === 0 && clusterIP !== 'None' && type !== 'ExternalName') errors.push(required('spec.ports'));
  if (type === 'ExternalName' && (spec.externalName ?? '') === '') errors.push(required('spec.externalName'));
  const names = new Set<string>();
  for (const [index, { name = '', port }] of ports.entries()) {
    const field = `spec.ports[${index}]`;
    if (ports.length > 1 && name === '') errors.push(required(`${field}.name`));
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}.name`, name));
    if (port < 1 || port > 65_535)
      errors.push(invalidValue(`${field}.port`, port, 'must be between 1 and 65535, inclusive'));
    names.add(name);
  }
  const kept = before?.spec?.clusterIPs?.[0];
  const staysInside = before?.spec?.type !== 'ExternalName' && type !== 'ExternalName';
  if (staysInside && kept !== undefined && clusterIPs[0] !== kept) {
    errors.push(invalidValue('spec.clusterIPs[0]', clusterIPs, 'may not change once set'));
  }
  return errors;
}
