// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { filterTable, type FilterTable } from './filter-table.ts';

/** The packet filter of the node's network namespace, nftables. */
export interface PacketFilter {
  /**
   * Creates tables with these chains and verdict maps; rejects when the kernel lacks something that their rules need.
   */
  tables<Name extends string>(definitions: Readonly<Record<Name, string>>): Promise<Record<Name, FilterTable>>;
}

/** Uses every expression that the rules of all tables need. */
const everyExpression = `table ip forge-probe {
  map addresses {
    type ipv4_addr . inet_proto . inet_service : verdict
  }
  chain nat {
    type nat hook prerouting priority -100
    ip daddr . meta l4proto . th dport vmap @addresses
    meta l4proto tcp dnat ip to numgen random mod 1 map { 0 : 127.0.0.1 . 1 }
  }
  chain masquerading {
    type nat hook postrouting priority 100
    ct status dnat masquerade
  }
  chain filter {
    type filter hook forward priority 0
    ct state established,related accept
    reject with icmp admin-prohibited
  }
}
delete table ip forge-probe
`;

/** The packet filter of the current network namespace; `folder` is on a tmpfs. */
export function packetFilter(folder: string, { nft }: Pick<Toolbox, 'nft'>): PacketFilter {
  const file = join(folder, 'nft');
  let transactions = Promise.resolve();

  async function load(text: string): Promise<void> {
    await writeFile(file, text);
    await runCommand([...nft, '--file', file], { name: 'nft' });
  }

  /** Runs transactions one by one; each is applied as a whole or not at all. */
  function transact(text: string): Promise<void> {
    const transaction = transactions.then(() => load(text));
    transactions = transaction.catch(() => undefined);
    return transaction;
  }

  return {
    async tables(definitions) {
      const names = Object.keys(definitions) as (keyof typeof definitions)[];
      const texts = names.map((name) => `table ip forge-${name} {\n${definitions[name]}\n}\n`);
      await transact([everyExpression, ...texts].join(''));
      const tables = names.map((name) => [name, filterTable(`forge-${name}`, transact)] as const);
      return Object.fromEntries(tables) as Record<(typeof names)[number], FilterTable>;
    },
  };
}
