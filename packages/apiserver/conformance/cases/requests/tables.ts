// SPDX-License-Identifier: Apache-2.0
import { EventsEvent } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { minimalObjects } from '../../objects/minimal-objects.ts';

/** Every built-in kind as a Table. */
export const tables: readonly ConformanceCase[] = minimalObjects('').map(({ kind }) =>
  testCase(
    `the emptiest ${kind === EventsEvent ? 'Event of events.k8s.io' : kind.kind} is shown as a Table`,
    async (api) => {
      const { path, object, withNulls } = minimalObjects(api.namespace).find((each) => each.kind === kind)!;
      const { name } = object['metadata'] as { name: string };
      await api.post(path, object);
      await api.table(`${path}/${name}`);
      await api.post(path, { ...withNulls, metadata: { name: `${name}-nulls` } });
      await api.table(`${path}/${name}-nulls`);
    },
  ),
);
