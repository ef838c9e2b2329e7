// SPDX-License-Identifier: Apache-2.0
import { applyDefaults } from '@forge/kube/schema/apply-defaults.ts';
import type { WriteStep } from '../context/write.ts';

/** Fills in the defaults that a custom kind's schema names; a built-in object has them when it is read as its type. */
export const defaultBySchema: WriteStep = ({ resource: { kind, custom }, object }) =>
  custom ? applyDefaults(object, kind.schema) : object;

/** Fills in what the kind promises beyond its schema when the writer says nothing. */
export const defaultByKind: WriteStep = ({ resource: { strategy }, object }) => strategy.default?.(object) ?? object;
