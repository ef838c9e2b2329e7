// SPDX-License-Identifier: Apache-2.0
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import {
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
} from '../../validation/kinds/access.ts';
import { serviceAccountWarnings } from '../../warnings/access.ts';
import { defaultClusterRoleBinding, defaultRoleBinding, fillClusterRole, fillRole } from '../defaults/access.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const accessStrategies: Readonly<Record<string, Strategy>> = {
  ClusterRole: strategy<ClusterRole>({
    fillZeroValues: fillClusterRole,
    validate: validateClusterRole,
    allowCreateOnUpdate: true,
  }),
  ClusterRoleBinding: strategy<ClusterRoleBinding>({
    default: defaultClusterRoleBinding,
    validate: validateClusterRoleBinding,
    allowCreateOnUpdate: true,
  }),
  Role: strategy<Role>({ fillZeroValues: fillRole, validate: validateRole, allowCreateOnUpdate: true }),
  RoleBinding: strategy<RoleBinding>({
    default: defaultRoleBinding,
    validate: validateRoleBinding,
    allowCreateOnUpdate: true,
  }),
  ServiceAccount: strategy<ServiceAccount>({ returnsDeletedObject: true, warnings: serviceAccountWarnings }),
};
