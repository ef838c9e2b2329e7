// SPDX-License-Identifier: Apache-2.0

/** A rule about OpenBaoClusters: what breaks it, what is said, and the nearest that is accepted. */
export interface AdmissionCase {
  /** Completes "an OpenBaoCluster with …". */
  readonly name: string;
  /** Laid over the valid fixture as a merge patch. */
  readonly change: object;
  /** The same with the mistake corrected. */
  readonly corrected: object;
  /** Laid over the fixture before, when the rule is about a change. */
  readonly before?: object;
  /** Whether the cluster is initialised before the change. */
  readonly initialised?: true;
  /** What the schema says: field, then part of the message. */
  readonly schema: readonly [field: string, part: string];
  /** What the policy says, if it has the rule, too. */
  readonly policy?: string;
}

export const spec = (change: object) => ({ spec: change });

/** The value in its place below the spec. */
export const at = (path: string, value: unknown): object =>
  spec(path.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value) as object);
