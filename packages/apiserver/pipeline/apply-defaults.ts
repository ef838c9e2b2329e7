// SPDX-License-Identifier: Apache-2.0
import { applyDefaults } from '@forge/kube/schema/apply-defaults.ts';
import type { WriteStep } from '../request/write.ts';

/** Applies the schema defaults of custom resources; built-in kinds get theirs when they are decoded. */
export const defaultBySchema: WriteStep = ({ resource: { kind, custom }, object }) =>
  custom ? applyDefaults(object, kind.schema) : object;

/** Applies the defaults of the kind's strategy. */
export const defaultByKind: WriteStep = ({ resource: { strategy }, object }) => strategy.default?.(object) ?? object;
