// SPDX-License-Identifier: Apache-2.0
import { Store } from '@forge/apiserver/storage/store.ts';
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { configMap } from './objects.ts';

/** A store with this many ConfigMaps. */
export async function filledStore(count: number): Promise<Store> {
  const store = new Store();
  for (let index = 0; index < count; index += 1) {
    const name = `config-${String(index).padStart(6, '0')}`;
    // Parsed, like objects that a server receives: a concatenated string would be copied by the first list.
    const received = JSON.parse(JSON.stringify(configMap(name))) as ConfigMap;
    store.commit(`configmaps/default/${name}`, undefined, received);
    // Lets garbage from filling the store be collected now, not during a measurement.
    if (index % 1000 === 0) await new Promise(setImmediate);
  }
  return store;
}
