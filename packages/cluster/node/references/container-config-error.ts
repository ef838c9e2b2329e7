// SPDX-License-Identifier: Apache-2.0

/** A container that cannot be made from what its pod refers to; it is tried again when that changes. */
export class ContainerConfigError extends Error {
  override readonly name = 'ContainerConfigError';
}
