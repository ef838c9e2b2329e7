// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs of Tables. */
export const tablesBugs: readonly SeededBug[] = [
  {
    name: 'a slice without endpoints cannot be shown',
    caughtBy: 'the emptiest EndpointSlice is shown as a Table',
    file: 'apiserver/table/endpoints.ts',
    find: '(endpoints ?? [])',
    replace: '(endpoints as never[])',
  },
  {
    name: 'a Table row without object has no null',
    caughtBy: 'the emptiest ConfigMap is shown as a Table',
    file: 'apiserver/views/table-view.ts',
    find: "include === 'None' ? null",
    replace: "include === 'None' ? undefined",
  },
  {
    name: 'minReplicas defaults to two',
    caughtBy: 'the emptiest HorizontalPodAutoscaler is shown as a Table',
    file: 'apiserver/registry/defaults/autoscaling.ts',
    find: 'minReplicas: 1',
    replace: 'minReplicas: 2',
  },
];
