// SPDX-License-Identifier: Apache-2.0
import { Specimen } from '../api/specimen.ts';

/** Where the Specimen of these tests lives. */
export const home = { namespace: 'default', name: 'first' };

/** A Specimen with this spec. */
export const specimenFixture = (spec: Specimen['spec'] = { text: 'Hello' }): Specimen => ({
  apiVersion: Specimen.apiVersion,
  kind: Specimen.kind,
  metadata: home,
  spec,
});
