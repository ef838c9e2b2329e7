// SPDX-License-Identifier: Apache-2.0
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { conditionTemplate, type Statement } from '../conditions/cases.ts';
import { kindNotInstalled } from '../conditions/engine-cases.ts';

const notInstalled = conditionTemplate(kindNotInstalled);

/** A write of a kind that is not installed. */
export class KindNotInstalled extends Error {
  override readonly name = 'KindNotInstalled';
  readonly statement: Statement;
  readonly missing: Kind;

  constructor(kind: Kind, { metadata: { name } }: KubeObject, options?: ErrorOptions) {
    const statement = notInstalled({ kind: kind.kind, name, resource: resourceName(kind) });
    super(statement.message, options);
    this.missing = kind;
    this.statement = statement;
  }
}
