// SPDX-License-Identifier: Apache-2.0
// Compiled by Node and kept in its compile cache, where there is one.
export function compiled() {}
