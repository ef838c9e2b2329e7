// SPDX-License-Identifier: Apache-2.0
import type { LeaseSpec, Taint, NodeSpec } from '@forge/kube/generated/types.ts';
import type { Lease, Node } from '@forge/kube/kinds/builtin.ts';
import { networkProblem } from '../../formats/address-problem.ts';
import { qualifiedNameProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { taintEffects } from '../pods/pods.ts';
import { fields, given, validation, each } from '../rule.ts';
import { atLeast, requiredOneOf, requiredText, text } from '../value-rules.ts';

/** Validates a Lease. */
export const validateLease = validation<Lease>(
  fields({
    spec: fields<LeaseSpec>({
      leaseDurationSeconds: given((seconds, at) => {
        if (seconds <= 0) at.invalid(seconds, 'must be greater than 0');
      }),
      leaseTransitions: atLeast(0),
    }),
  }),
);

const taint = fields<Taint>({ key: requiredText(qualifiedNameProblem), effect: requiredOneOf(...taintEffects) });

/** kube-apiserver reports taints under another path. */
const taints: Rule<NodeSpec> = given((spec, at) => at.inside('taints', spec.taints, each(taint)));

/** Validates a Node: taints, and immutable fields. */
export const validateNode = validation<Node>(
  given(({ spec }, at) => {
    at.inside('metadata', spec, taints);
    at.inside('spec', spec, fields<NodeSpec>({ podCIDRs: each(text(networkProblem)) }));
  }),
  (node, before, at) => {
    // kube-apiserver reports this twice for updates.
    at.inside('metadata', node.spec, taints);
    const { providerID = '' } = before.spec ?? {};
    if (providerID !== '' && node.spec?.providerID !== providerID) {
      at.forbidden('node updates may not change providerID except from "" to valid', 'spec.providerID');
    }
  },
);
