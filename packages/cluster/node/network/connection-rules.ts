// SPDX-License-Identifier: Apache-2.0
import { addresses } from './addresses.ts';

/** More than any program of a cluster on one machine needs, and few compared to what the kernel can track. */
const maxPerPod = 8192;

/**
 * Limits the open connections of each pod to others and to the node: the kernel tracks those of all pods in one table.
 * Queries over UDP are not tracked: each has a port of its own, and would count for half a minute.
 */
export const connectionChains = (most = maxPerPod) => {
  const limit = `ct state new add @connections { ip saddr ct count over ${most} } reject with icmp admin-prohibited`;
  return `
  set connections {
    type ipv4_addr
    size 65535
    flags dynamic
  }
  chain untracked {
    type filter hook prerouting priority -300
    ip daddr ${addresses.dns} udp dport 53 notrack
  }
  chain answers {
    type filter hook output priority -300
    ip saddr ${addresses.dns} udp sport 53 notrack
  }
  chain forward {
    type filter hook forward priority -1
    ${limit}
  }
  chain input {
    type filter hook input priority -1
    iif != lo ${limit}
  }`;
};
