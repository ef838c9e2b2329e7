// SPDX-License-Identifier: Apache-2.0
import { fieldOf } from '@forge/kube/objects/json.ts';

/** Expands `$(NAME)`; `$$` is a literal dollar sign, and unknown names stay as they are. */
export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^()]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (fieldOf(variables, name) ?? whole),
  );
}
