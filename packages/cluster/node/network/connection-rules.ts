// SPDX-License-Identifier: Apache-2.0

/** More than any program of a cluster on one machine needs, and a small part of what the kernel can track. */
const mostOfOnePod = 8192;

/** Limits the open connections of each pod to others: the kernel tracks those of all pods in one table. */
export const connectionChains = (most = mostOfOnePod) => `
  set connections {
    type ipv4_addr
    size 65535
    flags dynamic
  }
  chain forward {
    type filter hook forward priority -1
    ct state new add @connections { ip saddr ct count over ${most} } reject with icmp admin-prohibited
  }`;
