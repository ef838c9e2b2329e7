// SPDX-License-Identifier: Apache-2.0

/** A container whose references are missing or invalid; it is retried when they change. */
export class ContainerConfigError extends Error {
  override readonly name = 'ContainerConfigError';
}
