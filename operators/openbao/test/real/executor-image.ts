// SPDX-License-Identifier: Apache-2.0
import { programImage } from '@forge/cluster/images/catalogue.ts';

/** The image that Jobs run. */
export const executorImage = 'c5c3/openbao-executor:0.1.0';

/** The image, made from the sources. */
export const executorRecipe = programImage(
  executorImage,
  new URL('../../executor/openbao-executor.mjs', import.meta.url),
);
