// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import type { Container, PodSpec, Toleration } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { qualifiedNameProblem, dnsLabelProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule, Inspection } from '../inspection.ts';
import { all, each, given, fields, validation, change, type ChangeRule, equalExcept } from '../rule.ts';
import { labels } from '../selector-rules.ts';
import { oneOf, text, between, requiredOneOf } from '../value-rules.ts';
import { checkContainer } from './container-rules.ts';
import { checkEphemeralContainers, notOnCreate, immutableEphemeralContainers } from './ephemeral-rules.ts';
import { checkSleep, checkUnprobed } from './probe-rules.ts';
import { volumes } from './volume-rules.ts';

/** Container names must be unique across all lists. */
const containers: Rule<PodSpec> = given((spec, at) => {
  const known = new Set(spec.volumes?.map(({ name }) => name));
  const names = new Set<string>();
  const grace = spec.terminationGracePeriodSeconds ?? 30;
  const checkAll = each<Container>((container) => {
    if (container === undefined) return;
    checkContainer(container, known, at);
    at.inside('lifecycle', container.lifecycle, (hooks) => hooks && checkSleep(hooks, grace, at));
    if (names.has(container.name)) at.duplicate(container.name, 'name');
    if (container.name !== '') names.add(container.name);
  });
  if (spec.containers.length === 0) at.required(undefined, 'containers');
  at.inside('containers', spec.containers, checkAll);
  at.inside('initContainers', spec.initContainers, all(checkAll, each(endingInit)));
  if ((spec.ephemeralContainers ?? []).length > 0) checkEphemeralContainers(spec, at);
});

const endingInit: Rule<Container> = given((container, at) => {
  if (container.restartPolicy !== 'Always') checkUnprobed(container, at);
});

const toleration: Rule<Toleration> = given(({ key = '', operator = '', value = '', effect = '' }, at) => {
  if (key !== '') at.inside('key', key, text(qualifiedNameProblem));
  if (key === '' && operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    at.invalid(operator, detail, 'operator');
  }
  if (operator === 'Exists' && value !== '') {
    at.invalid(value, "value must be empty when `operator` is 'Exists'", 'operator');
  }
  at.inside('operator', operator, oneOf('Equal', 'Exists'));
  at.inside('effect', effect, oneOf(...taintEffects));
});

/** Taint effects. */
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const ownDns: Rule<PodSpec> = given(({ dnsPolicy, dnsConfig }, at) => {
  if (dnsPolicy !== 'None') return;
  if (dnsConfig === undefined) at.required('must provide `dnsConfig` when `dnsPolicy` is None', 'dnsConfig');
  else if ((dnsConfig.nameservers ?? []).length === 0) {
    at.inside('dnsConfig', dnsConfig, () =>
      at.required('must provide at least one DNS nameserver when `dnsPolicy` is None', 'nameservers'),
    );
  }
});

/** Validates a pod spec, in a pod or template. */
export const podSpec: Rule<PodSpec> = all<PodSpec>(
  fields({ volumes }),
  containers,
  fields({
    restartPolicy: requiredOneOf('Always', 'OnFailure', 'Never'),
    dnsPolicy: requiredOneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
    nodeSelector: labels,
  }),
  ownDns,
  fields({
    serviceAccountName: text(subdomainProblem),
    nodeName: text(subdomainProblem),
    activeDeadlineSeconds: between(1, 2_147_483_647),
    hostname: text(dnsLabelProblem),
    subdomain: text(dnsLabelProblem),
    tolerations: each(toleration),
  }),
);

const validateNewPod = validation<Pod>(all<Pod>(fields({ spec: podSpec }), notOnCreate));

const validateChangedPod = validation<Pod>(fields({ spec: podSpec }), change('spec', immutableSpec));

const validateEphemeral = validation<Pod>(fields({ spec: podSpec }), change('spec', immutableEphemeralContainers));

/** Validates a pod; its spec is mostly immutable, and ephemeral containers are added by their subresource. */
export function validatePod(pod: Pod, before: Pod | undefined, subresource?: string): FieldError[] {
  if (before === undefined) return validateNewPod(pod, before);
  return (subresource === 'ephemeralcontainers' ? validateEphemeral : validateChangedPod)(pod, before);
}

function immutableSpec(spec: PodSpec, before: PodSpec, at: Inspection): void {
  for (const list of ['containers', 'initContainers'] as const) {
    if (spec[list]?.length === before[list]?.length) continue;
    at.forbidden('pod updates may not add or remove containers', list);
    return;
  }
  shorterDeadline(spec, before, at);
  if (!keepsTolerations(spec, before)) {
    at.forbidden('existing toleration can not be modified except its tolerationSeconds', 'tolerations');
  }
  if (!hasOnlyMutableChanges(spec, before)) at.forbidden(onlyThese);
}

const shorterDeadline: ChangeRule<PodSpec> = (spec, before, at) => {
  const { activeDeadlineSeconds: deadline } = spec;
  const { activeDeadlineSeconds: earlier } = before;
  if (earlier === undefined || earlier === deadline) return;
  if (deadline === undefined) at.invalid(null, 'must not update from a positive integer to nil value', field);
  else if (deadline > earlier) at.invalid(deadline, 'must be less than or equal to previous value', field);
};

const field = 'activeDeadlineSeconds';

function keepsTolerations({ tolerations = [] }: PodSpec, { tolerations: before = [] }: PodSpec): boolean {
  const now = tolerations.map((one) => JSON.stringify(identityOf(one)));
  return before.every((one) => now.includes(JSON.stringify(identityOf(one))));
}

function identityOf({ key, operator = 'Equal', value, effect }: Toleration): object {
  return [key, operator, value, effect];
}

/** Whether only images, tolerations and the deadline differ. */
function hasOnlyMutableChanges(spec: PodSpec, before: PodSpec): boolean {
  const free: (keyof PodSpec)[] = ['activeDeadlineSeconds', 'tolerations', 'containers', 'initContainers'];
  return (
    equalExcept(free, spec, before) &&
    jsonEqual(spec.containers.map(withoutImage), before.containers.map(withoutImage)) &&
    jsonEqual(spec.initContainers?.map(withoutImage), before.initContainers?.map(withoutImage))
  );
}

function withoutImage(container: Container): object {
  return { ...container, image: '' };
}

const onlyThese =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
