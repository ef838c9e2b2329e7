// SPDX-License-Identifier: Apache-2.0
import { fieldOf } from '@forge/kube/objects/json.ts';

/** Replaces `$(NAME)` by the variable's value; `$$` stands for a dollar sign, and an unknown name stays as it is. */
export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^()]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (fieldOf(variables, name) ?? whole),
  );
}
