// SPDX-License-Identifier: Apache-2.0

/** The name of a local cluster's only node. */
export const nodeName = 'forge';
