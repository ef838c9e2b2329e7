// SPDX-License-Identifier: Apache-2.0
import { controlPlane } from '@forge/controlplane/register.ts';
import { keystone } from '@forge/keystone/register.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { openbao } from '@forge/openbao/register.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import type { StepCondition } from '@forge/runtime/steps/step.ts';
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

/** An operator, as everything that lists operators reads it. */
export interface RegisteredOperator {
  /** Its folder here. */
  readonly name: string;
  readonly operator: Operator;
  /** Its kinds, the one that it is about first. */
  readonly kinds: readonly [RegisteredKind, ...RegisteredKind[]];
  /** The programs of its Jobs: the repositories of their images, which have the tag of its own, and their files. Default: none. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Its Grafana dashboard. */
  readonly dashboard: object;
  /** Loads what only development needs. */
  readonly development: () => Promise<{ readonly development: Development }>;
}

/** A kind of an operator. */
export interface RegisteredKind {
  readonly kind: Kind;
  /** The steps that `forge status` shows. Default: it shows the conditions alone. */
  readonly steps?: readonly StepNode[];
  /** Default: nothing reports about it. */
  readonly conditions?: ConditionCatalog;
}

/** The parts of a step that its conditions depend on. */
export interface StepNode {
  readonly name: string;
  readonly condition: StepCondition | undefined;
  readonly conditions: readonly StepCondition[];
  readonly needs: Readonly<Record<string, StepNode>>;
}

/** What development needs of an operator. */
interface Development {
  readonly seededBugs: readonly OperatorBug[];
  /** Default: it is not simulated. */
  readonly scenarios?: ScenarioSet;
  /** What the webhook of its first kind refuses and warns of. Default: it has no webhook. */
  readonly admission?: DocumentedAdmission;
}

/** The cases of a reference page of admission. */
export interface DocumentedAdmission {
  readonly refused: readonly Refusal[];
  /** An example of every warning. */
  readonly warnings: readonly string[];
}

/** What is refused, and how. */
export interface Refusal {
  readonly name: string;
  readonly webhook: readonly [field: string, message: string];
  /** What the schema says; undefined when it cannot say the rule. */
  readonly schema: readonly [field: string, part: string] | undefined;
  /** What happens without the webhook, where the schema cannot say the rule. Default: not said. */
  readonly withoutWebhook?: string;
}

const registered = [keystone, controlPlane, openbao] as const satisfies readonly RegisteredOperator[];

/** The name of an operator. */
export type OperatorName = (typeof registered)[number]['name'];

/** Every operator; one that uses the kinds of another stands after it. */
export const operators: readonly RegisteredOperator[] = registered;

/** A file of the operator of this name. */
export const operatorFile = (name: string, path: string): URL => new URL(`${name}/${path}`, import.meta.url);

/** The condition catalog of one of our kinds; an empty one when nothing reports about it. */
export function conditionCatalogOf(kind: string): ConditionCatalog {
  const found = operators.flatMap(({ kinds }) => kinds).find((each) => each.kind.kind === kind);
  return found?.conditions ?? { conditions: [], events: [] };
}

/** The operator of this name; throws when there is none. */
export function operatorNamed(name: string): RegisteredOperator {
  const found = operators.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(`no operator is named "${name}": choose ${operators.map((each) => each.name).join(' or ')}`);
}
