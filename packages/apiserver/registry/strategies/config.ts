// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateConfigMap, validateSecret } from '../../validation/kinds/config.ts';
import { defaultSecret } from '../defaults/config.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const configStrategies: Readonly<Record<string, Strategy>> = {
  ConfigMap: strategy<ConfigMap>({ validate: validateConfigMap }),
  Secret: strategy<Secret>({ default: defaultSecret, validate: validateSecret, selectableFields: ['type'] }),
};
