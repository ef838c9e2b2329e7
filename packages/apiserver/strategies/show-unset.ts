// SPDX-License-Identifier: Apache-2.0
import type { ClusterRole, EndpointSlice, Event, HorizontalPodAutoscaler, Role } from '@forge/kube/builtin.ts';
import { defaults } from './defaults.ts';

/** Times never told and lists never made; no type knows of them, since clients are better off without. */
const unset = null as never;

export const showClusterRole = defaults<ClusterRole>({ rules: unset });
export const showEndpointSlice = defaults<EndpointSlice>({ endpoints: unset, ports: unset });
export const showEvent = defaults<Event>({
  firstTimestamp: unset,
  lastTimestamp: unset,
  eventTime: unset,
  reportingComponent: '',
  reportingInstance: '',
});
export const showAutoscaler = defaults<HorizontalPodAutoscaler>(
  {},
  { status: defaults({ desiredReplicas: 0, currentMetrics: unset }) },
);
export const showRole = defaults<Role>({ rules: unset });
