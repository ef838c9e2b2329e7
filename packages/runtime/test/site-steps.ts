// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, type Secret } from '@forge/kube/kinds/builtin.ts';
import { ready } from '../steps/outcome.ts';
import { stepFor } from '../steps/step.ts';
import type { Services, Site } from './site.ts';

/** Makes a step for Sites. */
export const step = stepFor<Site, Services>();

/** The place of a Site's page. */
export const pageName = { namespace: 'default', name: 'home-page' };

/** The place of its keys. */
export const keysName = { namespace: 'default', name: 'keys' };

/** The page of a Site. */
export const page = ({ spec }: Site): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: pageName.name },
  data: { ...spec },
});

/** Applies the page. */
export const content = step({
  name: 'Content',
  condition: 'ContentReady',
  owns: [ConfigMap],
  async run({ object, apply }) {
    const live = await apply(page(object));
    return ready('Applied', `${live.metadata.name} is applied`);
  },
});

/** Keys with this one in them. */
export const keysWith = (key: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: keysName.name },
  data: { key },
});
