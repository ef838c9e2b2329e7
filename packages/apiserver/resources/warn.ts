// SPDX-License-Identifier: Apache-2.0

/** Tells who writes an object something about it; the object is written all the same. */
export type Warn = (warning: string) => void;
