// SPDX-License-Identifier: Apache-2.0
import type { AdmissionRow } from './admission-row.ts';
import { backingRows, textsRows } from './backing-rows.ts';
import { configurationRows } from './configuration-rows.ts';
import { exposureRows } from './exposure-rows.ts';
import { podsRows } from './pod-rows.ts';
import { rotationRows } from './rotation-rows.ts';
import { scaleRows } from './scale-rows.ts';

/** Every rule that one Keystone can break by itself. */
export const admissionRows: readonly AdmissionRow[] = [
  ...textsRows,
  ...backingRows,
  ...rotationRows,
  ...scaleRows,
  ...podsRows,
  ...configurationRows,
  ...exposureRows,
];
