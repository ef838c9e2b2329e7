// SPDX-License-Identifier: Apache-2.0
import { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { namesOf } from '../api/names.ts';
import { hpaReady } from '../conditions/autoscaling.ts';
import { apiAutoscaler } from '../objects/autoscaler.ts';
import { step } from './step.ts';

/** Scales the API pods by their load; its bounds change also while they are down. */
export const autoscaling = step({
  name: 'HPA',
  condition: 'HPAReady',
  owns: [owned(HorizontalPodAutoscaler, ['apply', 'remove'])],
  async run({ object: keystone, apply, remove }) {
    const wanted = keystone.spec.autoscaling;
    if (wanted === undefined) {
      await remove(HorizontalPodAutoscaler, namesOf(keystone).api);
      return ready(hpaReady.notRequired());
    }
    await apply(apiAutoscaler(keystone, wanted));
    return ready(hpaReady.configured());
  },
});
