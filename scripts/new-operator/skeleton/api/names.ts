// SPDX-License-Identifier: Apache-2.0
import type { Specimen } from './specimen.ts';

/** The field manager of what the operator applies. */
export const fieldManager = 'specimen-operator';

/** The prefix of the operator's metrics. */
export const metricPrefix = 'specimen_operator';

/** Every object's name begins with the Specimen's own, so that two of them live in one namespace. */
export const namesOf = ({ metadata: { name } }: Specimen) => ({ config: `${name}-config` });
