// SPDX-License-Identifier: Apache-2.0
import type { LeaseSpec, NodeSpec, Taint } from '@forge/kube/generated/types.ts';
import type { Lease, Node } from '@forge/kube/kinds/builtin.ts';
import { networkProblem } from '../../formats/address-problem.ts';
import { qualifiedNameProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { taintEffects } from '../pods/pod-rules.ts';
import { each, fields, given, validation } from '../rule.ts';
import { atLeast, requiredOneOf, requiredText, text } from '../value-rules.ts';

/** A lease lasts a while. */
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

/** A real server names another place. */
const taints: Rule<NodeSpec> = given((spec, at) => at.inside('taints', spec.taints, each(taint)));

/** A node's taints can be read; it stays the machine it is. */
export const validateNode = validation<Node>(
  given(({ spec }, at) => {
    at.inside('metadata', spec, taints);
    at.inside('spec', spec, fields<NodeSpec>({ podCIDRs: each(text(networkProblem)) }));
  }),
  (node, before, at) => {
    // Of a changed one a real server tells this twice.
    at.inside('metadata', node.spec, taints);
    const { providerID = '' } = before.spec ?? {};
    if (providerID !== '' && node.spec?.providerID !== providerID) {
      at.forbidden('node updates may not change providerID except from "" to valid', 'spec.providerID');
    }
  },
);
