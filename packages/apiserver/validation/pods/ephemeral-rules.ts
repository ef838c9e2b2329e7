// SPDX-License-Identifier: Apache-2.0
import type { EphemeralContainer, PodSpec } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Inspection } from '../inspection.ts';
import { each } from '../rule.ts';
import { checkContainer } from './container-rules.ts';

/** Fields that an ephemeral container cannot have. */
const forbiddenFields = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const forbidden = 'cannot be set for an Ephemeral Container';

/** Validates the ephemeral containers of a pod. */
export function checkEphemeralContainers(spec: PodSpec, at: Inspection): void {
  const { volumes = [], containers, initContainers = [], ephemeralContainers } = spec;
  const targets = new Set(containers.map(({ name }) => name));
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  const known = new Set(volumes.map(({ name }) => name));
  const checkAll = each<EphemeralContainer>((container) => {
    if (container === undefined) return;
    checkContainer(container, known, at);
    const { name, targetContainerName: target = '' } = container;
    if (names.has(name)) at.duplicate(name, 'name');
    if (name !== '') names.add(name);
    for (const field of forbiddenFields) if (isSet(container[field])) at.forbidden(forbidden, field);
    at.inside('volumeMounts', container.volumeMounts, wholeVolumes);
    if (target !== '' && !targets.has(target)) at.notFound(target, 'targetContainerName');
  });
  at.inside('ephemeralContainers', ephemeralContainers, checkAll);
}

const wholeVolumes = each<{ subPath?: string; subPathExpr?: string }>((mount, at) => {
  for (const field of ['subPath', 'subPathExpr'] as const) {
    if ((mount?.[field] ?? '') !== '') at.forbidden(forbidden, field);
  }
});

/** Whether a field is set; objects without fields are the zero value. */
function isSet(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return (value ?? '') !== '';
  return Object.keys(value).length > 0;
}

/** A new pod has no ephemeral containers. */
export function notOnCreate(pod: Pod | undefined, at: Inspection): void {
  if ((pod?.spec?.ephemeralContainers ?? []).length === 0) return;
  at.inside('spec', pod?.spec, () => at.forbidden('cannot be set on create', 'ephemeralContainers'));
}

/** Existing ephemeral containers cannot change. */
export function immutableEphemeralContainers(spec: PodSpec, before: PodSpec, at: Inspection): void {
  for (const old of before.ephemeralContainers ?? []) {
    const kept = spec.ephemeralContainers?.find(({ name }) => name === old.name);
    const what = `existing ephemeral containers ${JSON.stringify(old.name)} may not be`;
    if (kept === undefined) at.forbidden(`${what} removed\n`, 'ephemeralContainers');
    else if (!jsonEqual(kept, old)) at.forbidden(`${what} changed`, 'ephemeralContainers');
  }
}
