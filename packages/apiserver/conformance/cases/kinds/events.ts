// SPDX-License-Identifier: Apache-2.0
import { encodeEnvelope } from '@forge/kube/protobuf/encode-envelope.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';

const group = 'events.k8s.io/v1/events';

/** An Event as the core group has it. */
function coreEvent(api: Conversation, name: string, more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { kind: 'Pod', name: 'web', namespace: api.namespace, fieldPath: 'spec.containers{main}' },
    reason: 'Started',
    message: 'it has started',
    source: { component: 'kubelet', host: 'node-a' },
    firstTimestamp: '2020-01-01T00:00:00Z',
    lastTimestamp: '2020-01-01T00:10:00Z',
    count: 3,
    type: 'Normal',
    ...more,
  };
}

/** An Event as events.k8s.io has it. */
function newEvent(api: Conversation, name: string, more: object = {}) {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name },
    regarding: { kind: 'Pod', name: 'web', namespace: api.namespace },
    eventTime: '2020-01-01T00:00:00.123456Z',
    reportingController: 'example.com/controller',
    reportingInstance: 'controller-a',
    action: 'Start',
    reason: 'Started',
    note: 'it has started',
    type: 'Warning',
    ...more,
  };
}

/** Events through two groups: one storage, two views. */
export const events: readonly ConformanceCase[] = [
  testCase('an event of the core group is read through events.k8s.io', async (api) => {
    await api.post('events', coreEvent(api, 'a'));
    await api.get(`${group}/a`);
    await api.get(group);
    await api.get(`${group}/b`);
  }),

  testCase('an event of events.k8s.io is read through the core group', async (api) => {
    await api.post(
      group,
      newEvent(api, 'a', { series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' } }),
    );
    await api.get('events/a');
    await api.get('events');
    await api.post('events', coreEvent(api, 'a'));
    await api.post(group, newEvent(api, 'a'));
  }),

  testCase('an incomplete event of events.k8s.io is rejected', async (api) => {
    for (const more of [
      { eventTime: undefined, reportingController: undefined, regarding: undefined },
      { reportingController: undefined, reportingInstance: undefined, action: undefined, reason: undefined },
      { type: 'Other', series: { count: 1 } },
      { deprecatedCount: 1, deprecatedFirstTimestamp: '2020-01-01T00:00:00Z', deprecatedSource: { component: 'a' } },
      { reportingController: 'no name', note: 'n'.repeat(1025), action: 'a'.repeat(129) },
      { reportingInstance: 'i'.repeat(129), reason: 'r'.repeat(129) },
      { regarding: { kind: 'Node', name: 'a' } },
      { regarding: { kind: 'Pod', name: 'a', namespace: 'default' } },
      { eventTime: '2020-01-01T00:00:00Z' },
      { unknown: true },
    ]) {
      await api.post(group, newEvent(api, 'a', more), { fieldValidation: 'Strict' });
    }
  }),

  testCase('an event of events.k8s.io changes in its series only', async (api) => {
    const created = await api.post(group, newEvent(api, 'a'));
    const series = { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' };
    await api.patch('strategic', `${group}/a`, { series });
    await api.patch('merge', `${group}/a`, { series: { count: 0 } });
    await api.patch('merge', `${group}/a`, { note: 'other', type: 'Normal', action: 'Stop' });
    await api.patch('merge', `${group}/a`, { reportingController: 'other', eventTime: '2020-01-01T00:00:00.000000Z' });
    await api.put(`${group}/a`, { ...created, metadata: { name: 'a', labels: { a: 'b' } } });
    await api.get('events/a');
  }),

  testCase('an event is changed through the group it does not come from', async (api) => {
    await api.post('events', coreEvent(api, 'a'), { fieldManager: 'one' });
    await api.patch('merge', `${group}/a`, { metadata: { labels: { a: 'b' } } }, { fieldManager: 'two' });
    await api.patch('merge', 'events/a', { count: 4, message: 'again' }, { fieldManager: 'three' });
    await api.patch('merge', `${group}/a`, { note: 'otherwise' }, { fieldManager: 'two' });
    await api.post(group, newEvent(api, 'b'), { fieldManager: 'one' });
    await api.patch('merge', 'events/b', { message: 'otherwise', count: 7 }, { fieldManager: 'two' });
    await api.get(`${group}/b`);
  }),

  testCase('events are selected by the fields of their group', async (api) => {
    await api.post('events', coreEvent(api, 'a'));
    await api.post(group, newEvent(api, 'b'));
    for (const fieldSelector of [
      'involvedObject.name=web,type=Normal',
      'involvedObject.fieldPath!=',
      'reportingComponent=example.com/controller',
      'source=kubelet',
      'source=example.com/controller',
      'regarding.name=web',
      'reportingController=a',
    ]) {
      await api.get('events', { fieldSelector });
    }
    for (const fieldSelector of [
      'regarding.name=web,type=Warning',
      'regarding.kind=Pod,reason=Started',
      'reportingController=example.com/controller',
      'metadata.name=a',
      'involvedObject.name=web',
      'source=kubelet',
    ]) {
      await api.get(group, { fieldSelector });
    }
  }),

  testCase('events of both groups are shown as Tables', async (api) => {
    const future = '9000-01-01T00:00:00Z';
    await api.post('events', coreEvent(api, 'a', { firstTimestamp: future, lastTimestamp: future }));
    await api.post('events', coreEvent(api, 'c', { firstTimestamp: future, lastTimestamp: null, source: {} }));
    await api.post(group, newEvent(api, 'b', { eventTime: '9000-01-01T00:00:00.000000Z' }));
    await api.table('events');
    await api.table(`${group}/a`);
    await api.table(group, { fieldSelector: 'metadata.name=b' });
  }),

  testCase('a watch of either group observes all events', async (api) => {
    const { metadata } = await api.get(group);
    const query = { resourceVersion: metadata.resourceVersion ?? '' };
    const core = await api.watch('events', query);
    const other = await api.watch(group, { ...query, fieldSelector: 'regarding.kind=Pod' });
    await api.post('events', coreEvent(api, 'a'));
    await api.post(group, newEvent(api, 'b'));
    await api.delete(`${group}/a`);
    await api.delete('events/b');
    await core.take(4);
    await other.take(4);
  }),

  testCase('events of either group are deleted together', async (api) => {
    await api.post('events', coreEvent(api, 'a'));
    await api.post(group, newEvent(api, 'b'));
    await api.delete(group, undefined, { fieldSelector: 'regarding.name=web' });
    await api.get('events');
  }),

  testCase('an event of events.k8s.io may come as protobuf', async (api) => {
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    await api.post(group, encodeEnvelope(newEvent(api, 'a')), {}, headers);
    await api.post('events', encodeEnvelope(coreEvent(api, 'b')), {}, headers);
    await api.post('events', encodeEnvelope(newEvent(api, 'c')), {}, headers);
  }),

  testCase('events of either group are answered in protobuf', async (api) => {
    const headers = { accept: 'application/vnd.kubernetes.protobuf' };
    await api.post('events', coreEvent(api, 'a'), {}, headers);
    await api.post(group, newEvent(api, 'b'), {}, headers);
    await api.get('events', {}, headers);
    await api.get(group, {}, headers);
    const { metadata } = await api.get(group);
    const watch = await api.watch(group, { resourceVersion: metadata.resourceVersion ?? '' }, headers);
    await api.delete(`${group}/a`, undefined, {}, headers);
    await watch.take(1);
  }),

  testCase('an event is applied through events.k8s.io', async (api) => {
    await api.apply(`${group}/a`, 'one', newEvent(api, 'a'));
    await api.apply(`${group}/a`, 'one', newEvent(api, 'a', { metadata: { name: 'a', labels: { a: 'b' } } }));
    await api.get('events/a');
  }),

  testCase('discovery lists events.k8s.io', async (api) => {
    await api.get('/apis/events.k8s.io');
    await api.get('/apis/events.k8s.io/v1');
  }),
];
