// SPDX-License-Identifier: Apache-2.0

/** Adds a warning to the response; the write still succeeds. */
export type Warn = (warning: string) => void;
