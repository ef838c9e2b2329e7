// SPDX-License-Identifier: Apache-2.0
import { Store } from '@forge/apiserver/storage/store.ts';
import { configMap } from './objects.ts';

/** A store of so many config maps. */
export async function filledStore(count: number): Promise<Store> {
  const store = new Store();
  for (let index = 0; index < count; index += 1) {
    const name = `config-${String(index).padStart(6, '0')}`;
    store.commit(`configmaps/default/${name}`, undefined, configMap(name));
    // Filling takes a while; what it leaves behind is to be collected meanwhile, not during a measurement.
    if (index % 1000 === 0) await new Promise(setImmediate);
  }
  return store;
}
