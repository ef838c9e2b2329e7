// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { Rule } from '../inspection.ts';
import { given } from '../rule.ts';
import { labels, selector } from '../selector-rules.ts';
import { podSpec } from './pods.ts';

/** Validates a pod template. */
export const template: Rule<PodTemplateSpec> = given(({ metadata, spec }, at) => {
  // kube-apiserver omits `metadata` in this path.
  at.inside('labels', metadata?.labels, labels);
  at.inside('spec', spec, podSpec);
  if ((spec?.ephemeralContainers ?? []).length === 0) return;
  at.inside('spec', spec, () =>
    at.forbidden('ephemeral containers not allowed in pod template', 'ephemeralContainers'),
  );
});

/** A pod template with restartPolicy Always. */
export function runningTemplate(
  kind: 'DaemonSet' | 'ReplicaSet' | 'ReplicationController' | 'StatefulSet',
): Rule<PodTemplateSpec> {
  return given((value, at) => {
    template(value, at);
    // kube-apiserver reports this twice for stateful sets.
    if (kind === 'StatefulSet') at.inside('labels', value.metadata?.labels, labels);
    at.inside('spec', value.spec, (spec, inner) => {
      if (spec === undefined) return;
      const { restartPolicy, activeDeadlineSeconds } = spec;
      if (restartPolicy !== 'Always') inner.unsupported(restartPolicy, ['Always'], 'restartPolicy');
      if (activeDeadlineSeconds !== undefined) {
        inner.forbidden(`activeDeadlineSeconds in ${kind} is not Supported`, 'activeDeadlineSeconds');
      }
    });
  });
}

interface Selecting {
  selector: LabelSelector;
  template?: PodTemplateSpec;
}

/** A non-empty selector that matches the template; the template is validated only with a valid selector. */
export function selectedTemplate(name: string, invalid: string, rule: Rule<PodTemplateSpec>): Rule<Selecting> {
  return given((spec, at) => {
    const wanted = spec.selector as LabelSelector | undefined;
    const { length } = at.errors;
    if (wanted === undefined) at.required(undefined, 'selector');
    else at.inside('selector', wanted, selector);
    if (wanted !== undefined && at.errors.length > length) {
      at.invalid(wanted, invalid, 'selector');
      return;
    }
    if (wanted !== undefined && isEmpty(wanted)) {
      at.invalid(wanted, `empty selector is invalid for ${name}`, 'selector');
    }
    matching(spec, at);
    at.inside('template', spec.template, rule);
  });
}

/** The template's labels must match the selector. */
export const matching: Rule<Selecting> = given(({ selector: wanted, template: pods }, at) => {
  const found = pods?.metadata?.labels;
  if (matchesLabelSelector(wanted, found ?? {})) return;
  at.inside('template', pods, () =>
    at.invalid(found ?? null, '`selector` does not match template `labels`', 'metadata.labels'),
  );
});

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}
