// SPDX-License-Identifier: Apache-2.0
import { applyDefaults } from '@forge/kube/apply-defaults.ts';
import type { WriteStep } from './write.ts';

/** Fills in the defaults that the kind's schema names. */
export const defaultBySchema: WriteStep = ({ resource: { kind }, object }) => applyDefaults(object, kind.schema);

/** Fills in what the kind promises beyond its schema when the writer says nothing. */
export const defaultByKind: WriteStep = ({ resource: { strategy }, object }) => strategy.default?.(object) ?? object;
