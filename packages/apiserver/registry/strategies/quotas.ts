// SPDX-License-Identifier: Apache-2.0
import type { ResourceQuota } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateResourceQuota } from '../../validation/kinds/quotas.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const quotaStrategies: Readonly<Record<string, Strategy>> = {
  ResourceQuota: strategy<ResourceQuota>({
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: validateResourceQuota,
    returnsDeletedObject: true,
  }),
};
