// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs of Events in two groups, and of the kinds of controllers. */
export const kindsBugs: readonly SeededBug[] = [
  {
    name: 'the groups of events are stored separately',
    caughtBy: 'an event of the core group is read through events.k8s.io',
    file: 'apiserver/registry/resource-registry.ts',
    find: "storage: 'events', ",
    replace: '',
  },
  {
    name: 'an event of events.k8s.io is stored as it was sent',
    caughtBy: 'an event of events.k8s.io is read through the core group',
    file: 'apiserver/verbs/write-request.ts',
    find: 'resource.toStored(prepared)',
    replace: 'prepared',
  },
  {
    name: 'events of the other group keep their managers',
    caughtBy: 'an event is changed through the group it does not come from',
    file: 'kube/patch/managers.ts',
    find: 'groupOf(apiVersion) === group',
    replace: "groupOf(apiVersion) !== 'nobody'",
  },
  {
    name: 'the source of an event is not its reporter',
    caughtBy: 'events are selected by the fields of their group',
    file: 'apiserver/registry/strategies/events.ts',
    find: '?? event.reportingComponent',
    replace: '',
  },
  {
    name: 'a protobuf message of another group is used',
    caughtBy: 'an event of events.k8s.io may come as protobuf',
    file: 'kube/protobuf/messages.ts',
    find: '=== undefined ? kind : qualified;',
    replace: '=== undefined ? kind : kind;',
  },
  {
    name: 'the template generation of a daemon set is not incremented',
    caughtBy: 'a daemon set is created with its defaults and counts its templates',
    file: 'apiserver/registry/strategies/workloads.ts',
    find: '(isSame ? 0 : 1)',
    replace: '(isSame ? 0 : 0)',
  },
  {
    name: 'what a replication controller owns is deleted with it',
    caughtBy: 'a replication controller takes selector and labels from its template',
    file: 'apiserver/verbs/delete.ts',
    find: "strategy.orphansByDefault === true ? 'Orphan' : undefined",
    replace: 'undefined',
  },
  {
    name: 'the status subresource can approve',
    caughtBy: 'a signing request records who created it',
    file: 'apiserver/validation/kinds/certificates.ts',
    find: "subresource === 'approval'",
    replace: 'subresource !== undefined',
  },
];
