// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import { namesOf } from '../../api/names.ts';
import { valueKey } from '../../objects/credential/credential-secrets.ts';
import { controlPlaneFixture, home } from '../control-plane-fixture.ts';

const valueSize = 32;

/** The bytes of the n-th secret value, the same in every run. */
const bytesOf = (number: number) => new Uint8Array(valueSize).fill(number);

/** The n-th secret value of an application credential. */
export const numberedValue = (number: number): string => Buffer.from(bytesOf(number)).toString('base64url');

/** Randomness whose n-th secret value is the same in every run, so that all that is made from it can be compared. */
export function withNumberedValues(random: Random, minted: () => number): Random {
  return { ...random, bytes: (count) => (count === valueSize ? bytesOf(minted() + 1) : random.bytes(count)) };
}

/** The secret values of application credentials that a run has had. */
export interface MintedValues {
  readonly seen: ReadonlySet<string>;
  /** Notes the one that is there now, if any. */
  note(state: ClusterState): void;
}

/** Those of a run that starts so. */
export function mintedValues(start: ClusterState): MintedValues {
  const seen = new Set<string>();
  const ref = { ...home, name: namesOf(controlPlaneFixture()).applicationCredential };
  const values: MintedValues = {
    seen,
    note(state) {
      const value = state.find(Secret, ref)?.data?.[valueKey];
      if (value !== undefined) seen.add(Buffer.from(value, 'base64').toString());
    },
  };
  values.note(start);
  return values;
}
