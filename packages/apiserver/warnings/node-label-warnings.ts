// SPDX-License-Identifier: Apache-2.0
import type { NodeSelectorTerm } from '@forge/kube/generated/types.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { Warn } from '../resources/warn.ts';

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Why a node label is deprecated; undefined when it is not. */
export function labelProblem(label: string): string | undefined {
  return fieldOf(deprecatedLabels, label);
}

/** Warns of deprecated node labels in a selector. */
export function selectorWarnings(selector: Readonly<Record<string, string>>, place: string, warn: Warn): void {
  for (const label in selector) {
    const message = labelProblem(label);
    if (message !== undefined) warn(`${place}[${label}]: ${message}`);
  }
}

/** Warns of a deprecated node label. */
export function labelWarnings(label: string, place: string, warn: Warn): void {
  const message = labelProblem(label);
  if (message !== undefined) warn(`${place}: ${label} is ${message}`);
}

/** Warns of deprecated node labels in a node selector term. */
export function termWarnings({ matchExpressions = [] }: NodeSelectorTerm, place: string, warn: Warn): void {
  for (const [index, { key }] of matchExpressions.entries()) {
    labelWarnings(key, `${place}.matchExpressions[${index}].key`, warn);
  }
}
