// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';

/** Controllers whose writes have this field manager by default: that of a real operator is its program's name. */
export function writingAs(fieldManager: string, controllers: readonly Controller[]): Controller[] {
  return controllers.map((controller) => ({
    ...controller,
    reconcile: (ref, context) =>
      controller.reconcile(ref, { ...context, client: managedBy(fieldManager, context.client) }),
  }));
}

function managedBy(fieldManager: string, client: Client): Client {
  return {
    ...client,
    create: (kind, object, options) => client.create(kind, object, { fieldManager, ...options }),
    update: (kind, object, options) => client.update(kind, object, { fieldManager, ...options }),
    patch: (kind, ref, type, patch, options) => client.patch(kind, ref, type, patch, { fieldManager, ...options }),
  };
}
