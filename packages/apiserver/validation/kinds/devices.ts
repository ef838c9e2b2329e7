// SPDX-License-Identifier: Apache-2.0
import type {
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  DeviceRequest,
  DeviceClaim,
  ResourceClaimSpec,
  ResourceSliceSpec,
} from '@forge/kube/generated/types.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from '@forge/kube/kinds/builtin.ts';
import { subdomainProblem, dnsLabelProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { given, each, fields, validation, all, unique, fixed, change } from '../rule.ts';
import { requiredText, oneOf } from '../value-rules.ts';

const selector: Rule<DeviceSelector> = given(({ cel }, at) => {
  if (cel === undefined) at.required(undefined, 'cel');
  else if (cel.expression === '') at.required(undefined, 'cel.expression');
});

/** Validates a DeviceClass. */
export const validateDeviceClass = validation<DeviceClass>(fields({ spec: fields({ selectors: each(selector) }) }));

const wanted: Rule<ExactDeviceRequest | DeviceSubRequest> = all<ExactDeviceRequest | DeviceSubRequest>(
  fields({
    deviceClassName: requiredText(subdomainProblem),
    selectors: each(selector),
    allocationMode: oneOf('All', 'ExactCount'),
  }),
  given(({ allocationMode, count = 0 }, at) => {
    if (allocationMode === 'ExactCount' && count <= 0) at.invalid(count, 'must be greater than zero', 'count');
    if (allocationMode === 'All' && count !== 0)
      at.invalid(count, "must not be specified when allocationMode is 'All'", 'count');
  }),
);

const request: Rule<DeviceRequest> = given(({ name, exactly, firstAvailable = [] }, at) => {
  at.inside('name', name, requiredText(dnsLabelProblem));
  if (exactly === undefined && firstAvailable.length === 0) {
    at.required('exactly one of `exactly` or `firstAvailable` is required');
  } else if (exactly !== undefined && firstAvailable.length > 0) {
    at.invalid(undefined, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set');
  }
  at.inside('exactly', exactly, wanted);
  at.inside('firstAvailable', firstAvailable, all<readonly DeviceSubRequest[]>(each(wanted), unique('name')));
});

const claimSpec = fields<ResourceClaimSpec>({
  devices: fields<DeviceClaim>({ requests: all<readonly DeviceRequest[]>(each(request), unique('name')) }),
});

/** Validates a ResourceClaim; its spec is immutable. */
export const validateResourceClaim = validation<ResourceClaim>(fields({ spec: claimSpec }), fixed('spec'));

/** Validates a ResourceClaimTemplate; its spec is immutable. */
export const validateResourceClaimTemplate = validation<ResourceClaimTemplate>(
  fields({ spec: fields({ spec: claimSpec }) }),
  fixed('spec'),
);

const nodes = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;

const reached: Rule<ResourceSliceSpec> = given((spec, at) => {
  const named = nodes.filter((field) => ![undefined, null, false, ''].includes(spec[field] as undefined));
  if (named.length === 0) {
    at.required('exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required');
  }
});

/** Validates a ResourceSlice. */
export const validateResourceSlice = validation<ResourceSlice>(
  fields({
    spec: all<ResourceSliceSpec>(
      reached,
      fields({ driver: requiredText(subdomainProblem), devices: unique('name') }),
      fields({ pool: fields({ name: requiredText(subdomainProblem) }) }),
    ),
  }),
  change('spec', (spec, before, at) => {
    fixed<ResourceSliceSpec>('driver', 'nodeName')(spec, before, at);
  }),
);
